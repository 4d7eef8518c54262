import * as fc from "fast-check";
import type { BaseContext } from "../../check.ts";
import type { LifecycleCommand } from "./commands.ts";
import type { LifecycleModel, LifecycleSystem } from "./lifecycle.ts";

interface SequenceOptions<System extends LifecycleSystem, Setting> {
  /** The kinds of steps. A kind that is listed twice comes twice as often. */
  readonly commands: readonly fc.Arbitrary<LifecycleCommand<System>>[];
  /** The setting that varies between sequences. */
  readonly setting: fc.Arbitrary<Setting>;
  start(life: LifecycleModel, system: LifecycleSystem, setting: Setting): Promise<System>;
  /** Asserts the final state. */
  finish(life: LifecycleModel, system: System): Promise<void>;
  readonly runs: number;
  /** The number of concurrent sequences: one by default. */
  readonly atOnce?: number;
  /** Steps of one sequence at the most. */
  readonly maxSteps: number;
}

/** Runs sequences of steps against the model, each on deliveries of its own. */
export async function runSequences<System extends LifecycleSystem, Setting>(
  { api, order, point, now, property }: BaseContext,
  { commands, setting, start, finish, runs, atOnce, maxSteps }: SequenceOptions<System, Setting>,
): Promise<void> {
  /** The steps of the last failing sequence, which shrinking has made the simplest. */
  let steps: readonly string[] = [];
  await property(
    fc.record({
      setting,
      commands: fc.commands([...commands], { maxCommands: maxSteps, size: "max", disableReplayLog: true }),
    }),
    async (input) => {
      const plain: LifecycleSystem = { api, order, point, now, steps: [] };
      const life: LifecycleModel = { deliveries: [] };
      try {
        const system = await start(life, plain, input.setting);
        await fc.asyncModelRun(() => ({ model: life, real: system }), input.commands);
        await finish(life, system);
      } catch (error) {
        steps = plain.steps;
        throw error;
      }
    },
    { runs, atOnce, describe: () => steps.join(" → ") },
  );
}
