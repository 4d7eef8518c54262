import { monotonicNow } from "../core/clock.ts";
import { confirm, confirmOnce, decidedOutcome, decisionOn } from "../core/confirmation/confirm.ts";
import type { Circumstances } from "../core/confirmation/decide.ts";
import { isMust, isNever } from "../core/contract/clause-list.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import { reasonText } from "../core/grading/skip-reasons.ts";
import type { CheckId } from "./events.ts";
import type { CheckRun, OpenTarget, RunMode } from "./target.ts";

/** A check whose first run failed or was inconclusive because of a disturbance. */
export interface Failure<Check extends CheckId, Run extends CheckRun> {
  readonly check: Check;
  readonly run: Run;
  /** The outcome, which also depends on other checks. */
  readonly outcome: Outcome;
  /** The checks that ran concurrently with this check. */
  readonly concurrent: readonly Check[];
}

/** Runs a check once more. */
type RunAgain<Check extends CheckId, Run extends CheckRun> = (
  check: Check,
  mode: Omit<RunMode, "run" | "restOfRun">,
) => Promise<Run>;

const ALONE = { alone: true, fresh: true } as const;
const CONCURRENT = { alone: false, fresh: true } as const;

/** The share of the first pass's time that confirmation may take. */
const SHARE_OF_TIME = 0.5;
/** The minimum time in milliseconds, so that short runs can confirm failures too. */
const MIN_MS = 60_000;

/** A repetition counts as this long at least: shorter ones take no time from others. */
const QUICK_MS = 1000;

const clausesOf = ({ id, clauses = [id] }: CheckId) => ({ clauses });

const circumstancesOf = <Check extends CheckId>(
  target: Pick<OpenTarget<Check>, "lacksForAnotherRun">,
  check: Check,
): Circumstances => ({ isNever, lacks: target.lacksForAnotherRun?.(check) });

/** The outcome if the check's first run is enough. Undefined otherwise. */
export function decidedAtOnce<Check extends CheckId>(
  target: Pick<OpenTarget<Check>, "lacksForAnotherRun">,
  check: Check,
  first: CheckRun,
): Outcome | undefined {
  const decision = decisionOn(clausesOf(check), [first], circumstancesOf(target, check));
  return decision.next === "end" ? decidedOutcome([first], decision) : undefined;
}

/**
 * Decides a failure that would block other checks, before it blocks them.
 * @returns the decisive run with its outcome
 */
export async function confirmAtOnce<Check extends CheckId, Run extends CheckRun>(
  target: Pick<OpenTarget<Check>, "lacksForAnotherRun">,
  check: Check,
  first: Run,
  again: RunAgain<Check, Run>,
): Promise<Run> {
  const { outcome, results } = await confirm(
    clausesOf(check),
    [first],
    (how) => again(check, how === "alone" ? ALONE : CONCURRENT),
    () => circumstancesOf(target, check),
  );
  return { ...(results.at(-1) ?? first), outcome };
}

/** A key for failures with a probable common cause. Undefined for a failure without one. */
function causeOf({ run, outcome }: Pick<Failure<CheckId, CheckRun>, "run" | "outcome">): string | undefined {
  const { status, fault, subject, field, relation, operation } = outcome;
  if (status !== "failed" || (fault === undefined && subject === undefined)) return undefined;
  if (fault !== undefined) return JSON.stringify([fault]);
  // The subject of a missing event names its delivery. The field is the event's type.
  const what = relation === "to arrive" ? (field ?? subject) : subject;
  return JSON.stringify([what, relation, run.expectedData, operation]);
}

/** True if a list may have lagged. The checks of such runs share one wait. */
export const hasLag = ({ run }: { readonly run: CheckRun }): boolean =>
  (run.disturbances ?? []).some(({ kind }) => kind === "eventual-consistency");

/** How long the repetition of a failure probably takes, in milliseconds. */
const repetitionMs = ({ outcome }: Pick<Failure<CheckId, CheckRun>, "outcome">): number =>
  Math.max(QUICK_MS, outcome.duration_ms);

/** The repetition of a cause, the quickest of its failures, per failure that it decides. */
const msPerFailure = (group: readonly Failure<CheckId, CheckRun>[]): number =>
  Math.min(...group.map(repetitionMs)) / group.length;

const isShouldOnly = ({ check }: { readonly check: CheckId }): boolean =>
  !clausesOf(check).clauses.some(isMust);

interface ConfirmationOptions {
  /** The duration of the first pass in milliseconds. */
  readonly firstPassMs: number;
  /** The minimum time for confirmation in milliseconds. */
  readonly leastMs?: number | undefined;
}

/** Decides about the failures of the first pass, grouped by cause. */
export class Confirmation<Check extends CheckId, Run extends CheckRun> {
  readonly #target: Pick<OpenTarget<Check>, "lacksForAnotherRun">;
  readonly #again: RunAgain<Check, Run>;
  readonly #options: ConfirmationOptions;
  #start = monotonicNow();

  constructor(
    target: Pick<OpenTarget<Check>, "lacksForAnotherRun">,
    again: RunAgain<Check, Run>,
    options: ConfirmationOptions,
  ) {
    this.#target = target;
    this.#again = again;
    this.#options = options;
  }

  /** @param decided called for each decided failure */
  async all(
    failures: readonly Failure<Check, Run>[],
    decided: (check: Check, outcome: Outcome) => void,
  ): Promise<void> {
    const [lagging, others] = [failures.filter(hasLag), failures.filter((failure) => !hasLag(failure))];
    await Promise.all(lagging.map(async (failure) => decided(failure.check, await this.#repeat(failure))));
    // The wait for lists doesn't count. Failures that affect the verdict come first, and causes with many failures for
    // the time of a repetition before others, so that a slow check doesn't use up the time of quick ones.
    this.#start = monotonicNow();
    const [shoulds, musts] = [others.filter(isShouldOnly), others.filter((one) => !isShouldOnly(one))];
    const groupsOf = (failed: readonly Failure<Check, Run>[]) =>
      [...Map.groupBy(failed, (failure) => causeOf(failure) ?? failure.check.id).values()]
        .map((group) => group.toSorted((one, other) => repetitionMs(one) - repetitionMs(other)))
        .toSorted((one, other) => msPerFailure(one) - msPerFailure(other));
    // A second run decides most failures. Those that it leaves undecided wait, because several more runs of one
    // failure could use up the time of all others.
    const undecided: { readonly group: readonly Failure<Check, Run>[]; readonly results: readonly Run[] }[] =
      [];
    // The failures of a cause that its first failure didn't confirm.
    const unexplained: Failure<Check, Run>[] = [];
    for (const group of [...groupsOf(musts), ...groupsOf(shoulds)]) {
      const [first] = group;
      if (!first) continue;
      if (this.#isOver) {
        await this.#settle(group, outOfTime(first.outcome, NOT_REPEATED), decided);
        continue;
      }
      const { outcome, results } = await confirmOnce(...this.#confirming(first));
      if (outcome === undefined) undecided.push({ group, results });
      else if (outcome.status === "failed") await this.#settle(group, outcome, decided);
      else {
        decided(first.check, outcome);
        unexplained.push(...group.slice(1));
      }
    }
    for (const failure of unexplained) decided(failure.check, await this.#decide(failure));
    for (const { group, results } of undecided) {
      const [first] = group;
      if (!first) continue;
      const outcome = this.#isOver
        ? outOfTime(first.outcome, `undecided after ${results.length} runs`)
        : (await confirm(...this.#confirming(first, results))).outcome;
      await this.#settle(group, outcome, decided);
    }
  }

  /** Decides about all failures with one cause, from the outcome of the first. */
  async #settle(
    [first, ...siblings]: readonly Failure<Check, Run>[],
    outcome: Outcome,
    decided: (check: Check, outcome: Outcome) => void,
  ): Promise<void> {
    if (!first) return;
    const isConfirmed = outcome.status === "failed";
    let confirmedBy = isConfirmed ? first.check.id : undefined;
    const inconsistent: { readonly check: Check; readonly outcome: Outcome }[] = [];
    const end = (check: Check, ended: Outcome) => {
      if (ended.status === "failed") confirmedBy ??= check.id;
      if (ended.status === "inconsistent") inconsistent.push({ check, outcome: ended });
      else decided(check, ended);
    };
    end(first.check, outcome);
    for (const sibling of siblings) {
      const sharesCause = isConfirmed && (sibling.run.disturbances ?? []).length === 0;
      end(
        sibling.check,
        sharesCause
          ? { ...sibling.outcome, confirmation: `confirmed by ${first.check.id}` }
          : await this.#decide(sibling, isConfirmed ? first.check.id : undefined),
      );
    }
    for (const one of inconsistent) decided(one.check, besideConfirmed(one.outcome, confirmedBy));
  }

  get #isOver(): boolean {
    const { firstPassMs, leastMs = MIN_MS } = this.#options;
    return monotonicNow() - this.#start > Math.max(leastMs, SHARE_OF_TIME * firstPassMs);
  }

  /** @param confirmedBy the check that confirmed the cause; undefined if none did */
  async #decide(failure: Failure<Check, Run>, confirmedBy?: string): Promise<Outcome> {
    if (!this.#isOver) return this.#repeat(failure);
    if (confirmedBy !== undefined) return { ...failure.outcome, confirmation: `confirmed by ${confirmedBy}` };
    return outOfTime(failure.outcome, NOT_REPEATED);
  }

  async #repeat(failure: Failure<Check, Run>): Promise<Outcome> {
    return (await confirm(...this.#confirming(failure))).outcome;
  }

  /** What the confirmation of a failure needs, with its runs so far. */
  #confirming(
    { check, run, outcome, concurrent }: Failure<Check, Run>,
    soFar: readonly Run[] = [{ ...run, outcome }],
  ): Parameters<typeof confirm<Run>> {
    return [
      clausesOf(check),
      soFar,
      (how) => (how === "alone" ? this.#again(check, ALONE) : this.#repeatConcurrently(check, concurrent)),
      () => circumstancesOf(this.#target, check),
    ];
  }

  async #repeatConcurrently(check: Check, others: readonly Check[]): Promise<Run> {
    const [run] = await Promise.all([
      this.#again(check, CONCURRENT),
      ...others.map((other) => this.#again(other, CONCURRENT)),
    ]);
    return run;
  }
}

/** An inconsistent outcome, with the check whose failure of the same cause is confirmed. */
const besideConfirmed = (outcome: Outcome, confirmedBy: string | undefined): Outcome =>
  confirmedBy === undefined
    ? outcome
    : {
        ...outcome,
        confirmation: `${outcome.confirmation}, with the difference that is confirmed in ${confirmedBy}`,
      };

const NOT_REPEATED = "not repeated";

/** @param state what is known about the failure, in words */
function outOfTime({ duration_ms, requests, message = "" }: Outcome, state: string): Outcome {
  const skip = { kind: "out of time" } as const;
  const why = `${state}: ${reasonText(skip)}`;
  return { status: "not_verified", duration_ms, requests, message: `${message} – ${why}`, skip };
}

const FIRST: RunMode = { run: "first", alone: false, fresh: false, restOfRun: Promise.resolve() };

/** Runs a single check on an open target, and decides about it immediately. */
export async function examine<Check extends CheckId, Run extends CheckRun>(
  target: Pick<OpenTarget<Check, Run>, "runOnce" | "lacksForAnotherRun">,
  check: Check,
): Promise<Outcome> {
  const first = await target.runOnce(check, FIRST);
  const decided = await confirmAtOnce(target, check, first, (again, mode) =>
    target.runOnce(again, { ...FIRST, ...mode, run: "confirmation" }),
  );
  return decided.outcome;
}
