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
  /** Bounds of the number of steps in all sequences together, around the mean of random sequences. */
  readonly steps: Bounds;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

interface Sequence {
  readonly commands: Iterable<unknown>;
}

/** The maximum number of seeds to try. With random steps, about two of three seeds are within the bounds. */
const MAX_SEEDS = 40;

/**
 * The first of successive seeds whose sequences have a total number of steps within the bounds. Otherwise, the
 * number of a run's requests would vary by more than a hundred. The function returns such a seed unchanged, so the
 * reported seed reproduces the sequences.
 */
function seedWithin(
  sequences: fc.Arbitrary<Sequence>,
  { seed, runs, steps }: { seed: number; runs: number; steps: Bounds },
): number {
  // The same sequences as those of the property, which prefers small values in some runs.
  const property = fc.asyncProperty<[Sequence]>(sequences, async () => {});
  const isWithin = (candidate: number) => {
    const drawn = fc.sample(property, { seed: candidate, numRuns: runs });
    const total = drawn.flatMap(([{ commands }]) => [...commands]).length;
    return total >= steps.min && total <= steps.max;
  };
  return Array.from({ length: MAX_SEEDS }, (_, offset) => (seed + offset) | 0).find(isWithin) ?? seed;
}

/** Runs sequences of steps, each with its own deliveries, and compares the target with the model. */
export async function runSequences<System extends LifecycleSystem, Setting>(
  { api, order, point, now, property, seed }: BaseContext,
  {
    commands,
    setting,
    start,
    finish,
    runs,
    concurrency,
    maxSteps,
    steps: bounds,
  }: SequenceOptions<System, Setting>,
): Promise<void> {
  /** The steps of the last failing sequence, which shrinking has simplified. */
  let steps: readonly string[] = [];
  const sequences = fc.record({
    setting,
    commands: fc.commands([...commands], { maxCommands: maxSteps, size: "max", disableReplayLog: true }),
  });
  await property(
    sequences,
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
    {
      seed: seedWithin(sequences, { seed, runs, steps: bounds }),
      runs,
      concurrency,
      describe: () => steps.join(" → "),
    },
  );
}
