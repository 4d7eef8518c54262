import type { Declaration } from "../../contract/clause-list.ts";
import type { Outcome } from "../outcome.ts";
import type { SuiteCheck } from "../suite.ts";

/** A declaration of a run and its finding. */
export interface DeclarationFinding extends Omit<Declaration, "subject"> {
  /** Checks that saw the declared behaviour, and their observations. Empty if the declaration holds. */
  readonly disproved_by: readonly { readonly check: string; readonly seen: string }[];
}

type Verified = Pick<SuiteCheck, "clauses">;

/** The declarations that together list all of a check's clauses; empty if a clause is missing. */
function coveringDeclarations(
  { clauses }: Verified,
  declarations: readonly Declaration[],
): readonly Declaration[] {
  const listing = (id: string) => declarations.filter((one) => one.clauses.some((clause) => clause === id));
  return clauses.every((id) => listing(id).length > 0)
    ? declarations.filter((one) => clauses.some((id) => listing(id).includes(one)))
    : [];
}

/** A check's outcome under the declarations. A skipped check that they cover is not applicable. */
export function declaredOutcome(
  check: Verified,
  outcome: Outcome,
  declarations: readonly Declaration[],
): Outcome {
  const covering = coveringDeclarations(check, declarations);
  if (outcome.status !== "not_verified" || covering.length === 0) return outcome;
  const names = covering.map(({ name }) => name).join(", ");
  return { ...outcome, status: "not_applicable", message: `not applicable, declared not to occur: ${names}` };
}

/**
 * Findings about the declarations. A check only passes if it observed the behaviour, so a pass disproves a
 * declaration that covers all of its clauses.
 */
export const declarationFindings = (
  checks: readonly SuiteCheck[],
  declarations: readonly Declaration[],
  outcomeOf: (check: SuiteCheck) => Outcome | undefined,
): readonly DeclarationFinding[] =>
  declarations.map((declaration) => {
    const { subject: _, ...declared } = declaration;
    return {
      ...declared,
      disproved_by: checks.flatMap((check) => {
        const outcome = outcomeOf(check);
        if (outcome?.status !== "passed") return [];
        if (!coveringDeclarations(check, declarations).includes(declaration)) return [];
        return [{ check: check.id, seen: outcome.account?.[0] ?? check.title }];
      }),
    };
  });

/** The clauses that declarations make inapplicable, and those with counter-evidence. */
export interface DeclaredClauses {
  readonly inapplicable: ReadonlySet<string>;
  readonly disproved: ReadonlySet<string>;
}

export const declaredClauses = (findings: readonly DeclarationFinding[]): DeclaredClauses => ({
  inapplicable: new Set(findings.flatMap(({ clauses }) => clauses)),
  disproved: new Set(
    findings.flatMap(({ clauses, disproved_by }) => (disproved_by.length > 0 ? clauses : [])),
  ),
});
