import { withOperationNames } from "../../../suites/core/contract/operation-names.ts";
import { NO_ANSWER, UNREADABLE } from "../../../suites/core/grading/failures/failure.ts";
import type { Outcome } from "../../../suites/core/grading/outcome.ts";
import type { SuiteCheck } from "../../../suites/core/grading/suite.ts";
import { isUnavailable } from "../../../suites/core/http/unavailable.ts";
import { checksThatCatch } from "../../../suites/core/mutation/catching.ts";
import type { ReportedStatus } from "../status.ts";
import type { KnownFault, KnownFaults } from "./known-faults.ts";

/** The parts of a check that a diagnosis uses. */
export interface Ended
  extends Pick<SuiteCheck, "id" | "clauses">,
    Partial<Pick<SuiteCheck, "severity">>,
    Omit<Outcome, "status" | "duration_ms" | "requests"> {
  readonly status: ReportedStatus;
}

/** True for a status that load balancers return for an unavailable service. */
const isFromLoadBalancer = (actual: string): boolean => isUnavailable(Number(actual));

/**
 * The failures that are compared with known faults: those of MUST checks, or those of SHOULD checks if no MUST check
 * failed. A failure is excluded if the operation is missing or doesn't respond, or if a load balancer responded.
 */
export function failuresOf(checks: readonly Ended[]): readonly Ended[] {
  const failed = checks.filter(
    ({ status, actual = "" }) => status === "failed" && !isFromLoadBalancer(actual),
  );
  const must = failed.filter(({ severity }) => severity !== "SHOULD");
  const absent = new Set(failed.flatMap((one) => (one.absent ? (one.operation ?? []) : [])));
  return (must.length > 0 ? must : failed)
    .filter((one) => one.absent !== true && one.set_up !== true)
    .filter(({ operation }) => operation === undefined || !absent.has(operation))
    .filter(({ actual }) => actual !== NO_ANSWER && actual !== UNREADABLE);
}

const failedClauses = ({ clauses, clause_findings }: Ended): readonly string[] =>
  clause_findings?.failed ?? clauses;

/** The clauses that passed in at least one check, and failed in no check. */
function passedClauses(checks: readonly Ended[]): ReadonlySet<string> {
  const held = checks.flatMap(({ status, clauses, clause_findings }) =>
    status === "passed" ? clauses : (clause_findings?.held ?? []),
  );
  const failed = new Set(checks.filter(({ status }) => status === "failed").flatMap(failedClauses));
  return new Set(held.filter((clause) => !failed.has(clause)));
}

/** True if the failure is about a field with this name, at any depth. */
const isField = ({ field }: Ended, name: string): boolean =>
  field === name || (field?.endsWith(`.${name}`) ?? false);

/** The value that the server shows, "undefined" for none. */
const shownValue = ({ actual }: Ended): string => actual ?? "undefined";

/**
 * How a fault matches a failure. "exact": the failed cases or the wrong value are those of the fault. "any": the fault
 * breaks all cases of a failed clause. Undefined if the fault doesn't explain the failure.
 */
function fitOf({ breaks, actual }: KnownFault, failure: Ended): "exact" | "any" | undefined {
  // The failure names its fault itself.
  if (failure.fault !== undefined) return undefined;
  // The actual value of a wrong status begins with the status: `409 SON_DURUM`.
  if (actual !== undefined && failure.actual?.startsWith(actual) === false) return undefined;
  const blamed = failedClauses(failure);
  const broken = breaks.filter(({ clause }) => blamed.includes(clause));
  const stated = broken.flatMap((one) => (one.case === undefined ? [] : withOperationNames(one.case)));
  const { failed = [], held = [] } = failure.cases ?? {};
  if (held.length === 0 && broken.some((one) => one.case === undefined))
    return actual !== undefined && shownValue(failure).startsWith(actual) ? "exact" : "any";
  if (held.some((name) => stated.includes(name))) return undefined;
  const common = failed.filter((name) => stated.includes(name));
  const isExact =
    common.length > 0 ? common.length === failed.length : stated.some((name) => isField(failure, name));
  return isExact ? "exact" : undefined;
}

/** True if the fault breaks a failed clause of the failure only in other cases: the server's fault is a wider one. */
function isTooNarrow({ breaks }: KnownFault, failure: Ended): boolean {
  const blamed = failedClauses(failure);
  const broken = breaks.filter(({ clause }) => blamed.includes(clause));
  if (broken.length === 0 || broken.some((one) => one.case === undefined)) return false;
  const stated = broken.flatMap((one) => (one.case === undefined ? [] : withOperationNames(one.case)));
  return failure.cases?.failed.some((name) => !stated.includes(name)) ?? false;
}

/** Failures with random input are weak evidence, because many faults cause them. */
const isRandom = ({ counterexample }: Ended): boolean => counterexample !== undefined;

/** A known fault, and how well it explains a run. */
export interface Candidate {
  readonly mutant: string;
  readonly known: KnownFault;
  /** The ids of the failed checks that the fault explains. */
  readonly explained: readonly string[];
  /** The number of these checks that catch the fault's mutant, without those with random input, which catch most faults. */
  readonly catchingChecks: number;
  /** The number of other checks that catch it. They had no result. */
  readonly otherCatchingChecks: number;
  /** True if a failure has exactly the cases that the fault breaks, or its wrong value. */
  readonly isExact: boolean;
}

/** The known faults that explain a failure, and that no passed clause and no failed case contradicts. */
export function candidates(
  checks: readonly Ended[],
  failures: readonly Ended[],
  faults: KnownFaults,
): readonly Candidate[] {
  const held = passedClauses(checks);
  const random = new Set(failures.filter(isRandom).map(({ id }) => id));
  const withoutResult = checks.filter(({ status }) => status !== "failed" && status !== "passed");
  return Object.entries(faults)
    .filter(([, { breaks }]) => !breaks.some(({ clause }) => held.has(clause)))
    .filter(([, known]) => !failures.some((failure) => isTooNarrow(known, failure)))
    .map(([mutant, known]) => {
      const fits = failures.map((failure) => ({ failure, fit: fitOf(known, failure) }));
      const explained = fits.filter(({ fit }) => fit !== undefined).map(({ failure }) => failure);
      return {
        mutant,
        known,
        explained: explained.map(({ id }) => id),
        catchingChecks: checksThatCatch(
          known,
          explained.filter((one) => !isRandom(one)),
        ).length,
        otherCatchingChecks: checksThatCatch(known, withoutResult).length,
        isExact: fits.some(({ fit }) => fit === "exact"),
      };
    })
    .filter(({ explained }) => explained.some((id) => !random.has(id)));
}
