import type { Comparable } from "../grading/failures/comparable.ts";
import type { Outcome } from "../grading/outcome.ts";
import { type CheckRun, type Circumstances, type Decision, decide } from "./decide.ts";
import type { Disturbance } from "./disturbance.ts";

/** Result of one run of a check. */
export interface RunResult extends Pick<CheckRun, "isCertain" | "givenUp"> {
  readonly outcome: Outcome;
  /** The expected value of a failure as data. Failures with the same cause have equal data. */
  readonly expectedData?: Comparable;
  /** Disturbances of the run. */
  readonly disturbances?: readonly Disturbance[];
  readonly seenAt?: CheckRun["seenAt"];
}

interface ConfirmedCheck {
  readonly clauses: readonly string[];
}

const asRun = (
  { clauses }: ConfirmedCheck,
  { outcome, disturbances = [], seenAt = [], isCertain = false, givenUp }: RunResult,
): CheckRun => ({
  status: outcome.status,
  clauses: outcome.clause_findings?.failed ?? clauses,
  seenAt,
  kind: outcome.kind ?? "value",
  disturbances,
  message: outcome.message,
  isCertain,
  givenUp,
});

/** Decides about a check from its runs so far. */
export const decisionOn = (
  check: ConfirmedCheck,
  results: readonly RunResult[],
  circumstances: Circumstances,
): Decision =>
  decide(
    results.map((result) => asRun(check, result)),
    circumstances,
  );

/** The outcome of a check whose runs are over. */
export function decidedOutcome(
  results: readonly RunResult[],
  { status, shows, note }: Extract<Decision, { next: "end" }>,
): Outcome {
  const shown = results[shows]?.outcome;
  if (!shown) throw new Error("no run of the check shows how it ended");
  if (status === shown.status) return note === undefined ? shown : { ...shown, confirmation: note };
  if (status === "inconsistent") {
    const passed = results.findLast(({ outcome }) => outcome.status === "passed")?.outcome;
    const { steps, exchanges } = passed ?? {};
    const passing_run = { ...(steps && { steps }), ...(exchanges && { exchanges }) };
    return {
      ...shown,
      ...(note !== undefined && { confirmation: note }),
      status,
      ...(passed && { passing_run }),
    };
  }
  const { duration_ms, requests, message, account } = shown;
  return {
    status,
    duration_ms,
    requests,
    ...(account && { account }),
    message: [message, note].filter((part) => part !== undefined).join(" – "),
  };
}

/** Runs a check again: alone, or concurrently with the checks that it ran with. */
type RunAgain<Result> = (how: "alone" | "beside") => Promise<Result>;

/** The runs of a check so far, and its outcome once they decide it. */
interface Confirmed<Result> {
  readonly outcome: Outcome | undefined;
  readonly results: readonly Result[];
}

/**
 * Runs a check again once, unless its runs so far decide its outcome.
 * @param circumstances queried before each run, because a prerequisite may be used up by then
 */
export async function confirmOnce<Result extends RunResult>(
  check: ConfirmedCheck,
  soFar: readonly Result[],
  again: RunAgain<Result>,
  circumstances: () => Circumstances,
): Promise<Confirmed<Result>> {
  const before = decisionOn(check, soFar, circumstances());
  if (before.next === "end") return { outcome: decidedOutcome(soFar, before), results: soFar };
  const results = [...soFar, await again(before.next)];
  const after = decisionOn(check, results, circumstances());
  return { outcome: after.next === "end" ? decidedOutcome(results, after) : undefined, results };
}

/** Runs a check again until its outcome is decided. */
export async function confirm<Result extends RunResult>(
  check: ConfirmedCheck,
  soFar: readonly Result[],
  again: RunAgain<Result>,
  circumstances: () => Circumstances,
): Promise<{ readonly outcome: Outcome; readonly results: readonly Result[] }> {
  for (let results = soFar; ; ) {
    const once = await confirmOnce(check, results, again, circumstances);
    if (once.outcome !== undefined) return { outcome: once.outcome, results: once.results };
    results = once.results;
  }
}
