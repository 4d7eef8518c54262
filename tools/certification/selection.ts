import { matchesGlob } from "node:path";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import { nearest } from "../nearest.ts";
import { FLAGS } from "../settings/common.ts";
import { UsageError } from "../usage-error.ts";
import { isAbout, TOPICS } from "./topics.ts";

export const groupOf = ({ id }: SuiteCheck): string => id.split(".")[0] ?? id;

/**
 * True if the pattern is the check's id, group or severity, the id of a clause of the check, a glob that matches an id,
 * or an operation or topic of a clause of the check.
 */
const matches = (pattern: string, check: SuiteCheck): boolean =>
  pattern === groupOf(check) ||
  pattern === check.severity ||
  isAbout(pattern, check) ||
  [check.id, ...check.clauses].some((id) => id === pattern || matchesGlob(id, pattern));

/** An error message that names a pattern, and the flag or file that contains the pattern. */
const messageAbout = (place: string, value: string, what: string): string =>
  place.startsWith("--") ? `${place} ${value} ${what}` : `${place} ${what}: ${value}`;

/**
 * The checks that --only and --skip select.
 * @param skipPlace the flag or file that the patterns in `skip` come from
 * @throws UsageError for a pattern that matches no check
 */
export function select(
  checks: readonly SuiteCheck[],
  only: readonly string[],
  skip: readonly string[],
  skipPlace: string = FLAGS.skip,
): readonly SuiteCheck[] {
  for (const [place, patterns] of [
    ["--only", only],
    [skipPlace, skip],
  ] as const) {
    const unknown = patterns.find((pattern) => !checks.some((check) => matches(pattern, check)));
    if (unknown === undefined) continue;
    const meant = nearest(unknown, [
      ...checks.flatMap((check) => [groupOf(check), check.id]),
      ...checks.flatMap(({ clauses }) => clauses),
      ...TOPICS,
    ]);
    throw new UsageError(
      `${messageAbout(place, unknown || "(nothing)", "matches no check and no clause with a check")}${meant ? `; did you mean ${meant}?` : ""} (--list shows all)`,
    );
  }
  const remaining = checks.filter(
    (check) =>
      (only.length === 0 || only.some((pattern) => matches(pattern, check))) &&
      !skip.some((pattern) => matches(pattern, check)),
  );
  if (remaining.length > 0) return remaining;
  throw new UsageError(
    only.length === 0
      ? `${skipPlace} leaves no check to run`
      : `--only and ${skipPlace} together leave no check to run`,
  );
}
