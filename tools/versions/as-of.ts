import { CLAUSE_LEVELS } from "../../suites/core/contract/claims.ts";
import { type Suite, type SuiteCheck, severityOf } from "../../suites/core/grading/suite.ts";
import type { Version } from "./versions.ts";

/** A suite with the clauses and levels of an earlier version. Newer checks run, but don't count. */
export interface JudgedSuite extends Suite {
  /** Absent for the current version. */
  readonly asOf?: {
    readonly version: string;
    readonly coming: ReadonlySet<string>;
    readonly present: Suite;
  };
}

type Clauses = Suite["clauses"];

/** The clauses with their levels in that version. */
function weighedBy(version: Version, clauses: Clauses): Clauses {
  const weights = new Map([...version.checks.values()].flatMap((check) => [...check.clauses]));
  return clauses.map((clause) => {
    const level = CLAUSE_LEVELS.find((one) => one === weights.get(clause.id));
    return level === undefined ? clause : { ...clause, level };
  });
}

/** A check with its clauses and level in that version. */
function checkAsOf(check: SuiteCheck, version: Version, suite: Suite, clauses: Clauses): SuiteCheck {
  const frozen = version.checks.get(check.id);
  if (!frozen) return check;
  const verified = check.clauses.filter((id) => frozen.clauses.has(id));
  return {
    ...check,
    clauses: verified,
    level: suite.levels.find((level) => level === frozen.level) ?? check.level,
    severity: severityOf(verified, clauses),
  };
}

/**
 * The suite of an earlier version: its checks with that version's clauses and levels. Removed checks can't
 * run, and the checks' code is the current one.
 * @param version undefined for the current one
 */
export function suiteAsOf(suite: Suite, version: Version | undefined): JudgedSuite {
  if (version === undefined) return suite;
  const clauses = weighedBy(version, suite.clauses);
  // A check that shares no clause with its earlier form counts as new.
  const isComing = ({ id, clauses: all }: SuiteCheck) =>
    !all.some((clause) => version.checks.get(id)?.clauses.has(clause));
  const coming = new Set(suite.checks.filter(isComing).map(({ id }) => id));
  return {
    ...suite,
    clauses,
    checks: suite.checks.map((check) =>
      coming.has(check.id) ? check : checkAsOf(check, version, suite, clauses),
    ),
    asOf: { version: version.name, coming, present: suite },
  };
}
