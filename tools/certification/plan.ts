import type { Claim } from "../../suites/core/contract/claims.ts";
import type { Declaration } from "../../suites/core/contract/clause-list.ts";
import type { Suite, SuiteCheck } from "../../suites/core/grading/suite.ts";
import { selectedByEarlierRun } from "../comparison/last-run.ts";
import { prepareReportFolder } from "../report/files.ts";
import { type CommonSettings, FLAGS } from "../settings/common.ts";
import { inShell } from "../settings/in-shell.ts";
import { UsageError } from "../usage-error.ts";
import { type JudgedSuite, suiteAsOf } from "../versions/as-of.ts";
import { Baseline } from "./baseline.ts";
import { select } from "./selection.ts";

export interface Plan {
  /** The suite. With --as-of, the suite's checks have the severities of the chosen version. */
  readonly suite: JudgedSuite;
  readonly settings: CommonSettings;
  readonly claims: readonly Claim[];
  /** The declared limitations of the target. */
  readonly without: readonly Declaration[];
  readonly selected: readonly SuiteCheck[];
  /** True if --only or --skip excludes checks. */
  readonly filtered: boolean;
  readonly baseline: Baseline | undefined;
}

/** The flags that a repeated run needs to judge by the same rules. */
export const judgingFlags = ({
  without,
  asOf,
}: Pick<CommonSettings, "without" | "asOf">): readonly string[] => [
  ...(without.length === 0 ? [] : [`--without ${without.join(",")}`]),
  ...(asOf === undefined ? [] : [`--as-of ${asOf.name}`]),
];

/** The flags that a repeated run needs to select the same checks and return the same exit code. */
export const selectionFlags = ({
  claims,
  only,
  skip,
  strict,
  partial,
  baseline,
}: Pick<
  CommonSettings,
  "claims" | "only" | "skip" | "strict" | "partial" | "baseline"
>): readonly string[] => [
  ...(claims === undefined ? [] : [`--claims ${claims.join(",")}`]),
  ...(only.length === 0 ? [] : [`--only ${inShell(only.join(","))}`]),
  ...(skip.length === 0 ? [] : [`--skip ${inShell(skip.join(","))}`]),
  ...(strict ? ["--strict"] : []),
  ...(partial ? ["--partial"] : []),
  ...(baseline === undefined ? [] : [`--baseline ${inShell(baseline)}`]),
];

/**
 * Selects the checks, reads the baseline, and creates the report's folder.
 * @throws UsageError
 */
export function planRun(currentSuite: Suite, given: CommonSettings): Plan {
  const suite = suiteAsOf(currentSuite, given.asOf);
  const settings = { ...given, only: selectedByEarlierRun(suite, given) ?? given.only };
  const sources = settings.sources ?? FLAGS;
  const filteredChecks = select(suite.checks, settings.only, settings.skip, sources.skip);
  const claims =
    settings.claims ?? suite.levels.filter((level) => suite.checks.some((check) => check.level === level));
  const selected = filteredChecks.filter(({ level }) => claims.includes(level));
  if (selected.length === 0) {
    throw new UsageError(
      `no selected check belongs to the claims ${claims.join(", ")}: widen ${sources.claims}`,
    );
  }
  const baseline =
    settings.baseline === undefined
      ? undefined
      : Baseline.read(settings.baseline, suite, settings.updateBaseline);
  if (settings.report !== undefined) prepareReportFolder(settings.report);
  const without = suite.declarations.filter(({ name }) => settings.without.includes(name));
  const filtered = filteredChecks.length !== suite.checks.length;
  return { suite, settings, claims, without, selected, filtered, baseline };
}
