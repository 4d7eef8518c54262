import type { Outcome } from "../core/grading/outcome.ts";
import type { CheckId } from "./events.ts";
import type { CheckRun, OpenTarget, RunMode } from "./target.ts";

/** A check that failed in the first pass. */
export interface Failure<Check extends CheckId, Run extends CheckRun> {
  readonly check: Check;
  readonly run: Run;
  /** The outcome in view of the other checks. */
  readonly outcome: Outcome;
}

/** Runs a check once more. */
export type RunAgain<Check extends CheckId, Run extends CheckRun> = (
  check: Check,
  mode: Omit<RunMode, "run" | "restOfRun">,
) => Promise<Run>;

/**
 * Decides about a failure that others would be blocked by, before they are.
 * @returns the run that counts
 */
export async function confirmAtOnce<Check extends CheckId, Run extends CheckRun>(
  _check: Check,
  first: Run,
  _again: RunAgain<Check, Run>,
): Promise<Run> {
  return first;
}

/** Decides about the failures of the first pass, and reports each as it is decided. */
export async function confirmAll<Check extends CheckId, Run extends CheckRun>(
  failures: readonly Failure<Check, Run>[],
  _again: RunAgain<Check, Run>,
  decided: (check: Check, outcome: Outcome) => void,
): Promise<void> {
  for (const { check, outcome } of failures) decided(check, outcome);
}

const FIRST: RunMode = { run: "first", alone: false, fresh: false, restOfRun: Promise.resolve() };

/** Runs a single check of an open target, outside any run, and decides at once. */
export async function examine<Check extends CheckId, Run extends CheckRun>(
  target: Pick<OpenTarget<Check, Run>, "runOnce">,
  check: Check,
): Promise<Outcome> {
  const first = await target.runOnce(check, FIRST);
  const counts = await confirmAtOnce(check, first, (again, mode) =>
    target.runOnce(again, { ...FIRST, ...mode, run: "confirmation" }),
  );
  return counts.outcome;
}
