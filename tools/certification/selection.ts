import { matchesGlob } from "node:path";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import { nearest } from "../nearest.ts";
import { FLAGS } from "../settings/common.ts";
import { UsageError } from "../usage-error.ts";
import { isAbout, TOPICS } from "./topics.ts";

export const groupOf = ({ id }: SuiteCheck): string => id.split(".")[0] ?? id;

/**
 * True if a pattern matches the check: its id, its group, MUST or SHOULD, a clause id, a glob of an id, an
 * operation, or a topic.
 */
const names = (pattern: string, check: SuiteCheck): boolean =>
  pattern === groupOf(check) ||
  pattern === check.severity ||
  isAbout(pattern, check) ||
  [check.id, ...check.clauses].some((id) => id === pattern || matchesGlob(id, pattern));

/** An error message about a pattern, with the flag or the file that contains it. */
const blamed = (place: string, value: string, what: string): string =>
  place.startsWith("--") ? `${place} ${value} ${what}` : `${place} ${what}: ${value}`;

/**
 * The checks that --only and --skip select.
 * @param skipFrom the source of the skipped patterns
 * @throws UsageError for a pattern that matches no check
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
      ...checks.flatMap((check) => [groupOf(check), check.id]),
      ...checks.flatMap(({ clauses }) => clauses),
      ...TOPICS,
    ]);
    throw new UsageError(
      `${blamed(place, unknown || "(nothing)", "matches no check and no clause with a check")}${meant ? `; did you mean ${meant}?` : ""} (--list shows all)`,
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
