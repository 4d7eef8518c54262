import type { ClauseId } from "../../../openapi/generated/clauses.ts";

/** A clause that a mutant breaks, in all cases or in one. */
export interface Break {
  readonly clause: ClauseId;
  readonly case?: string;
}

/** Clauses that a mutant breaks in the given cases. */
export const breaking = (
  cases: string | readonly string[],
  ...clauses: readonly ClauseId[]
): readonly Break[] =>
  clauses.flatMap((clause) => [cases].flat().map((atCase) => ({ clause, case: atCase })));
