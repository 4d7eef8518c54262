import type { ClauseId } from "../../../../openapi/generated/clauses.ts";
import { Counterexample } from "../expectations/property.ts";

/** The attributions of each failure from the innermost outwards: the nearest one is the most specific. */
const laid = new WeakMap<Error, (readonly ClauseId[])[]>();

function lay(error: unknown, clauses: readonly ClauseId[]): void {
  if (error instanceof Error) laid.set(error, [...(laid.get(error) ?? []), clauses]);
}

/** Makes assertions about these clauses: a failure is attributed to them, unless one inside has laid it to others. */
export function attributeTo<T>(clauses: readonly ClauseId[], assertions: () => T): T {
  try {
    return assertions();
  } catch (error) {
    lay(error, clauses);
    throw error;
  }
}

/** The same for an asynchronous step. */
export async function attributeStepTo<T>(clauses: readonly ClauseId[], step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    lay(error, clauses);
    throw error;
  }
}

/** The clauses among these that a failure was attributed to by the nearest attribution. Empty if there is none. */
export function attributedTo(thrown: unknown, among: readonly ClauseId[]): readonly ClauseId[] {
  const error = thrown instanceof Counterexample ? thrown.cause : thrown;
  const said = (error instanceof Error && laid.get(error)) || [];
  return (
    said.map((clauses) => clauses.filter((id) => among.includes(id))).find((own) => own.length > 0) ?? []
  );
}
