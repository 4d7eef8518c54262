import * as fc from "fast-check";
import type { BaseContext } from "../../check.ts";
import type { LifecycleCommand } from "./commands.ts";
import type { LifecycleModel, LifecycleSystem } from "./lifecycle.ts";

interface SequenceOptions<System extends LifecycleSystem, Setting> {
  /** The kinds of steps. A kind that is listed several times occurs more often. */
  readonly commands: readonly fc.Arbitrary<LifecycleCommand<System>>[];
  /** A setting that varies between sequences. */
  readonly setting: fc.Arbitrary<Setting>;
  start(model: LifecycleModel, system: LifecycleSystem, setting: Setting): Promise<System>;
  finish(model: LifecycleModel, system: System): Promise<void>;
  readonly runs: number;
  /** The number of concurrent sequences. Defaults to 1. */
  readonly concurrency?: number;
  readonly maxSteps: number;
}

/** Runs sequences of steps, each with its own deliveries, and compares the target with the model. */
export async function runSequences<System extends LifecycleSystem, Setting>(
  { api, order, point, now, property }: BaseContext,
  { commands, setting, start, finish, runs, concurrency, maxSteps }: SequenceOptions<System, Setting>,
): Promise<void> {
  /** The steps of the last failing sequence, which shrinking has simplified. */
  let steps: readonly string[] = [];
  await property(
    fc.record({
      setting,
      commands: fc.commands([...commands], { maxCommands: maxSteps, size: "max", disableReplayLog: true }),
    }),
    async (input) => {
      const baseSystem: LifecycleSystem = { api, order, point, now, steps: [] };
      const model: LifecycleModel = { deliveries: [] };
      try {
        const system = await start(model, baseSystem, input.setting);
        await fc.asyncModelRun(() => ({ model, real: system }), input.commands);
        await finish(model, system);
      } catch (error) {
        steps = baseSystem.steps;
        throw error;
      }
    },
    { runs, concurrency, describe: () => steps.join(" → ") },
  );
}
