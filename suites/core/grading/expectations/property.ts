import * as fc from "fast-check";
import { monotonicNow } from "../../clock.ts";
import { forEachConcurrently } from "../../concurrency.ts";
import { textOf } from "../../json.ts";
import { CheckFailure } from "../failures/failure.ts";

/** The limits for simplifying a counterexample, as attempts and time. */
const MAX_SHRINKS = 30;
const MAX_SHRINKING_MS = 30_000;

/** A property's counterexample in words, reported with the failure. */
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
  readonly concurrency?: number | undefined;
  readonly describe?: ((input: T) => string) | undefined;
  /** Called at the start of the concurrent runs and of each sequential run, and for each failure. */
  readonly onTry?: { begin(): void; fail(error: unknown): void };
}

type Predicate<T> = (input: T) => Promise<void>;

interface FailedRun {
  /** The run's index from 0. */
  readonly run: number;
  readonly error: unknown;
}

/**
 * Tries all inputs concurrently, and returns the failure that a sequential run would find first. A failure
 * stops further inputs.
 */
async function firstFailure<T>(
  arbitrary: fc.Arbitrary<T>,
  predicate: Predicate<T>,
  { seed, runs, concurrency = 1, onTry }: PropertyOptions<T>,
): Promise<FailedRun | undefined> {
  const inputs = fc.sample(fc.asyncProperty(arbitrary, predicate), { seed, numRuns: runs });
  const failed: FailedRun[] = [];
  await forEachConcurrently([...inputs.entries()], concurrency, async ([run, [input]]) => {
    if (failed.length > 0) return;
    try {
      await predicate(input);
    } catch (error) {
      failed.push({ run, error });
      onTry?.fail(error);
    }
  });
  return failed.toSorted((one, other) => one.run - other.run)[0];
}

/**
 * Runs a property and reports its simplest counterexample. Independent inputs are tried concurrently. A
 * failing input is then simplified sequentially, so that seed and path reproduce it.
 * @throws Counterexample around an assertion, and other errors unchanged
 */
export async function runProperty<T>(
  arbitrary: fc.Arbitrary<T>,
  predicate: Predicate<T>,
  options: PropertyOptions<T>,
): Promise<void> {
  const { seed, runs, concurrency = 1, onTry } = options;
  onTry?.begin();
  const known = concurrency > 1 ? await firstFailure(arbitrary, predicate, options) : undefined;
  if (concurrency > 1 && !known) return;
  if (known && !(known.error instanceof CheckFailure)) throw known.error;
  let failedAt: number | undefined;
  let shrinks = 0;
  let fault: unknown;
  let run = -1;
  const once = async (input: T) => {
    run += 1;
    if (known && run < known.run) return;
    await predicate(input);
    // A failure that only occurs with concurrent inputs is a finding too.
    if (run === known?.run) throw known.error;
  };
  const property = fc.asyncProperty(arbitrary, async (input) => {
    if (fault !== undefined) return;
    if (failedAt !== undefined) {
      shrinks += 1;
      // Limited by time too, because each missing event costs a wait.
      if (shrinks > MAX_SHRINKS || monotonicNow() - failedAt > MAX_SHRINKING_MS) return;
    }
    onTry?.begin();
    try {
      await once(input);
    } catch (error) {
      if (!(error instanceof CheckFailure)) fault = error;
      failedAt ??= monotonicNow();
      if (error !== known?.error) onTry?.fail(error);
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
  const alone = cause === known?.error ? "failed only beside other inputs, not alone; " : "";
  throw new Counterexample(
    cause,
    `${shown}\n(${alone}seed ${result.seed}, path ${result.counterexamplePath ?? ""})`,
  );
}
