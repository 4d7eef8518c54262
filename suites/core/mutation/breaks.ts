import type { ClauseId } from "../../../openapi/generated/clauses.ts";
import type { Outcome } from "../grading/outcome.ts";

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

type FailedCheck = Readonly<{ id: string; clauses: readonly ClauseId[] }>;

/** The clauses that a check's failure blames. Defaults to all of the check's clauses. */
const blamed = ({ clauses }: FailedCheck, { clause_findings }: Outcome): readonly string[] =>
  clause_findings?.failed ?? clauses;

/** True if a failure names this case, either in full or by the last part of its path. */
export const isNamedIn = (
  { message, at, expected, actual, counterexample }: Outcome,
  name: string,
): boolean =>
  [message, at, expected, actual, counterexample].some(
    (text) => text?.includes(name) || text?.includes(name.split(".").at(-1) ?? name),
  );

const sorted = (names: Iterable<string>): string => [...new Set(names)].toSorted().join(", ");

/** How a failure contradicts the declared cases of its clauses. Undefined if it doesn't. */
function caseMistake(check: FailedCheck, outcome: Outcome, breaks: readonly Break[]): string | undefined {
  const clauses = blamed(check, outcome);
  const broken = breaks.filter(({ clause }) => clauses.includes(clause));
  const stated = broken.flatMap((one) => one.case ?? []);
  const { failed = [], held = [] } = outcome.cases ?? {};
  const isPartial = held.length > 0;
  if (isPartial && stated.length === 0) return `${check.id} fails at a case: ${sorted(failed)}`;
  // The mutant also breaks the clause in other cases, and another check may name those.
  if (!isPartial && stated.length < broken.length) return undefined;
  const unnamed = stated.filter((name) => !failed.includes(name) && !isNamedIn(outcome, name));
  if (unnamed.length > 0)
    return `${check.id} doesn't fail at ${sorted(unnamed)}: ${outcome.message}; at ${outcome.at}`;
  const others = failed.filter((name) => !stated.includes(name));
  return isPartial && others.length > 0 && others.length < failed.length
    ? `${check.id} fails at more cases: ${sorted(others)}`
    : undefined;
}

/** Contradictions between a mutant's failures and its declared breaks, one line each. Empty if there are none. */
export function breakMistakes(
  breaks: readonly Break[],
  checks: readonly FailedCheck[],
  outcomes: ReadonlyMap<string, Outcome>,
): readonly string[] {
  const ended = checks.flatMap((check) => {
    const outcome = outcomes.get(check.id);
    return outcome?.status === "failed" ? [{ check, outcome }] : [];
  });
  const stated = sorted(breaks.map(({ clause }) => clause));
  const found = sorted(ended.flatMap(({ check, outcome }) => blamed(check, outcome)));
  return [
    ...(stated === found ? [] : [`it breaks ${found}, and says ${stated}`]),
    ...ended.flatMap(({ check, outcome }) => caseMistake(check, outcome, breaks) ?? []),
  ];
}
