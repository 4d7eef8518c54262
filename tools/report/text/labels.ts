import type { LeftBehind } from "../../../suites/core/cleanup-report.ts";
import { withOperationNames } from "../../../suites/core/contract/operation-names.ts";
import type { DeclarationFinding } from "../../../suites/core/grading/clauses/declarations.ts";
import { EXIT_CODES, type Verdict } from "../../../suites/core/grading/grade.ts";
import { groupByReason } from "../../../suites/core/grading/skip-reasons.ts";
import type { Report, ReportedCheck } from "../model.ts";
import { counted } from "./counted.ts";

/** A verdict in a sentence. */
const VERDICT_MEANING: Readonly<Record<Verdict, string>> = {
  CONFORMANT: "Every claimed MUST clause that has a check was verified, and passed.",
  NONCONFORMANT: "The target violates at least one clause that counts.",
  INCOMPLETE: "No clause that counts failed, but some claimed clauses were not verified.",
  ERROR: "The run itself failed, so its results are not conclusive.",
};

/** The exit code, with the reason if the verdict usually has another exit code. */
export function exitLabel({ verdict, exit_code, run, baseline }: Report): string {
  if (exit_code === EXIT_CODES[verdict]) return String(exit_code);
  if (exit_code === EXIT_CODES.ERROR)
    return `${exit_code}, because the report could not be written completely`;
  const reasons = [
    ...(run.partial && run.filtered ? ["--partial"] : []),
    ...(baseline && baseline.known.length + baseline.stale.length + baseline.overdue.length > 0
      ? ["the baseline"]
      : []),
  ];
  return reasons.length === 0 ? String(exit_code) : `${exit_code} because of ${reasons.join(" and ")}`;
}

/** A sentence about a filtered run and its exit code, or about a --partial that has no effect. */
export function filteredLine({ run, checks }: Report): readonly string[] {
  if (!run.filtered)
    return run.partial
      ? ["--partial has no effect, because neither --only nor --skip excluded a check."]
      : [];
  const claimed = checks.filter(({ status }) => status !== "not_claimed");
  const left = claimed.filter(({ status }) => status !== "not_run").length;
  const what = `Filtered by --only or --skip: ${left} of ${counted(claimed.length, "check")} ran, so no level is verified`;
  return [
    run.partial
      ? `${what}. The exit code covers these checks only (--partial).`
      : `${what}. With --partial, the exit code covers these checks only.`,
  ];
}

/** The declarations that the run disproved. */
export const disproved = ({ declarations = [] }: Report): readonly DeclarationFinding[] =>
  declarations.filter(({ disproved_by }) => disproved_by.length > 0);

/** A report's verdict, in one or two sentences. */
export function verdictMeaning(report: Report): string {
  const { verdict, declarations = [] } = report;
  if (disproved(report).length > 0 && ofKind(report, "failed").length === 0 && verdict === "NONCONFORMANT") {
    return "The run disproved a declaration (--without).";
  }
  const names = declarations.map(({ name }) => name).join(", ");
  return `${VERDICT_MEANING[verdict]}${names && ` Declared never to occur: ${names}.`}`;
}

/** A sentence about SHOULD failures that count because of --strict. */
function strictReasons({ checks, run }: Report): readonly string[] {
  const many = checks.filter(
    ({ severity, status }) => severity === "SHOULD" && (status === "failed" || status === "known_failure"),
  ).length;
  if (!run.strict || many === 0) return [];
  return [`With --strict, ${counted(many, "SHOULD failure")} ${many === 1 ? "counts" : "count"}.`];
}

/** A sentence about unverified SHOULD checks, if only these make the run INCOMPLETE. */
function unverifiedShouldReasons(report: Report): readonly string[] {
  const { exit_code, run } = report;
  const isPart = run.ended_early !== undefined || (run.filtered && !run.partial);
  if (!run.strict || isPart || exit_code !== EXIT_CODES.INCOMPLETE) return [];
  const checks = (["inconsistent", "blocked", "not_verified"] as const).flatMap((kind) =>
    ofKind(report, kind),
  );
  if (checks.length === 0 || checks.some(({ severity }) => severity !== "SHOULD")) return [];
  const verb = checks.length === 1 ? "counts" : "count";
  return [`With --strict, ${counted(checks.length, "SHOULD check")} that could not be verified ${verb}.`];
}

/** Sentences about the stale and expired baseline entries, which fail the run. */
function baselineReasons({ baseline }: Report): readonly string[] {
  if (!baseline) return [];
  const { file, stale, overdue } = baseline;
  const are = ({ length }: readonly unknown[]) =>
    length === 1 ? `1 entry of ${file} is` : `${length} entries of ${file} are`;
  return [
    ...(stale.length > 0
      ? [`${are(stale)} stale: ${stale.length === 1 ? "its clause passes" : "their clauses pass"}.`]
      : []),
    ...(overdue.length > 0 ? [`${are(overdue)} expired.`] : []),
  ];
}

/** Sentences about faults of the suite or the machine, which say nothing about the target. */
function errorReasons(report: Report): readonly string[] {
  const errored = ofKind(report, "errored");
  const codes = [...new Set(errored.flatMap(({ machine_error }) => machine_error ?? []))];
  const byMachine = errored.filter(({ machine_error }) => machine_error !== undefined).length;
  const bySuite = errored.length - byMachine;
  const faults = report.run.faults.length;
  return [
    ...(byMachine > 0
      ? [
          `${counted(byMachine, "check")} errored because of a resource limit on this machine (${codes.join(", ")}).`,
        ]
      : []),
    ...(bySuite > 0 ? [`${counted(bySuite, "check")} errored because of a bug in the suite.`] : []),
    ...(faults > 0 ? [`${counted(faults, "error")} occurred outside the checks.`] : []),
  ];
}

/** Sentences about reasons for the verdict and the exit code that the table of levels doesn't show. */
export function verdictReasons(report: Report): readonly string[] {
  const { verdict, levels, checks } = report;
  if (verdict === "ERROR") return errorReasons(report);
  const isShown =
    checks.some(({ status, severity }) => status === "failed" && severity !== "SHOULD") &&
    Object.values(levels).every((level) => level.verdict !== "NONCONFORMANT" || level.must.failed > 0);
  if (isShown) return [];
  const names = disproved(report).map(({ name }) => name);
  return [
    ...strictReasons(report),
    ...unverifiedShouldReasons(report),
    ...(names.length > 0 ? [`The run disproved these declarations: ${names.join(", ")}.`] : []),
    ...baselineReasons(report),
  ];
}

const WITHOUT = "--without";

/** A declaration as the user gave it: `--without x`, or `x` with its source. */
export const declarationName = (name: string, declaredIn: string = WITHOUT): string =>
  declaredIn === WITHOUT ? `${WITHOUT} ${name}` : `${name} (${declaredIn})`;

/**
 * The text after a declaration's name: its meaning and the clauses that aren't applicable, or the checks that
 * disproved it.
 */
export const declarationOutcome = ({ text, clauses, disproved_by }: DeclarationFinding): string =>
  disproved_by.length === 0
    ? `: ${text} Not applicable: ${clauses.join(", ")}.`
    : ` was declared ("${text}"), but it is wrong: ${disproved_by.map(({ check, seen }) => `${check} observed it (${seen})`).join("; ")}.`;

/**
 * A line about a declaration.
 * @param declaredIn the source of the declaration. Defaults to the flag --without
 */
export const declarationLine = (finding: DeclarationFinding, declaredIn?: string): string =>
  `${declarationName(finding.name, declaredIn)}${declarationOutcome(finding)}`;

/** A sentence about the repeated requests; empty if there were none. */
export function repeatedLine({ repeated_requests = [] }: Report): readonly string[] {
  if (repeated_requests.length === 0) return [];
  const all = repeated_requests.reduce((sum, { count }) => sum + count, 0);
  const by = repeated_requests
    .map(({ operation, count }) => `${withOperationNames(operation)} ${count}`)
    .join(", ");
  return [
    all === 1
      ? `1 request lost its connection before a response, and was repeated: ${by}.`
      : `${all} requests lost their connection before a response, and were repeated: ${by}.`,
  ];
}

const PLURALS = { delivery: "deliveries", webhook: "webhooks", store: "stores", integrator: "integrators" };

/** A count with its noun, such as `3 webhooks`. */
export const countedKind = ({ kind, count }: Pick<LeftBehind, "kind" | "count">): string =>
  `${count} ${count === 1 ? kind : PLURALS[kind]}`;

/** A sentence about objects that the target lost when it restarted; empty if there were none. */
export const goneLine = ({ gone = [] }: Report): readonly string[] =>
  gone.length === 0 ? [] : [`Lost when the target restarted: ${gone.map(countedKind).join(", ")}.`];

/** Phrases such as `3 failures of checks that 0.2 added`, one for each version. */
function comingPhrases(checks: readonly ReportedCheck[], noun: string): readonly string[] {
  const byVersion = Map.groupBy(checks, ({ since }) => since);
  return [...byVersion].map(
    ([since, newChecks]) => `${counted(newChecks.length, noun)} of checks that ${since} added`,
  );
}

/** A sentence about the outcome under later versions, if the run is judged as an earlier version. */
export function asOfLine(report: Report): readonly string[] {
  const { as_of, run } = report;
  if (!as_of) return [];
  const coming = ofKind(report, "coming_failure");
  const warns = ({ severity }: ReportedCheck) => severity === "SHOULD" && !run.strict;
  const phrases = [
    ...comingPhrases(
      coming.filter((check) => !warns(check)),
      "failure",
    ),
    ...comingPhrases(coming.filter(warns), "warning"),
  ];
  const newer = phrases.length === 0 ? "No newer check failed" : `Not counted: ${phrases.join(", ")}`;
  return [
    `Judged as of ${as_of.version}. ${newer}. Judged as of ${as_of.present}, the verdict would be ${as_of.verdict_by_present}.`,
  ];
}

/** The sections of a report, from most to least urgent. Without --strict, a failed SHOULD check is a warning. */
export const KINDS = [
  "failed",
  "warning",
  "inconsistent",
  "errored",
  "known_failure",
  "coming_failure",
  "blocked",
  "not_verified",
  "not_applicable",
  "not_run",
  "passed",
  "not_claimed",
] as const;
export type Kind = (typeof KINDS)[number];

export const KIND_LABELS: Readonly<Record<Kind, { readonly name: string; readonly meaning: string }>> = {
  failed: { name: "Failed", meaning: "The target violates a clause that counts." },
  warning: {
    name: "Warnings",
    meaning: "The target violates a SHOULD clause, which counts with --strict only.",
  },
  inconsistent: {
    name: "Inconsistent",
    meaning:
      "The check failed in one of its runs and passed in others. An intermittent fault makes the run INCOMPLETE.",
  },
  errored: {
    name: "Errored",
    meaning: "The machine lacked a resource, or the suite has a bug. The message says which, and what to do.",
  },
  known_failure: { name: "Known failures", meaning: "The baseline lists these failures." },
  coming_failure: {
    name: "Upcoming",
    meaning: "These checks are newer than the version of --as-of, so their failures don't count yet.",
  },
  blocked: { name: "Blocked", meaning: "The check depends on another check, which failed." },
  not_verified: {
    name: "Not verified",
    meaning: "The check's level is claimed, but something that the check needs is missing.",
  },
  not_applicable: {
    name: "Not applicable",
    meaning: "The case was declared never to occur (--without), and didn't occur in the run.",
  },
  not_run: { name: "Not run", meaning: "--only or --skip excluded the check, or the run ended early." },
  passed: { name: "Passed", meaning: "The target meets the check's clauses." },
  not_claimed: { name: "Not claimed", meaning: "The check's level isn't claimed (--claims)." },
};

export const kindOf = ({ status, severity }: ReportedCheck, { run }: Report): Kind =>
  status === "failed" && severity === "SHOULD" && !run.strict ? "warning" : status;

export const ofKind = (report: Report, kind: Kind): readonly ReportedCheck[] =>
  report.checks.filter((check) => kindOf(check, report) === kind);

/** The reasons why checks could not be verified, with the checks of each reason. */
export const unverified = (report: Report): ReadonlyMap<string, readonly ReportedCheck[]> =>
  groupByReason([...ofKind(report, "blocked"), ...ofKind(report, "not_verified")]);

/** A duration such as `850 ms`, `5.7 s` or `3 min 20 s`. */
export function durationLabel(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
