import { matchesGlob } from "node:path";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import { FLAGS } from "../settings/common.ts";
import { UsageError } from "../usage-error.ts";

/** Whether a pattern (check id, clause id or glob of either) names the check. */
const names = (pattern: string, check: SuiteCheck): boolean =>
  [check.id, ...check.clauses].some((id) => id === pattern || matchesGlob(id, pattern));

/** How many single-letter changes lie between two ids; for suggestions only. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The id that the person most likely meant. */
export function nearest(id: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, away: distance(id, candidate) }))
    .sort((a, b) => a.away - b.away);
  return best && best.away <= Math.max(3, id.length / 3) ? best.candidate : undefined;
}

/** A flag shows its value as it was given; of another place the value comes last, so that the name reads as one. */
const blamed = (place: string, value: string, what: string): string =>
  place.startsWith("--") ? `${place} ${value} ${what}` : `${place} ${what}: ${value}`;

/**
 * The checks that --only and --skip leave.
 * @param skipFrom where it stands what is skipped
 * @throws UsageError for a pattern that names no check
 */
export function select(
  checks: readonly SuiteCheck[],
  only: readonly string[],
  skip: readonly string[],
  skipFrom: string = FLAGS.skip,
): readonly SuiteCheck[] {
  for (const [place, patterns] of [
    ["--only", only],
    [skipFrom, skip],
  ] as const) {
    const unknown = patterns.find((pattern) => !checks.some((check) => names(pattern, check)));
    if (unknown === undefined) continue;
    const meant = nearest(unknown, [
      ...checks.map(({ id }) => id),
      ...checks.flatMap(({ clauses }) => clauses),
    ]);
    throw new UsageError(
      `${blamed(place, unknown || "(nothing)", "names no check and no clause with a check")}${meant ? `; did you mean ${meant}?` : ""} (--list shows all)`,
    );
  }
  const left = checks.filter(
    (check) =>
      (only.length === 0 || only.some((pattern) => names(pattern, check))) &&
      !skip.some((pattern) => names(pattern, check)),
  );
  if (left.length > 0) return left;
  throw new UsageError(
    only.length === 0
      ? `${skipFrom} leaves no check to run`
      : `--only and ${skipFrom} together leave no check to run`,
  );
}
