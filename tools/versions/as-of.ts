import { CLAUSE_LEVELS } from "../../suites/core/contract/claims.ts";
import { type Suite, type SuiteCheck, severityOf } from "../../suites/core/grading/suite.ts";
import type { Version } from "./versions.ts";

/** A suite that judges as an earlier version did. Newer checks run, but their failures don't count. */
export interface JudgedSuite extends Suite {
  /** Absent for the current version. */
  readonly asOf?: {
    readonly version: string;
    /** The ids of the newer checks. */
    readonly newer: ReadonlySet<string>;
    readonly currentSuite: Suite;
  };
}

type Clauses = Suite["clauses"];

/** The clauses, with the levels that they had in a version. */
function withLevelsOf(version: Version, clauses: Clauses): Clauses {
  const levels = new Map([...version.checks.values()].flatMap((check) => [...check.clauses]));
  return clauses.map((clause) => {
    const level = CLAUSE_LEVELS.find((known) => known === levels.get(clause.id));
    return level === undefined ? clause : { ...clause, level };
  });
}

/** A check, with the clauses and level that it had in a version. */
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
 * The suite that judges as an earlier version did: checks have that version's clauses and levels, but their current
 * code. Checks that were removed since then don't run.
 * @param version undefined for the current version
 */
export function suiteAsOf(suite: Suite, version: Version | undefined): JudgedSuite {
  if (version === undefined) return suite;
  const clauses = withLevelsOf(version, suite.clauses);
  // A check that shares no clause with its earlier form counts as new.
  const isComing = ({ id, clauses: checkClauses }: SuiteCheck) =>
    !checkClauses.some((clause) => version.checks.get(id)?.clauses.has(clause));
  const newer = new Set(suite.checks.filter(isComing).map(({ id }) => id));
  return {
    ...suite,
    clauses,
    checks: suite.checks.map((check) =>
      newer.has(check.id) ? check : checkAsOf(check, version, suite, clauses),
    ),
    asOf: { version: version.name, newer, currentSuite: suite },
  };
}
