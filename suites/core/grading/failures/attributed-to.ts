import type { ClauseId } from "../../../../openapi/generated/clauses.ts";
import { Counterexample } from "../expectations/property.ts";

/** The clauses of each failure's enclosing attributions, innermost first. */
const attributions = new WeakMap<Error, (readonly ClauseId[])[]>();

function attribute(error: unknown, clauses: readonly ClauseId[]): void {
  if (error instanceof Error) attributions.set(error, [...(attributions.get(error) ?? []), clauses]);
}

/** Attributes failures of these assertions to the clauses. An inner attribution takes precedence. */
export function attributeFailures<T>(clauses: readonly ClauseId[], assertions: () => T): T {
  try {
    return assertions();
  } catch (error) {
    attribute(error, clauses);
    throw error;
  }
}

/** Attributes failures of an asynchronous step to the clauses. An inner attribution takes precedence. */
export async function attributeStepFailures<T>(
  clauses: readonly ClauseId[],
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    attribute(error, clauses);
    throw error;
  }
}

/** The allowed clauses of a failure's innermost attribution that has any. Empty without an attribution. */
export function attributedTo(thrown: unknown, allowed: readonly ClauseId[]): readonly ClauseId[] {
  const error = thrown instanceof Counterexample ? thrown.cause : thrown;
  const attributed = (error instanceof Error && attributions.get(error)) || [];
  return (
    attributed.map((clauses) => clauses.filter((id) => allowed.includes(id))).find((own) => own.length > 0) ??
    []
  );
}
