import { CheckFailure, type ExpectationKind, NoResponse } from "../failures/failure.ts";
import { Counterexample } from "./property.ts";

/** The kind of the expectations that each failure was thrown from. */
const kinds = new WeakMap<Error, ExpectationKind>();

/** Sets the kind of failures without a kind. The kind decides which disturbances excuse a failure. */
export function expectOfKind<T>(kind: ExpectationKind, expectations: () => T): T {
  try {
    return expectations();
  } catch (error) {
    if (error instanceof Error && !kinds.has(error)) kinds.set(error, kind);
    throw error;
  }
}

/** A failure's kind of expectation. */
export function expectationKind(thrown: unknown): ExpectationKind {
  const error = thrown instanceof Counterexample ? thrown.cause : thrown;
  const own = error instanceof CheckFailure || error instanceof NoResponse ? error.kind : "value";
  if (own !== "value") return own;
  return (error instanceof Error && kinds.get(error)) || "value";
}
