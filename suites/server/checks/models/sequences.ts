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

const MAX_SEEDS = 40;
/** An odd number, so that successive seeds differ. */
const SEED_DISTANCE = 0x9e3779b1;

/**
 * The first of successive seeds whose inputs have a total size within the bounds. Otherwise, the number of a run's
 * requests would vary by more than a hundred. The function returns such a seed unchanged, so the reported seed
 * reproduces the inputs.
 */
function seedOfSize<T>(
  arbitrary: fc.Arbitrary<T>,
  { seed, runs, size, sizeOf }: { seed: number; runs: number; size: Bounds; sizeOf: (input: T) => number },
): number {
  // The same inputs as those of the property, which prefers small values in some runs.
  const property = fc.asyncProperty<[T]>(arbitrary, async () => {});
  let candidate = seed;
  for (let tried = 1; tried < MAX_SEEDS; tried += 1) {
    const inputs = fc.sample(property, { seed: candidate, numRuns: runs });
    const total = inputs.reduce((sum, [input]) => sum + sizeOf(input), 0);
    if (total >= size.min && total <= size.max) break;
    candidate = (candidate + SEED_DISTANCE) | 0;
  }
  return candidate;
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
    steps: size,
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
      seed: seedOfSize(sequences, { seed, runs, size, sizeOf: (input) => [...input.commands].length }),
      runs,
      concurrency,
      describe: () => steps.join(" → "),
    },
  );
}
