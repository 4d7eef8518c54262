import type { OperationId } from "../../suites/core/contract/document.ts";
import { operationName } from "../../suites/core/contract/operation-names.ts";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import type { ReportedStatus } from "./status.ts";

/** What explains several failures at once. */
export interface Cause {
  /** What goes wrong, in a line. */
  readonly what: string;
  /** The check to begin with: the one that the others are blocked by, or the first that ends so. */
  readonly check: string;
  /** All that it explains, that one among them, in the suite's order. */
  readonly checks: readonly string[];
}

/** A check as far as its cause is concerned. */
interface EndedCheck extends Pick<SuiteCheck, "id">, Partial<Pick<SuiteCheck, "severity">> {
  readonly clauses?: readonly string[];
  readonly status: ReportedStatus;
  readonly message?: string;
  readonly blocked_by?: string;
  readonly fault?: string;
  readonly operation?: OperationId;
}

/** Failed, or never begun because another one failed. */
const isFailure = ({ status }: EndedCheck): boolean => status === "failed" || status === "blocked";

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?/g;

/** What is the same of messages that say the same of different operations, records and times. */
function pattern({ message = "", operation, fault }: EndedCheck): string {
  if (fault !== undefined) return fault;
  const masked = message.replaceAll(UUID, "…").replaceAll(INSTANT, "…");
  return operation === undefined ? masked : masked.replaceAll(operationName(operation), "…");
}

const NUMBER = /\d+(?:\.\d+)?/g;

/** What is the same of messages of the same clauses that give other amounts. */
const amountPattern = (check: EndedCheck): string =>
  [pattern(check).replaceAll(NUMBER, "…"), ...(check.clauses ?? [])].join(" ");

/** Failures that say the same; of those that nothing else says, the ones that say it of other amounts. */
function sayingTheSame(
  failed: readonly EndedCheck[],
  keyOf: (check: EndedCheck) => string,
  standsAlone: (check: EndedCheck) => boolean,
): readonly (readonly EndedCheck[])[] {
  const groups = [...Map.groupBy(failed, keyOf).values()];
  const single = groups.filter((group) => group.length === 1 && !group.some(standsAlone)).flat();
  const others = groups.filter((group) => group.length > 1 || group.some(standsAlone));
  return [...others, ...Map.groupBy(single, amountPattern).values()];
}

const MOST_OPERATIONS = 4;

/** The fault that is named, or the first one's message; of several operations, with all their names. */
function whatOf(alike: readonly EndedCheck[]): string {
  const fault = alike[0]?.fault;
  if (fault !== undefined) return fault;
  const message = alike[0]?.message ?? "";
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

/**
 * What explains more than one failure: a check that others are blocked by, or failures that say the same. What explains
 * the most stands first.
 */
export function causesOf(checks: readonly EndedCheck[]): readonly Cause[] {
  const failed = checks.filter(({ status }) => status === "failed");
  const blockers = new Set(checks.flatMap((check) => check.blocked_by ?? []));
  // What others are blocked by is to be mended in its own right, whatever else ends like it.
  const keyOf = (check: EndedCheck) =>
    blockers.has(check.id) ? `${check.operation} ${check.message}` : pattern(check);
  return sayingTheSame(failed, keyOf, ({ id }) => blockers.has(id))
    .map((alike): Cause => {
      const ids = new Set(alike.map(({ id }) => id));
      const blocked = checks.filter(({ blocked_by }) => blocked_by !== undefined && ids.has(blocked_by));
      const [first] = blocked.length > 0 ? alike.filter(({ id }) => blocked[0]?.blocked_by === id) : alike;
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

/** How far causes explain what failed, in a line; undefined where nothing did. */
export function causesLine(causes: readonly Cause[], checks: readonly EndedCheck[]): string | undefined {
  const failed = checks.filter(isFailure);
  const failures = failed.length;
  if (failures === 0) return undefined;
  const warnings = failed.filter(
    ({ status, severity }) => status === "failed" && severity === "SHOULD",
  ).length;
  const word = warnings === failures ? "warning" : "failure";
  const ofThem = warnings === 0 || warnings === failures ? "" : `, ${warnings} of them warnings`;
  const counted = `${failures} ${word}${failures === 1 ? "" : "s"}${ofThem}`;
  if (causes.length === 0) return failures === 1 ? counted : `${counted}, each by itself`;
  const explained = causes.reduce((sum, cause) => sum + cause.checks.length, 0);
  const of = explained === failures ? `all ${counted}` : `${explained} of ${counted}`;
  return causes.length === 1 ? `1 cause explains ${of}` : `${causes.length} causes explain ${of}`;
}
