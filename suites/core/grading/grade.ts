import type { Claim } from "../contract/claims.ts";
import type { Clause } from "../contract/clause-list.ts";
import {
  type ClauseResult,
  type ClauseStatus,
  clauseResult,
  type GradedCheck,
} from "./clauses/clause-results.ts";
import type { DeclaredClauses } from "./clauses/declarations.ts";
import { withoutKnownFailures } from "./clauses/known-failures.ts";

export type Verdict = "CONFORMANT" | "NONCONFORMANT" | "INCOMPLETE" | "ERROR";

export const EXIT_CODES: Readonly<Record<Verdict, number>> = {
  CONFORMANT: 0,
  NONCONFORMANT: 1,
  INCOMPLETE: 2,
  ERROR: 3,
};

interface Count {
  passed: number;
  failed: number;
  not_verified: number;
  /** The number of clauses that declarations make inapplicable. */
  not_applicable: number;
}

interface LevelGrade {
  readonly verdict: Verdict | "NOT_CLAIMED";
  /** Clauses with checks, by result. */
  readonly must: Count;
  readonly should: Count;
}

export interface Grade {
  readonly verdict: Verdict;
  readonly exit_code: number;
  /** Grades by level, in the suite's order. */
  readonly levels: Readonly<Partial<Record<Claim, LevelGrade>>>;
  readonly clauses: readonly ClauseResult[];
}

export interface GradingInput {
  /** The suite's levels, least demanding first. */
  readonly levels: readonly Claim[];
  /** The clauses for this kind of target. */
  readonly clauses: readonly Clause[];
  /** Every check of the suite, including those that weren't selected. */
  readonly checks: readonly GradedCheck[];
  readonly claims: readonly Claim[];
  /** True if the run was interrupted or filtered, or lost its target. */
  readonly incomplete: boolean;
  /** SHOULD failures count as MUST failures. */
  readonly strict: boolean;
  /** True if the baseline has outdated entries, which fail the run. */
  readonly outdatedBaseline?: boolean;
  /** The checks that determine the exit code. `endedEarly` is true for an interrupted run. */
  readonly partial?: { readonly checks: ReadonlySet<string>; readonly endedEarly: boolean };
  /** The declarations. Evidence against one fails the run. */
  readonly declared?: DeclaredClauses;
}

const UNVERIFIED: readonly ClauseStatus[] = ["inconsistent", "errored", "blocked", "skipped"];

const FAILED: readonly ClauseStatus[] = ["failed", "warned", "known_failure"];

const noCount = (): Count => ({ passed: 0, failed: 0, not_verified: 0, not_applicable: 0 });

function count(clauses: readonly ClauseResult[], level: Clause["level"]): Count {
  const result = noCount();
  for (const { status } of clauses.filter((clause) => clause.level === level)) {
    if (status === "passed") result.passed += 1;
    else if (FAILED.includes(status)) result.failed += 1;
    else if (UNVERIFIED.some((one) => one === status)) result.not_verified += 1;
    else if (status === "not_applicable") result.not_applicable += 1;
  }
  return result;
}

function levelVerdict(clauses: readonly ClauseResult[], grading: GradingInput): Verdict {
  const must = count(clauses, "MUST");
  const should = count(clauses, "SHOULD");
  const isDisproved = clauses.some(({ id }) => grading.declared?.disproved.has(id));
  if (must.failed > 0 || (grading.strict && should.failed > 0) || isDisproved) return "NONCONFORMANT";
  if (clauses.some(({ status }) => status === "errored")) return "ERROR";
  const unverified = must.not_verified + (grading.strict ? should.not_verified : 0);
  // A run without any verified clause isn't conformant. The selected clauses of a partial run may all be
  // SHOULD.
  const verified = must.passed + (grading.partial ? should.passed + should.failed : 0);
  if (grading.incomplete || unverified > 0 || verified === 0) return "INCOMPLETE";
  return "CONFORMANT";
}

const SEVERITY: readonly Verdict[] = ["NONCONFORMANT", "ERROR", "INCOMPLETE", "CONFORMANT"];

/** The exit code. With a baseline, known failures count as passed, and outdated entries fail the run. */
function exitCode(verdict: Verdict, grading: GradingInput): number {
  const isKnown = ({ status, known = [] }: GradedCheck) => status === "known_failure" || known.length > 0;
  const remaining = grading.checks.some(isKnown)
    ? verdictOf({ ...grading, checks: grading.checks.map(withoutKnownFailures) })
    : verdict;
  const failed = grading.outdatedBaseline && remaining !== "ERROR" ? "NONCONFORMANT" : remaining;
  return EXIT_CODES[failed];
}

const verdictOf = (grading: GradingInput): Verdict => gradeClauses(grading).verdict;

/** All verdicts and exit codes come from here. */
export function grade(grading: GradingInput): Grade {
  const graded = gradeClauses(grading);
  if (!grading.partial) return { ...graded, exit_code: exitCode(graded.verdict, grading) };
  const partialGrading = restrictedTo(grading.partial, grading);
  return { ...graded, exit_code: exitCode(verdictOf(partialGrading), partialGrading) };
}

function restrictedTo(
  { checks: chosen, endedEarly }: NonNullable<GradingInput["partial"]>,
  grading: GradingInput,
): GradingInput {
  const checks = grading.checks.filter(({ id }) => chosen.has(id));
  const verified = new Set(checks.flatMap(({ clauses }) => clauses));
  const clauses = grading.clauses.filter(({ id }) => verified.has(id));
  const claims = grading.claims.filter((claim) => clauses.some((clause) => clause.claim === claim));
  return { ...grading, checks, clauses, claims, incomplete: endedEarly };
}

function gradeClauses(grading: GradingInput): Omit<Grade, "exit_code"> {
  const { checks: all, claims, strict, declared } = grading;
  const conditions = { claims, strict, inapplicable: declared?.inapplicable };
  const clauses = grading.clauses.map((clause) => clauseResult(clause, all, conditions));
  const gradeLevel = (claim: Claim): LevelGrade => {
    const ofLevel = clauses.filter((clause) => clause.claim === claim);
    const checked = ofLevel.filter(({ checks }) => checks.length > 0);
    return {
      verdict: grading.claims.includes(claim) ? levelVerdict(checked, grading) : "NOT_CLAIMED",
      must: count(ofLevel, "MUST"),
      should: count(ofLevel, "SHOULD"),
    };
  };
  const levels = grading.levels.map((claim) => [claim, gradeLevel(claim)] as const);
  const claimed = levels.map(([, level]) => level.verdict);
  const verdict = SEVERITY.find((one) => claimed.includes(one)) ?? "ERROR";
  return { verdict, levels: Object.fromEntries(levels), clauses };
}
