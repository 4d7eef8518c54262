import * as fc from "fast-check";
import { monotonicNow } from "../clock.ts";
import { CheckFailure, NotTestable } from "./failure.ts";

/** A failing case is tried in simpler forms this often and this long; then the simplest found is reported. */
const MAX_SHRINKS = 60;
const MAX_SHRINKING_MS = 30_000;

/** Failures of assertions: ours, and those of vitest's `expect`, which marks some (`toSatisfy`) in a way of its own. */
export const isAssertionError = (error: unknown): error is Error =>
  error instanceof CheckFailure ||
  (error instanceof Error &&
    (error.name === "AssertionError" || Object.hasOwn(error, "__vitest_error_context__")));

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

/**
 * Runs a property and reports its simplest counterexample.
 * @throws Counterexample around an assertion; any other error as it is, since it is no finding about the target
 */
export async function runProperty<T>(
  arbitrary: fc.Arbitrary<T>,
  predicate: (input: T) => Promise<void>,
  options: { seed: number; runs: number; describe?: (input: T) => string },
): Promise<void> {
  let failedAt: number | undefined;
  let shrinks = 0;
  let fault: unknown;
  const property = fc.asyncProperty(arbitrary, async (input) => {
    if (fault !== undefined) return;
    if (failedAt !== undefined) {
      shrinks += 1;
      // Each event that doesn't come is waited for: by time too, so that a failure doesn't hold a run up for long.
      if (shrinks > MAX_SHRINKS || monotonicNow() - failedAt > MAX_SHRINKING_MS) return;
    }
    try {
      await predicate(input);
    } catch (error) {
      if (!isAssertionError(error) || error instanceof NotTestable) fault = error;
      failedAt ??= monotonicNow();
      throw error;
    }
  });
  const result = await fc.check(property, { seed: options.seed, numRuns: options.runs });
  if (fault !== undefined) throw fault;
  if (!result.failed || result.counterexample === null) return;
  const [input] = result.counterexample;
  const cause = result.errorInstance;
  if (!isAssertionError(cause)) throw cause instanceof Error ? cause : new Error(String(cause));
  const shown = options.describe?.(input) ?? fc.stringify(input);
  throw new Counterexample(cause, `${shown}\n(seed ${result.seed}, path ${result.counterexamplePath ?? ""})`);
}
