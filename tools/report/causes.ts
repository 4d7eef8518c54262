import type { OperationId } from "../../suites/core/contract/document.ts";
import { operationName } from "../../suites/core/contract/operation-names.ts";
import { purposeText } from "../../suites/core/grading/mismatch.ts";
import type { Outcome } from "../../suites/core/grading/outcome.ts";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import { IDENTIFIERS, INSTANTS } from "../../suites/core/text/run-values.ts";
import { counted } from "./counted.ts";
import type { ReportedStatus } from "./status.ts";

/** What explains several failures at once. */
export interface Cause {
  /** What goes wrong, in a line. */
  readonly what: string;
  /** The check to begin with: the one that the others are blocked by, or the first that ends so, after few requests if there is one. */
  readonly check: string;
  /** All that it explains, that one among them, in the suite's order. */
  readonly checks: readonly string[];
}

/** A check as far as its cause is concerned. */
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

/** A subject without what differs from run to run, and without the operation, which may be any. */
function subjectKey({ message = "", subject = message, operation }: EndedCheck): string {
  const masked = subject.replaceAll(INSTANTS, "…").replaceAll(IDENTIFIERS, "…");
  return operation === undefined ? masked : masked.replaceAll(operationName(operation), "…");
}

/** Failures of one cause have the same fault, or else the same subject, relation and values. */
const causeKey = (check: EndedCheck): string =>
  check.fault ?? JSON.stringify([subjectKey(check), check.relation, check.expected, check.actual]);

/** Numbers, identifiers and times differ between checks. Other values, such as states, tell faults apart. */
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

/** A status and an error code are the fault itself: another one is another cause. */
const isOfStatus = ({ relation }: EndedCheck): boolean =>
  relation === "to answer" || relation === "to refuse with";

/** Failures with the same mismatch; of those left alone, the ones that differ in numbers and identifiers only. */
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

/** The messages; without what was wrong on purpose where that differs. */
function sharedMessages(alike: readonly EndedCheck[]): readonly string[] {
  const messages = alike.map(({ message = "" }) => message);
  return new Set(messages).size === 1 ? messages : alike.map(withoutViolation);
}

const MOST_OPERATIONS = 4;

/** The fault that is named, or the first one's message; of several operations, with all their names. */
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

/** More requests than one reads through, as sequences against a model send. */
const MANY_REQUESTS = 60;

/** The checks in their order, those of many requests behind the others: in these one sees more. */
export const shortFirst = <Ended extends Pick<EndedCheck, "requests">>(
  checks: readonly Ended[],
): readonly Ended[] => {
  const isLong = ({ requests = 0 }: Ended) => requests > MANY_REQUESTS;
  return checks.toSorted((one, other) => Number(isLong(one)) - Number(isLong(other)));
};

/** One that looks at all answers says of a fault that is named how many show it; others only stumble over it. */
const clearestFirst = (alike: readonly EndedCheck[]): readonly EndedCheck[] => {
  const looksAtAll = ({ fault, requests }: EndedCheck) => fault !== undefined && requests === 0;
  return shortFirst(alike).toSorted((one, other) => Number(looksAtAll(other)) - Number(looksAtAll(one)));
};

const isWarning = ({ severity }: EndedCheck) => severity === "SHOULD";

/** Checks as a run counts them: one that is strict asks for what should be as for what must. */
export const asCounted = <Check extends EndedCheck>(
  checks: readonly Check[],
  { strict }: { readonly strict: boolean },
): readonly Check[] => (strict ? checks.map((check) => ({ ...check, severity: "MUST" })) : checks);

const failedOf = (checks: readonly EndedCheck[]) => checks.filter(({ status }) => status === "failed");

/** What failed that must hold, or where all of that does, what should. */
function toMend(checks: readonly EndedCheck[]): readonly EndedCheck[] {
  const failed = failedOf(checks);
  const binding = failed.filter((check) => !isWarning(check));
  return binding.length > 0 ? binding : failed;
}

/** Whether one begins with a cause: it holds others up, or explains half of what is to be mended. */
export function leads({ checks: explained }: Cause, checks: readonly EndedCheck[]): boolean {
  const isIn = ({ id }: EndedCheck) => explained.includes(id);
  const failed = toMend(checks);
  const holdsUp = checks.some((check) => check.status === "blocked" && isIn(check));
  return holdsUp || 2 * failed.filter(isIn).length >= failed.length;
}

/**
 * What explains more than one failure: a check that others are blocked by, or failures that say the same. What explains
 * the most stands first. Where something fails that must hold, warnings alone are no cause.
 */
export function causesOf(checks: readonly EndedCheck[]): readonly Cause[] {
  const failed = failedOf(checks);
  const isBeside = (alike: readonly EndedCheck[]) => alike.every(isWarning) && !failed.every(isWarning);
  const blockers = new Set(checks.flatMap((check) => check.blocked_by ?? []));
  const wordsOf = ({ operation, message, fault }: EndedCheck) => `${operation} ${fault ?? message}`;
  const wordsOfBlockers = new Set(failed.filter(({ id }) => blockers.has(id)).map(wordsOf));
  // What others are blocked by is to be mended in its own right, whatever ends like it elsewhere: in its very words is it too.
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
 * How far causes explain what failed, in a line; undefined where nothing did. Where something fails that must hold, that
 * stands first, and warnings behind it. Checks that weren't begun for a failure aren't failures.
 */
export function causesLine(causes: readonly Cause[], checks: readonly EndedCheck[]): string | undefined {
  const failed = failedOf(checks);
  const told = toMend(checks);
  const heldUp = checks.filter(({ status }) => status === "blocked");
  if (failed.length === 0 && heldUp.length === 0) return undefined;
  const holding = failed.filter(({ id }) => heldUp.some(({ blocked_by }) => blocked_by === id));
  const behind =
    heldUp.length === 0 ? "" : `; ${whoHold(told, holding)} up ${counted(heldUp.length, "check")}`;
  const besides = failed.filter((check) => !told.includes(check));
  return `${explainedBy(causes, told, besides)}${behind}`;
}

/** Who of the failures holds others up. */
function whoHold(told: readonly EndedCheck[], holding: readonly EndedCheck[]): string {
  if (told.length === 1) return "it holds";
  if (holding.length === 0 || holding.length >= told.length) return "they hold";
  return holding.length === 1 ? "1 of them holds" : `${holding.length} of them hold`;
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

/** How far causes, of which some explain one failure and hold others up, explain what is to be mended, and the rest. */
function explainedBy(
  causes: readonly Cause[],
  told: readonly EndedCheck[],
  besides: readonly EndedCheck[],
): string {
  const explains = (checks: readonly EndedCheck[]) => (cause: Cause) =>
    checks.filter(({ id }) => cause.checks.includes(id)).length;
  const behind = besides.length === 0 ? "" : `; ${countedAs(besides)} besides`;
  if (!causes.some((cause) => explains([...told, ...besides])(cause) > 1))
    return `${countedAs(told)}${told.length > 1 ? ", each by itself" : ""}${behind}`;
  const explaining = causes.filter((cause) => explains(told)(cause) > 0);
  const isMixed = causes.some((cause) => explains(besides)(cause) > 0);
  const all = `${share(causes, told)}${isMixed ? ` and ${share(causes, besides)}` : behind}`;
  return `${explaining.length === 1 ? "1 cause explains" : `${explaining.length} causes explain`} ${all}`;
}
