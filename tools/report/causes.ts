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
interface EndedCheck extends Pick<SuiteCheck, "id"> {
  readonly status: ReportedStatus;
  readonly message?: string;
  readonly blocked_by?: string;
  readonly operation?: string;
}

/** Failed, or never begun because another one failed. */
const isFailure = ({ status }: EndedCheck): boolean => status === "failed" || status === "blocked";

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?/g;

/** What is the same of messages that say the same of different operations, records and times. */
function pattern({ message = "", operation }: EndedCheck): string {
  const masked = message.replaceAll(UUID, "…").replaceAll(INSTANT, "…");
  return operation === undefined ? masked : masked.replaceAll(operation, "…");
}

const MOST_OPERATIONS = 4;

/** The first one's message; of several operations, with all their names. */
function whatOf(alike: readonly EndedCheck[]): string {
  const message = alike[0]?.message ?? "";
  const operation = alike[0]?.operation;
  const operations = [...new Set(alike.flatMap((check) => check.operation ?? []))];
  if (operation === undefined || operations.length < 2) return message;
  const shown = operations.slice(0, MOST_OPERATIONS);
  const rest = operations.length - shown.length;
  return message.replace(operation, `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`);
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
  const groups = [...Map.groupBy(failed, keyOf).values()];
  return groups
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
  const failures = checks.filter(isFailure).length;
  if (failures === 0) return undefined;
  const counted = `${failures} failure${failures === 1 ? "" : "s"}`;
  if (causes.length === 0) return failures === 1 ? counted : `${counted}, each by itself`;
  const explained = causes.reduce((sum, cause) => sum + cause.checks.length, 0);
  const of = explained === failures ? `all ${counted}` : `${explained} of ${counted}`;
  return causes.length === 1 ? `1 cause explains ${of}` : `${causes.length} causes explain ${of}`;
}
