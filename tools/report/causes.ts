import type { OperationId } from "../../suites/core/contract/document.ts";
import { operationName } from "../../suites/core/contract/operation-names.ts";
import { purposeText } from "../../suites/core/grading/mismatch.ts";
import type { Outcome } from "../../suites/core/grading/outcome.ts";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import { IDENTIFIERS, INSTANTS } from "../../suites/core/text/run-values.ts";
import { counted } from "./counted.ts";
import type { ReportedStatus } from "./status.ts";

/** The common cause of several failures. */
export interface Cause {
  /** The problem, in a line. */
  readonly what: string;
  /**
   * The check to begin with: the one that blocks the others, or the first with this failure, preferably after few
   * requests.
   */
  readonly check: string;
  /** All checks that it explains, including that one, in the suite's order. */
  readonly checks: readonly string[];
}

/** The parts of a check that determine its cause. */
interface EndedCheck
  extends Pick<SuiteCheck, "id">,
    Partial<Pick<SuiteCheck, "severity">>,
    Pick<Outcome, "subject" | "relation" | "expected" | "actual" | "violates"> {
  readonly clauses?: readonly string[];
  readonly status: ReportedStatus;
  readonly message?: string;
  readonly blocked_by?: string;
  readonly fault?: string;
  readonly operation?: OperationId;
  readonly requests?: number;
}

/** A subject without parts that differ from run to run, and without its operation. */
function subjectKey({ message = "", subject = message, operation }: EndedCheck): string {
  const masked = subject.replaceAll(INSTANTS, "…").replaceAll(IDENTIFIERS, "…");
  return operation === undefined ? masked : masked.replaceAll(operationName(operation), "…");
}

/** Failures with one cause have the same fault, or else the same subject, relation and values. */
const causeKey = (check: EndedCheck): string =>
  check.fault ?? JSON.stringify([subjectKey(check), check.relation, check.expected, check.actual]);

/** Numbers, identifiers and times differ between checks. Other values, such as states, distinguish faults. */
const valueKey = (value: string | undefined): string | undefined =>
  value !== undefined && /\d/.test(value) ? "…" : value;

const AMOUNT = /^-?\d+(?:\.\d+)?$/;

/** The same without such values. Amounts are compared within the same clauses only. */
function looseKey(check: EndedCheck): string {
  if (isOfStatus(check)) return causeKey(check);
  const { relation, expected, actual, fault, clauses = [] } = check;
  const isAmount = AMOUNT.test(actual ?? "");
  const values = [subjectKey(check), relation, valueKey(expected), valueKey(actual)];
  return fault ?? JSON.stringify([...values, ...(isAmount ? clauses : [])]);
}

/** A status or an error code is the fault itself, so another one is another cause. */
const isOfStatus = ({ relation }: EndedCheck): boolean =>
  relation === "to answer" || relation === "to refuse with";

/** Failures with the same mismatch. The rest is grouped by messages that differ only in numbers and identifiers. */
function sayingTheSame(
  failed: readonly EndedCheck[],
  keyOf: (check: EndedCheck) => string,
  standsAlone: (check: EndedCheck) => boolean,
): readonly (readonly EndedCheck[])[] {
  const groups = [...Map.groupBy(failed, keyOf).values()];
  const isFinal = (group: readonly EndedCheck[]) => group.length > 1 || group.some(standsAlone);
  const single = groups.filter((group) => !isFinal(group)).flat();
  return [...groups.filter(isFinal), ...Map.groupBy(single, looseKey).values()];
}

const withoutViolation = ({ message = "", violates }: EndedCheck): string =>
  violates === undefined ? message : message.replace(purposeText(violates), "");

/** The messages, without the deliberate fault if it differs. */
function sharedMessages(alike: readonly EndedCheck[]): readonly string[] {
  const messages = alike.map(({ message = "" }) => message);
  return new Set(messages).size === 1 ? messages : alike.map(withoutViolation);
}

const MOST_OPERATIONS = 4;

/** The named fault, or the first message. For several operations it lists all names. */
function whatOf(alike: readonly EndedCheck[]): string {
  const fault = alike[0]?.fault;
  if (fault !== undefined) return fault;
  const [message = ""] = sharedMessages(alike);
  const operation = alike[0]?.operation;
  const names = [...new Set(alike.flatMap((check) => check.operation ?? []))].map(operationName);
  if (operation === undefined || names.length < 2) return message;
  const shown = names.slice(0, MOST_OPERATIONS);
  const rest = names.length - shown.length;
  return message.replace(
    operationName(operation),
    `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`,
  );
}

/** More requests than a person reads, such as sequences against a model. */
const MANY_REQUESTS = 60;

/** The checks in order, with those of many requests last: a short check is easier to read. */
export const shortFirst = <Ended extends Pick<EndedCheck, "requests">>(
  checks: readonly Ended[],
): readonly Ended[] => {
  const isLong = ({ requests = 0 }: Ended) => requests > MANY_REQUESTS;
  return checks.toSorted((one, other) => Number(isLong(one)) - Number(isLong(other)));
};

/** A check that reads all responses counts the ones with a named fault. Other checks only fail because of it. */
const clearestFirst = (alike: readonly EndedCheck[]): readonly EndedCheck[] => {
  const looksAtAll = ({ fault, requests }: EndedCheck) => fault !== undefined && requests === 0;
  return shortFirst(alike).toSorted((one, other) => Number(looksAtAll(other)) - Number(looksAtAll(one)));
};

const isWarning = ({ severity }: EndedCheck) => severity === "SHOULD";

/** The checks as counted: under --strict, SHOULD counts like MUST. */
export const asCounted = <Check extends EndedCheck>(
  checks: readonly Check[],
  { strict }: { readonly strict: boolean },
): readonly Check[] => (strict ? checks.map((check) => ({ ...check, severity: "MUST" })) : checks);

const failedOf = (checks: readonly EndedCheck[]) => checks.filter(({ status }) => status === "failed");

/** The failed MUST checks; if there are none, the failed SHOULD checks. */
function toMend(checks: readonly EndedCheck[]): readonly EndedCheck[] {
  const failed = failedOf(checks);
  const binding = failed.filter((check) => !isWarning(check));
  return binding.length > 0 ? binding : failed;
}

/** True if the cause is the one to begin with: it blocks other checks, or explains half of the failures. */
export function leads({ checks: explained }: Cause, checks: readonly EndedCheck[]): boolean {
  const isIn = ({ id }: EndedCheck) => explained.includes(id);
  const failed = toMend(checks);
  const holdsUp = checks.some((check) => check.status === "blocked" && isIn(check));
  return holdsUp || 2 * failed.filter(isIn).length >= failed.length;
}

/**
 * The causes that explain more than one failure: a check that blocks others, or failures with the same message. Sorted
 * by the number of explained failures. If a MUST check fails, warnings alone are no cause.
 */
export function causesOf(checks: readonly EndedCheck[]): readonly Cause[] {
  const failed = failedOf(checks);
  const isBeside = (alike: readonly EndedCheck[]) => alike.every(isWarning) && !failed.every(isWarning);
  const blockers = new Set(checks.flatMap((check) => check.blocked_by ?? []));
  const wordsOf = ({ operation, message, fault }: EndedCheck) => `${operation} ${fault ?? message}`;
  const wordsOfBlockers = new Set(failed.filter(({ id }) => blockers.has(id)).map(wordsOf));
  // A check that blocks others must be fixed for itself, even if others fail similarly. Only an identical message
  // groups them.
  const keyOf = (check: EndedCheck) =>
    wordsOfBlockers.has(wordsOf(check)) ? wordsOf(check) : causeKey(check);
  return sayingTheSame(failed, keyOf, ({ id }) => blockers.has(id))
    .filter((alike) => !isBeside(alike))
    .map((alike): Cause => {
      const ids = new Set(alike.map(({ id }) => id));
      const blocked = checks.filter(({ blocked_by }) => blocked_by !== undefined && ids.has(blocked_by));
      const [first] =
        blocked.length > 0 ? alike.filter(({ id }) => blocked[0]?.blocked_by === id) : clearestFirst(alike);
      const explained = new Set([...alike, ...blocked]);
      return {
        what: whatOf(alike),
        check: first?.id ?? "",
        checks: checks.filter((check) => explained.has(check)).map(({ id }) => id),
      };
    })
    .filter((cause) => cause.checks.length > 1)
    .toSorted((one, other) => other.checks.length - one.checks.length);
}

/**
 * How many failures the causes explain, in a line; undefined if nothing failed. MUST failures come first, and warnings
 * last. Blocked checks aren't failures.
 */
export function causesLine(causes: readonly Cause[], checks: readonly EndedCheck[]): string | undefined {
  const failed = failedOf(checks);
  const told = toMend(checks);
  const heldUp = checks.filter(({ status }) => status === "blocked");
  if (failed.length === 0 && heldUp.length === 0) return undefined;
  const holding = failed.filter(({ id }) => heldUp.some(({ blocked_by }) => blocked_by === id));
  const behind = heldUp.length === 0 ? "" : `; ${whoHold(told, holding)} ${counted(heldUp.length, "check")}`;
  const besides = failed.filter((check) => !told.includes(check));
  return `${explainedBy(causes, told, besides)}${behind}`;
}

/** The failures that block other checks. */
function whoHold(told: readonly EndedCheck[], holding: readonly EndedCheck[]): string {
  if (told.length === 1) return "it blocks";
  if (holding.length === 0 || holding.length >= told.length) return "they block";
  return holding.length === 1 ? "1 of them blocks" : `${holding.length} of them block`;
}

/** How many of these a cause explains, in words. */
function share(causes: readonly Cause[], checks: readonly EndedCheck[]): string {
  const explained = checks.filter(({ id }) => causes.some((cause) => cause.checks.includes(id))).length;
  const many = countedAs(checks);
  if (explained < checks.length) return `${explained} of ${many}`;
  return checks.length === 1 ? many : `all ${many}`;
}

const countedAs = (checks: readonly EndedCheck[]): string =>
  counted(checks.length, checks.some(isWarning) ? "warning" : "failure");

/** How many failures the causes explain. Some causes explain a single failure that blocks others. */
function explainedBy(
  causes: readonly Cause[],
  told: readonly EndedCheck[],
  besides: readonly EndedCheck[],
): string {
  const explains = (checks: readonly EndedCheck[]) => (cause: Cause) =>
    checks.filter(({ id }) => cause.checks.includes(id)).length;
  const behind = besides.length === 0 ? "" : `; also ${countedAs(besides)}`;
  if (!causes.some((cause) => explains([...told, ...besides])(cause) > 1))
    return `${countedAs(told)}${told.length > 1 ? ", each by itself" : ""}${behind}`;
  const explaining = causes.filter((cause) => explains(told)(cause) > 0);
  const isMixed = causes.some((cause) => explains(besides)(cause) > 0);
  const all = `${share(causes, told)}${isMixed ? ` and ${share(causes, besides)}` : behind}`;
  return `${explaining.length === 1 ? "1 cause explains" : `${explaining.length} causes explain`} ${all}`;
}
