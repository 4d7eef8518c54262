import { isDeepStrictEqual } from "node:util";
import { type Claim, LEVELS } from "../../../suites/core/contract/claims.ts";
import { isSentField, type OperationId } from "../../../suites/core/contract/document.ts";
import { operationName } from "../../../suites/core/contract/operation-names.ts";
import { purposeText } from "../../../suites/core/grading/failures/mismatch.ts";
import type { Outcome } from "../../../suites/core/grading/outcome.ts";
import type { SuiteCheck } from "../../../suites/core/grading/suite.ts";
import type { ReportedStatus } from "../status.ts";
import { counted } from "../text/counted.ts";
import { isPastable } from "../text/pastable.ts";
import { causeKey, secondaryKey } from "./cause-key.ts";

/** The common cause of several failures. */
export interface Cause {
  /** The problem in one line. */
  readonly what: string;
  /** The check to fix first: one that blocks others, or else the first, preferably with few requests. */
  readonly check: string;
  /** All checks that it explains, including the first one, in the suite's order. */
  readonly checks: readonly string[];
}

/** The parts of a check that determine its cause. */
interface EndedCheck
  extends Pick<SuiteCheck, "id">,
    Partial<Pick<SuiteCheck, "severity" | "level">>,
    Pick<
      Outcome,
      | "subject"
      | "field"
      | "relation"
      | "expected"
      | "actual"
      | "violates"
      | "cases"
      | "clause_findings"
      | "counterexample"
      | "auxiliary"
      | "curl"
      | "steps"
      | "exchanges"
    > {
  readonly clauses?: readonly string[];
  readonly status: ReportedStatus;
  readonly message?: string;
  readonly blocked_by?: string;
  readonly fault?: string;
  readonly operation?: OperationId;
  readonly requests?: number;
}

/** Groups failures by structured mismatch, and the rest by failed cases or by clauses. */
function byCause(
  failed: readonly EndedCheck[],
  keyOf: (check: EndedCheck) => string,
  standsAlone: (check: EndedCheck) => boolean,
): readonly (readonly EndedCheck[])[] {
  const groups = [...Map.groupBy(failed, keyOf).values()];
  const isFinal = (group: readonly EndedCheck[]) => group.length > 1 || group.some(standsAlone);
  const single = groups.filter((group) => !isFinal(group)).flat();
  return [...groups.filter(isFinal), ...Map.groupBy(single, secondaryKey).values()];
}

const withoutViolation = ({ message = "", violates }: EndedCheck): string =>
  violates === undefined ? message : message.replace(purposeText(violates), "");

/** The distinct messages, without the part that names a negative control. */
function sharedMessages(alike: readonly EndedCheck[]): readonly string[] {
  const messages = alike.map(({ message = "" }) => message);
  return new Set(messages).size === 1 ? messages : alike.map(withoutViolation);
}

const MAX_OPERATIONS = 4;
const MAX_CASES = 3;

const namedCases = (names: readonly string[]): string => {
  const rest = names.length - MAX_CASES;
  return `${names.slice(0, MAX_CASES).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
};

/** The cases that failed in each of several failures while others passed; empty if they differ. */
function sharedCases([first, ...others]: readonly EndedCheck[]): string {
  const { failed = [], held = [] } = first?.cases ?? {};
  const isShared = ({ cases }: EndedCheck) =>
    isDeepStrictEqual(cases?.failed, failed) && isDeepStrictEqual(cases?.held, held);
  if (failed.length === 0 || held.length === 0 || others.length === 0 || !others.every(isShared)) return "";
  return `; failed each time: ${namedCases(failed)}; passed: ${namedCases(held)}`;
}

/**
 * The named fault, or the message of the first failure and the cases that all failures share. Lists the operations if
 * there are several.
 */
function whatOf(alike: readonly EndedCheck[]): string {
  const fault = alike[0]?.fault;
  return fault ?? `${sharedMessage(alike)}${sharedCases(alike)}`;
}

function sharedMessage(alike: readonly EndedCheck[]): string {
  const [message = ""] = sharedMessages(alike);
  const operation = alike[0]?.operation;
  const names = [...new Set(alike.flatMap((check) => check.operation ?? []))].map(operationName);
  if (operation === undefined || names.length < 2) return message;
  const shown = names.slice(0, MAX_OPERATIONS);
  const rest = names.length - shown.length;
  return message.replace(
    operationName(operation),
    `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`,
  );
}

/** A check with at least this many requests, such as a model-based check, is hard to read. */
const MANY_REQUESTS = 60;

/** The levels of each kind of target, the least demanding first. */
const LEVELS_IN_ORDER: readonly Claim[] = Object.values(LEVELS).flat();

/** True for a flag about other content, such as has_more. If the content is wrong, the flag is wrong too. */
const isFlag = ({ actual }: Pick<EndedCheck, "actual">) => actual === "true" || actual === "false";

/** True for a value with bounds, such as a distance. If it depends on a sent value that is wrong, it is wrong too. */
const isBound = ({ relation }: Pick<EndedCheck, "relation">) =>
  relation === "to be at least" || relation === "to be at most";

/** True for another value of a field that requests send. */
const isOfSentValue = ({ field, relation }: Pick<EndedCheck, "field" | "relation">) =>
  field !== undefined && relation === "to be" && isSentField(field);

/** The cases of a check, if none follows another. If some passed and later ones weren't reached, they do. */
const independentCases = ({ cases }: Pick<EndedCheck, "cases">) =>
  cases && (cases.held.length === 0 || cases.not_reached.length === 0) ? cases : undefined;

/** The number of failed clauses: all of the check's clauses, if the failure isn't about single ones. */
const failedClauses = ({ clause_findings, clauses }: Pick<EndedCheck, "clause_findings" | "clauses">) =>
  clause_findings?.failed.length ?? clauses?.length ?? 1;

/** True if other clauses or cases of the check passed. */
const isPartial = ({ cases, clause_findings }: Pick<EndedCheck, "cases" | "clause_findings">) =>
  [cases, clause_findings].some((found) => found !== undefined && found.held.length > 0);

/**
 * Sorts failures for reading. Failures of a step that only supports its check come last. Checks with many requests come
 * last, a flag after wrong content at the same operation, a value outside of bounds after a wrong sent value there, and a
 * missing webhook after a wrong response. The rest of the order: failures with a known fault that others share, failures
 * in several cases, which show what the cases have in common, failures at a lower level, failures of requests that are
 * short enough to paste, failures of few clauses, failures of requests that are invalid on purpose, whose check tests that
 * rule, failures of all of a check's clauses and cases, failures without random input, and failures after few steps and
 * requests.
 */
export function nearestFirst<
  Ended extends Pick<
    EndedCheck,
    | "requests"
    | "actual"
    | "field"
    | "operation"
    | "counterexample"
    | "relation"
    | "fault"
    | "cases"
    | "clause_findings"
    | "level"
    | "auxiliary"
    | "curl"
    | "violates"
    | "steps"
    | "clauses"
  >,
>(checks: readonly Ended[]): readonly Ended[] {
  const content = new Set(checks.flatMap((check) => (isFlag(check) ? [] : (check.operation ?? []))));
  const sent = new Set(checks.filter(isOfSentValue).flatMap(({ operation }) => operation ?? []));
  const faults = checks.flatMap(({ fault }) => fault ?? []);
  const isShared = (fault: string | undefined) => faults.filter((one) => one === fault).length > 1;
  const distance = (check: Ended): readonly number[] => [
    Number(check.auxiliary === true),
    Number((check.requests ?? 0) > MANY_REQUESTS),
    Number(isFlag(check) && check.operation !== undefined && content.has(check.operation)),
    Number(isBound(check) && check.operation !== undefined && sent.has(check.operation)),
    Number(check.relation === "to arrive"),
    Number(!isShared(check.fault)),
    -Math.max(independentCases(check)?.failed.length ?? 1, 1),
    check.level === undefined ? 0 : LEVELS_IN_ORDER.indexOf(check.level),
    Number(!isPastable(check.curl ?? "")),
    failedClauses(check),
    Number(check.violates === undefined),
    Number(isPartial(check)),
    Number(check.counterexample !== undefined),
    check.steps?.length ?? 0,
    check.requests ?? 0,
  ];
  return checks.toSorted((one, other) => {
    const others = distance(other);
    return (
      distance(one)
        .map((part, index) => part - (others[index] ?? 0))
        .find((part) => part !== 0) ?? 0
    );
  });
}

/**
 * Puts the check of all responses first, because it names the fault and counts its occurrences, and then checks whose wrong
 * flag is the named fault: the other failures of this fault are its effects.
 */
const clearestFirst = (alike: readonly EndedCheck[]): readonly EndedCheck[] => {
  const looksAtAll = ({ fault, requests }: EndedCheck) => fault !== undefined && requests === 0;
  const rank = (check: EndedCheck) => {
    if (looksAtAll(check)) return 0;
    return check.fault !== undefined && isFlag(check) ? 1 : 2;
  };
  return nearestFirst(alike).toSorted((one, other) => rank(one) - rank(other));
};

const isWarning = ({ severity }: EndedCheck) => severity === "SHOULD";

/** The checks with the severity that counts: with --strict, SHOULD counts like MUST. */
export const asCounted = <Check extends EndedCheck>(
  checks: readonly Check[],
  { strict }: { readonly strict: boolean },
): readonly Check[] => (strict ? checks.map((check) => ({ ...check, severity: "MUST" })) : checks);

const failedOf = (checks: readonly EndedCheck[]) => checks.filter(({ status }) => status === "failed");

/** The failed MUST checks; if there are none, the failed SHOULD checks. */
function failuresToFix(checks: readonly EndedCheck[]): readonly EndedCheck[] {
  const failed = failedOf(checks);
  const binding = failed.filter((check) => !isWarning(check));
  return binding.length > 0 ? binding : failed;
}

/**
 * True for the cause to fix first: one that blocks other checks, or explains half of the failures. A cause of
 * supporting steps alone isn't the first to fix while there are other failures.
 */
export function isFirstToFix({ checks: explained }: Cause, checks: readonly EndedCheck[]): boolean {
  const isIn = ({ id }: EndedCheck) => explained.includes(id);
  const isHalfOf = (failed: readonly EndedCheck[]) => 2 * failed.filter(isIn).length >= failed.length;
  const all = failuresToFix(checks);
  const direct = all.filter(({ auxiliary }) => auxiliary !== true);
  const blocksOthers = checks.some((check) => check.status === "blocked" && isIn(check));
  if (blocksOthers || direct.length === 0) return blocksOthers || isHalfOf(all);
  return isHalfOf(direct) || (direct.some(isIn) && isHalfOf(all));
}

/**
 * The causes that block other checks or explain more than one failure, by the number of explained failures.
 * If a MUST check fails, a cause with only warnings is left out.
 */
export function causesOf(checks: readonly EndedCheck[]): readonly Cause[] {
  const failed = failedOf(checks);
  const isBeside = (alike: readonly EndedCheck[]) => alike.every(isWarning) && !failed.every(isWarning);
  const blockers = new Set(checks.flatMap((check) => check.blocked_by ?? []));
  // The message of an unexpected status may contain details that differ between checks.
  const wordsOf = ({ operation, message, fault, relation, expected, actual, violates }: EndedCheck) =>
    `${operation} ${fault ?? (relation === "to answer" ? [expected, actual, violates].join() : message)}`;
  const wordsOfBlockers = new Set(failed.filter(({ id }) => blockers.has(id)).map(wordsOf));
  // A blocking check has its own fault. Only an identical message joins it to a group.
  const keyOf = (check: EndedCheck) =>
    wordsOfBlockers.has(wordsOf(check)) ? wordsOf(check) : causeKey(check);
  return byCause(failed, keyOf, ({ id }) => blockers.has(id))
    .filter((alike) => !isBeside(alike))
    .map((alike): Cause => {
      const ids = new Set(alike.map(({ id }) => id));
      const blocked = checks.filter(({ blocked_by }) => blocked_by !== undefined && ids.has(blocked_by));
      const [first] =
        blocked.length > 0 ? alike.filter(({ id }) => blocked[0]?.blocked_by === id) : clearestFirst(alike);
      const explained = new Set([...alike, ...blocked]);
      return {
        what: whatOf(first === undefined ? alike : [first, ...alike.filter((one) => one !== first)]),
        check: first?.id ?? "",
        checks: checks.filter((check) => explained.has(check)).map(({ id }) => id),
      };
    })
    .filter((cause) => cause.checks.length > 1)
    .toSorted((one, other) => other.checks.length - one.checks.length);
}

/**
 * The number of failures that the causes explain, in one line: first MUST failures, then warnings. Blocked
 * checks aren't failures. Undefined if nothing failed.
 */
export function causesLine(causes: readonly Cause[], checks: readonly EndedCheck[]): string | undefined {
  const failed = failedOf(checks);
  const mustFix = failuresToFix(checks);
  const blocked = checks.filter(({ status }) => status === "blocked");
  if (failed.length === 0 && blocked.length === 0) return undefined;
  const blocking = failed.filter(({ id }) => blocked.some(({ blocked_by }) => blocked_by === id));
  const behind =
    blocked.length === 0 ? "" : `; ${blockersText(mustFix, blocking)} ${counted(blocked.length, "check")}`;
  const warnings = failed.filter((check) => !mustFix.includes(check));
  return `${explainedBy(causes, mustFix, warnings)}${behind}`;
}

/** The failures that block other checks. */
function blockersText(mustFix: readonly EndedCheck[], blocking: readonly EndedCheck[]): string {
  if (mustFix.length === 1) return "it blocks";
  if (blocking.length === 0 || blocking.length >= mustFix.length) return "they block";
  return blocking.length === 1 ? "1 of them blocks" : `${blocking.length} of them block`;
}

/** The number of these failures that a cause explains, in words. */
function share(causes: readonly Cause[], checks: readonly EndedCheck[]): string {
  const explained = checks.filter(({ id }) => causes.some((cause) => cause.checks.includes(id))).length;
  const many = countedAs(checks);
  if (explained < checks.length) return `${explained} of ${many}`;
  return checks.length === 1 ? many : `all ${many}`;
}

const countedAs = (checks: readonly EndedCheck[]): string =>
  counted(checks.length, checks.some(isWarning) ? "warning" : "failure");

/** The number of explained failures. A cause may explain a single failure that blocks others. */
function explainedBy(
  causes: readonly Cause[],
  mustFix: readonly EndedCheck[],
  warnings: readonly EndedCheck[],
): string {
  const explains = (checks: readonly EndedCheck[]) => (cause: Cause) =>
    checks.filter(({ id }) => cause.checks.includes(id)).length;
  const behind = warnings.length === 0 ? "" : `; also ${countedAs(warnings)}`;
  if (!causes.some((cause) => explains([...mustFix, ...warnings])(cause) > 1))
    return `${countedAs(mustFix)}${behind}`;
  const explaining = causes.filter((cause) => explains(mustFix)(cause) > 0);
  const isMixed = causes.some((cause) => explains(warnings)(cause) > 0);
  const all = `${share(causes, mustFix)}${isMixed ? ` and ${share(causes, warnings)}` : behind}`;
  return `${explaining.length === 1 ? "1 cause explains" : `${explaining.length} causes explain`} ${all}`;
}
