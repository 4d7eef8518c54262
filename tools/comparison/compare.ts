import type { RunSummary, SummarizedCheck } from "./summary.ts";

export interface Comparison {
  readonly verdict: { readonly before: string; readonly after: string };
  readonly duration_ms: { readonly before: number; readonly after: number };
  /** Checks that failed before and pass now. */
  readonly fixed: readonly string[];
  /** Checks that couldn't be verified before and pass now; usually a failure had blocked them. */
  readonly unblocked: readonly string[];
  /** Checks that didn't fail before and fail now. */
  readonly broken: readonly SummarizedCheck[];
  /** Checks that passed before and are no longer verified. */
  readonly unverified: readonly string[];
  /** Checks that are new in the later run's suite. */
  readonly new: readonly string[];
  /** Checks that are missing in the later run's suite. */
  readonly gone: readonly string[];
}

const FAILED = new Set(["failed", "known_failure", "coming_failure"]);
/** Statuses of checks that weren't selected. */
const EXCLUDED = new Set(["not_run", "not_claimed"]);

const ran = ({ status }: SummarizedCheck): boolean => !EXCLUDED.has(status);
const failed = ({ status }: SummarizedCheck): boolean => FAILED.has(status);
const passed = ({ status }: SummarizedCheck): boolean => status === "passed";

/** Compares two runs by the checks that ran in both. */
export function compareRuns(before: RunSummary, after: RunSummary): Comparison {
  const earlier = new Map(before.checks.map((check) => [check.id, check]));
  const later = new Set(after.checks.map(({ id }) => id));
  const pairs = after.checks.flatMap((now) => {
    const then = earlier.get(now.id);
    return then && ran(then) && ran(now) ? [{ then, now }] : [];
  });
  const idsOf = (
    isCounted: (pair: { readonly then: SummarizedCheck; readonly now: SummarizedCheck }) => boolean,
  ) => pairs.filter(isCounted).map(({ now }) => now.id);
  return {
    verdict: { before: before.verdict, after: after.verdict },
    duration_ms: { before: before.run.duration_ms, after: after.run.duration_ms },
    fixed: idsOf(({ then, now }) => failed(then) && passed(now)),
    unblocked: idsOf(({ then, now }) => !failed(then) && !passed(then) && passed(now)),
    broken: pairs.filter(({ then, now }) => failed(now) && !failed(then)).map(({ now }) => now),
    unverified: idsOf(({ then, now }) => passed(then) && !passed(now) && !failed(now)),
    new: after.checks.filter(({ id }) => !earlier.has(id)).map(({ id }) => id),
    gone: before.checks.filter(({ id }) => !later.has(id)).map(({ id }) => id),
  };
}

/** The changed checks, by kind of change. */
export const changedIds = (comparison: Comparison): readonly (readonly [string, readonly string[]])[] =>
  Object.entries({
    fixed: comparison.fixed,
    "newly verified": comparison.unblocked,
    broken: comparison.broken.map(({ id }) => id),
    "no longer verified": comparison.unverified,
    new: comparison.new,
    gone: comparison.gone,
  }).filter(([, ids]) => ids.length > 0);

/** The counts of changes, such as `1 fixed, 2 broken`; undefined if nothing changed. */
export function changeLine(comparison: Comparison): string | undefined {
  const counts = changedIds(comparison).map(([word, ids]) => `${ids.length} ${word}`);
  return counts.length === 0 ? undefined : counts.join(", ");
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** The text of a comparison: a line for each broken check, and a list of ids for each other kind of change. */
export function comparisonText(comparison: Comparison): string {
  const { verdict, duration_ms, broken } = comparison;
  const listLine = (word: string, ids: readonly string[]) =>
    ids.length === 0 ? [] : [`${word.padEnd(18)}  ${ids.length}: ${shortList(ids)}`];
  return [
    `verdict             ${verdict.before === verdict.after ? verdict.after : `${verdict.before} → ${verdict.after}`}`,
    `time                ${seconds(duration_ms.before)} → ${seconds(duration_ms.after)}`,
    ...listLine("fixed", comparison.fixed),
    ...listLine("newly verified", comparison.unblocked),
    ...broken.map(
      ({ id, message, severity }) =>
        `${(severity === "SHOULD" ? "broken (warning)" : "broken").padEnd(18)}  ${id}${message === undefined ? "" : `: ${message.replaceAll("\n", "\\n")}`}`,
    ),
    ...listLine("no longer verified", comparison.unverified),
    ...listLine("new", comparison.new),
    ...listLine("gone", comparison.gone),
    changeLine(comparison) ?? "nothing changed",
  ].join("\n");
}

const MAX_NAMED = 12;
const shortList = (ids: readonly string[]): string =>
  `${ids.slice(0, MAX_NAMED).join(", ")}${ids.length > MAX_NAMED ? `, ${ids.length - MAX_NAMED} more` : ""}`;
