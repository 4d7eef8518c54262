import { Counterexample } from "./property.ts";

/** Failures of steps that only support a check. */
const failures = new WeakSet<Error>();

/**
 * Does a step that only supports the checks that use it. Its failures are read after others, because another check
 * tests the step, or the failure is a consequence of another.
 */
export async function auxiliaryStep<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof Error) failures.add(error);
    throw error;
  }
}

/** True if the failure is of a step that only supports its check. */
export function isOfAuxiliaryStep(thrown: unknown): boolean {
  const error = thrown instanceof Counterexample ? thrown.cause : thrown;
  return error instanceof Error && failures.has(error);
}
