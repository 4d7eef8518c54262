import type { Claim } from "./claims.ts";
import { type Grade, grade } from "./grade.ts";
import type { Outcome } from "./outcome.ts";
import type { Suite } from "./suite.ts";

/** What a whole run of a suite came to: what the commands report, as one value for tests. */
export interface Certification {
  readonly grade: Grade;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** A line for each check that did not pass, by the check's id. */
  readonly trouble: Readonly<Record<string, string>>;
}

/**
 * Grades what the checks of a suite came to.
 * @param claims all levels of the suite where none are named
 */
export function certificationOf(
  { levels, clauses, checks }: Suite,
  outcomes: ReadonlyMap<string, Outcome>,
  { claims = levels, strict = false }: { readonly claims?: readonly Claim[]; readonly strict?: boolean } = {},
): Certification {
  const graded = checks.map(({ id, clauses: verified }) => ({
    id,
    clauses: verified,
    status: outcomes.get(id)?.status,
  }));
  const trouble = [...outcomes].flatMap(([id, { status, message, expected, actual }]) =>
    status === "passed" ? [] : [[id, `${status}: ${message ?? ""} (expected ${expected}, actual ${actual})`]],
  );
  return {
    grade: grade({ levels, clauses, checks: graded, claims, incomplete: false, strict }),
    outcomes,
    trouble: Object.fromEntries(trouble),
  };
}
