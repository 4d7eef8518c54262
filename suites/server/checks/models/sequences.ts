import * as fc from "fast-check";
import type { BaseContext } from "../../check.ts";
import type { LifeCommand } from "./commands.ts";
import type { Life, LifeSystem } from "./lifecycle.ts";

export interface Sequences<System extends LifeSystem, Setting> {
  /** The kinds of steps; one that stands here twice comes twice as often. */
  readonly steps: readonly fc.Arbitrary<LifeCommand<System>>[];
  /** What else is varied from one sequence to the next. */
  readonly setting: fc.Arbitrary<Setting>;
  start(life: Life, system: LifeSystem, setting: Setting): Promise<System>;
  /** What holds in the end. */
  finish(life: Life, system: System): Promise<void>;
  readonly runs: number;
  /** Steps of one sequence at the most. */
  readonly mostSteps: number;
}

/** Runs sequences of steps against the model, each on deliveries of its own. */
export async function runSequences<System extends LifeSystem, Setting>(
  { api, order, point, now, property }: BaseContext,
  { steps, setting, start, finish, runs, mostSteps }: Sequences<System, Setting>,
): Promise<void> {
  /** The story of the sequence that failed last: they get simpler as they fail. */
  let story: readonly string[] = [];
  await property(
    fc.record({
      setting,
      commands: fc.commands([...steps], { maxCommands: mostSteps, size: "max", disableReplayLog: true }),
    }),
    async (input) => {
      const plain: LifeSystem = { api, order, point, now, story: [] };
      const life: Life = { deliveries: [] };
      try {
        const system = await start(life, plain, input.setting);
        await fc.asyncModelRun(() => ({ model: life, real: system }), input.commands);
        await finish(life, system);
      } catch (error) {
        story = plain.story;
        throw error;
      }
    },
    { runs, describe: () => story.join(" → ") },
  );
}
