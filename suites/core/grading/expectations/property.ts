import * as fc from "fast-check";
import { monotonicNow } from "../../clock.ts";
import { forEachConcurrently } from "../../concurrency.ts";
import { textOf } from "../../json.ts";
import { CheckFailure } from "../failures/failure.ts";

/** A failing case is tried in simpler forms this often and this long; then the simplest found is reported. */
const MAX_SHRINKS = 60;
const MAX_SHRINKING_MS = 30_000;

/** A property's counterexample in words; reported beside the failure. */
export class Counterexample extends Error {
  override readonly name = "Counterexample";
  override readonly cause: Error;
  readonly description: string;

  constructor(cause: Error, description: string) {
    super(cause.message);
    this.cause = cause;
    this.description = description;
  }
}

export interface PropertyOptions<T> {
  readonly seed: number;
  readonly runs: number;
  /** Number of concurrent tries, for tries that don't touch each other's records; one by default. */
  readonly atOnce?: number | undefined;
  readonly describe?: ((input: T) => string) | undefined;
  /** Receives the start and the failure of each try that is made alone. Others may follow. */
  readonly onTry?: { begin(): void; fail(error: unknown): void };
}

type Predicate<T> = (input: T) => Promise<void>;

interface FailedRun {
  /** Its place among all runs, from 0. */
  readonly run: number;
  readonly error: unknown;
}

/**
 * Tries all inputs concurrently and returns the failure that a sequential run would have met first. No try begins after
 * a failure.
 */
async function firstFailure<T>(
  arbitrary: fc.Arbitrary<T>,
  predicate: Predicate<T>,
  { seed, runs, atOnce = 1 }: PropertyOptions<T>,
): Promise<FailedRun | undefined> {
  const inputs = fc.sample(fc.asyncProperty(arbitrary, predicate), { seed, numRuns: runs });
  const failed: FailedRun[] = [];
  await forEachConcurrently([...inputs.entries()], atOnce, async ([run, [input]]) => {
    if (failed.length > 0) return;
    try {
      await predicate(input);
    } catch (error) {
      failed.push({ run, error });
    }
  });
  return failed.toSorted((one, other) => one.run - other.run)[0];
}

/**
 * Runs a property and reports its simplest counterexample. Independent tries run concurrently. A failed try
 * is repeated alone with simpler inputs after it, so that the seed and the path reproduce it either way.
 * @throws Counterexample around an assertion; any other error unchanged, since it is no finding about the target
 */
export async function runProperty<T>(
  arbitrary: fc.Arbitrary<T>,
  predicate: Predicate<T>,
  options: PropertyOptions<T>,
): Promise<void> {
  const { seed, runs, atOnce = 1, onTry } = options;
  onTry?.begin();
  const known = atOnce > 1 ? await firstFailure(arbitrary, predicate, options) : undefined;
  if (atOnce > 1 && !known) return;
  if (known && !(known.error instanceof CheckFailure)) throw known.error;
  let failedAt: number | undefined;
  let shrinks = 0;
  let fault: unknown;
  let run = -1;
  const once = async (input: T) => {
    run += 1;
    if (known && run < known.run) return;
    await predicate(input);
    // A failure that occurs only beside other tries is a finding too.
    if (run === known?.run) throw known.error;
  };
  const property = fc.asyncProperty(arbitrary, async (input) => {
    if (fault !== undefined) return;
    if (failedAt !== undefined) {
      shrinks += 1;
      // Each event that doesn't come is waited for: by time too, so that a failure doesn't hold a run up for long.
      if (shrinks > MAX_SHRINKS || monotonicNow() - failedAt > MAX_SHRINKING_MS) return;
    }
    onTry?.begin();
    try {
      await once(input);
    } catch (error) {
      if (!(error instanceof CheckFailure)) fault = error;
      failedAt ??= monotonicNow();
      onTry?.fail(error);
      throw error;
    }
  });
  const result = await fc.check(property, { seed, numRuns: runs });
  if (fault !== undefined) throw fault;
  if (!result.failed || result.counterexample === null) return;
  const [input] = result.counterexample;
  const cause = result.errorInstance;
  if (!(cause instanceof CheckFailure)) throw cause instanceof Error ? cause : new Error(textOf(cause));
  const shown = options.describe?.(input) ?? fc.stringify(input);
  throw new Counterexample(cause, `${shown}\n(seed ${result.seed}, path ${result.counterexamplePath ?? ""})`);
}
