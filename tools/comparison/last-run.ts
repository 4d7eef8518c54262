import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Suite } from "../../suites/core/grading/suite.ts";
import { visible } from "../../suites/core/text/visible-text.ts";
import type { CommonSettings } from "../settings/common.ts";
import { UsageError } from "../usage-error.ts";
import { writeFileAtomically } from "../whole-file.ts";
import { type Comparison, compareRuns } from "./compare.ts";
import { type RunSummary, readSummary, type SummarizedCheck, summaryOf } from "./summary.ts";

/** The folder for results of the last run, in the working directory. */
const FOLDER = ".courier-conform";
const FILE = "last.json";

/** The saved last run; undefined if no run is saved, or if the saved run tested another kind of target. */
function lastRun(subject: string, folder: string): RunSummary | undefined {
  const file = join(folder, FILE);
  if (!existsSync(file)) return undefined;
  try {
    const last = readSummary(file);
    return last.suite.subject === subject ? last : undefined;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** The durations in milliseconds of checks that passed in their last run, by id. */
export const lastDurations = (subject: string, folder = FOLDER): Readonly<Record<string, number>> =>
  Object.fromEntries(
    lastRun(subject, folder)?.checks.flatMap(({ id, status, duration_ms }) =>
      status === "passed" && duration_ms !== undefined ? [[id, duration_ms]] : [],
    ) ?? [],
  );

/** A run's checks. Checks that weren't selected keep their earlier results. */
function merged(run: RunSummary, before: RunSummary | undefined): readonly SummarizedCheck[] {
  const known = new Map(before?.checks.map((check) => [check.id, check]));
  return run.checks.map((check) => (check.status === "not_run" ? (known.get(check.id) ?? check) : check));
}

/** The statuses of checks that --last-failed selects: failures, and checks that a failure blocked. */
const SELECTED_STATUSES: readonly string[] = ["failed", "inconsistent", "errored", "blocked"];

/**
 * The checks of a suite that --last-failed or --changed-since selects; undefined without these flags.
 * --changed-since selects the checks that didn't pass in the report.
 * @throws UsageError if no check is selected
 */
export function selectedByEarlierRun(
  { subject, checks }: Pick<Suite, "subject" | "checks">,
  { lastFailed, changedSince: reportFile }: Pick<CommonSettings, "lastFailed" | "changedSince">,
  folder = FOLDER,
): readonly string[] | undefined {
  if (reportFile !== undefined) {
    const passed = new Set(
      readSummary(reportFile).checks.flatMap(({ id, status }) => (status === "passed" ? [id] : [])),
    );
    const remaining = checks.filter(({ id }) => !passed.has(id)).map(({ id }) => id);
    if (remaining.length > 0) return remaining;
    throw new UsageError(
      `--changed-since ${reportFile}: every check passed in this report, so none is selected`,
    );
  }
  if (!lastFailed) return undefined;
  const last = lastRun(subject, folder);
  if (!last)
    throw new UsageError(
      `--last-failed: ${join(folder, FILE)} contains no earlier run on a ${subject}; run once without --last-failed`,
    );
  const ids = new Set(
    last.checks.flatMap(({ id, status }) => (SELECTED_STATUSES.includes(status) ? [id] : [])),
  );
  const selected = checks.filter(({ id }) => ids.has(id)).map(({ id }) => id);
  if (selected.length > 0) return selected;
  throw new UsageError("--last-failed: nothing failed in the last run; run without --last-failed");
}

/**
 * Saves a run for --last-failed and the comparison with the next run. Without write access, nothing is saved.
 * @returns the changes since the last run on the same target; undefined without an earlier run
 */
export function rememberRun(report: RunSummary, folder = FOLDER): Comparison | undefined {
  const summary = summaryOf(report);
  const last = lastRun(summary.suite.subject, folder);
  const before = last?.target.url === summary.target.url ? last : undefined;
  try {
    mkdirSync(folder, { recursive: true });
    // With this file, Git ignores the folder.
    writeFileAtomically(join(folder, ".gitignore"), "*\n");
    const text = JSON.stringify({ ...summary, checks: merged(summary, before) });
    // Escapes control characters in the target's text, for a terminal that shows the file.
    writeFileAtomically(join(folder, FILE), `${visible(text)}\n`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  return before && compareRuns(before, summary);
}
