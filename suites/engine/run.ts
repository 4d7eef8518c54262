import { monotonicNow } from "../core/clock.ts";
import { forEachConcurrently } from "../core/concurrency.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import { textOf } from "../core/json.ts";
import { Confirmation, confirmAtOnce, decidedAtOnce, type Failure, hasLag } from "./confirmation.ts";
import { EventQueue } from "./event-queue.ts";
import type { CheckId, RunEvent, RunSummary } from "./events.ts";
import { shuffled } from "./order.ts";
import type { CheckRun, OpenTarget, OutcomeOf, RunMode, RunTarget } from "./target.ts";

export interface RunOptions {
  /** The seed of all randomness. Defaults to 1. */
  readonly seed?: number;
  /** The number of concurrent checks. Defaults to 8. */
  readonly jobs?: number;
  /** True to run the checks in a seeded order, except for prerequisites. */
  readonly shuffle?: boolean;
  /**
   * Aborts the run: no more checks start, running ones end, and a quick cleanup follows. During the cleanup,
   * it ends the cleanup.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * The minimum time for running failed checks again, in milliseconds. Defaults to 60,000. Half of the run's
   * time is allowed in any case.
   */
  readonly leastConfirmationMs?: number | undefined;
  /** False to count each failure without a second run. Defaults to true. */
  readonly confirms?: boolean;
  /** Ends the first pass: no more checks start, running ones end, and failures are confirmed. */
  readonly enough?: AbortSignal | undefined;
  /** Also ends the cleanup of an aborted run. */
  readonly giveUp?: AbortSignal | undefined;
  /** Called with the ids of the running checks when a check starts or ends, also for repeated runs. */
  readonly onRunning?: ((ids: readonly string[]) => void) | undefined;
}

/** The time limit for ending an aborted run. */
const STOPPING_MS = 15_000;
/** The time limit after `giveUp`. */
const GIVING_UP_MS = 2_000;

/**
 * Runs checks on a target: prerequisites first, then concurrent checks, then serial ones, and passive checks
 * last. Leaving the loop over its events aborts the run.
 * @throws if the target can't be opened, or if the suite itself fails outside any check
 */
export async function* run<Check extends CheckId, Run extends CheckRun>(
  checks: readonly Check[],
  target: RunTarget<Check, Run>,
  {
    seed = 1,
    jobs = 8,
    shuffle = false,
    signal,
    confirms = true,
    enough,
    giveUp,
    leastConfirmationMs,
    onRunning,
  }: RunOptions = {},
): AsyncGenerator<RunEvent<Check>, void, undefined> {
  const queue = new EventQueue<RunEvent<Check>>();
  const loopLeft = new AbortController();
  const stop = AbortSignal.any([loopLeft.signal, ...(signal ? [signal] : [])]);
  const execution = new Execution(
    shuffle ? shuffled(checks, seed) : checks,
    target,
    { seed, jobs, signal: stop, confirms, enough, giveUp, leastConfirmationMs, onRunning },
    (event) => queue.push(event),
  );
  const deadline = new AbortDeadline(stop, giveUp);
  const over = Promise.race([execution.whole(), deadline.ended]).then((summary) => {
    queue.push({ type: "end", summary: summary ?? execution.abandoned });
    queue.end();
  });
  over.catch((error: unknown) => queue.fail(error));
  try {
    yield* queue;
  } finally {
    loopLeft.abort();
    await over.catch(() => {});
    deadline.close();
  }
}

/** Abandons an aborted run that doesn't end in time. */
class AbortDeadline {
  readonly ended: Promise<undefined>;
  #end: () => void = () => {};
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(stop: AbortSignal, giveUp: AbortSignal | undefined) {
    this.ended = new Promise((resolve) => {
      this.#end = () => resolve(undefined);
    });
    onAbort(stop, () => this.#within(STOPPING_MS));
    if (giveUp) onAbort(giveUp, () => this.#within(GIVING_UP_MS));
  }

  #within(milliseconds: number): void {
    this.#timers.push(setTimeout(this.#end, milliseconds));
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener("abort", act, { once: true });
}

interface ExecutionOptions {
  readonly seed: number;
  readonly jobs: number;
  readonly signal: AbortSignal;
  readonly confirms: boolean;
  readonly enough: AbortSignal | undefined;
  readonly giveUp: AbortSignal | undefined;
  readonly leastConfirmationMs: number | undefined;
  readonly onRunning: RunOptions["onRunning"];
}

/** One run of checks on a target. */
class Execution<Check extends CheckId, Run extends CheckRun> {
  readonly #checks: readonly Check[];
  readonly #target: RunTarget<Check, Run>;
  readonly #options: ExecutionOptions;
  readonly #emit: (event: RunEvent<Check>) => void;
  #open: OpenTarget<Check, Run> | undefined;
  readonly #ended = new Map<Check, Promise<Outcome | undefined>>();
  /** For each waiting check, the check that it waits for. */
  readonly #waitsFor = new Map<Check, Check>();
  readonly #failures: Failure<Check, Run>[] = [];
  /** The running checks, each with the checks that run or ran concurrently. */
  readonly #running = new Map<Check, Set<Check>>();
  /** The current runs of checks, first runs and repeated ones. */
  readonly #runs = new Set<{ readonly check: Check }>();
  readonly #results = new Map<Check, Outcome>();
  readonly #othersEnded = Promise.withResolvers<void>();

  constructor(
    checks: readonly Check[],
    target: RunTarget<Check, Run>,
    options: ExecutionOptions,
    emit: (event: RunEvent<Check>) => void,
  ) {
    this.#checks = checks;
    this.#target = target;
    this.#options = options;
    this.#emit = emit;
  }

  async whole(): Promise<RunSummary> {
    const { seed, signal } = this.#options;
    const open = await this.#target.open({
      checks: this.#checks,
      seed,
      signal,
      notice: (text) => this.#emit({ type: "notice", text }),
    });
    this.#open = open;
    const began = monotonicNow();
    try {
      onAbort(signal, () => open.stop?.());
      await this.#firstPass(open);
      if (!this.#isStopped) await open.activeChecksEnded?.();
      const corrections = open.corrections?.() ?? new Map<string, Outcome>();
      if (!this.#isStopped) await this.#eachOf(open.order.passive ?? [], 1);
      const failures = this.#failures.map((failure) => ({
        ...failure,
        outcome: corrections.get(failure.check.id) ?? failure.outcome,
      }));
      for (const check of this.#results.keys()) {
        const outcome = corrections.get(check.id);
        if (outcome) this.#decided(check, outcome);
      }
      const reopened = open.reopened?.() ?? new Map<string, Run>();
      for (const check of this.#results.keys()) {
        const run = reopened.get(check.id);
        if (run) failures.push({ check, run, outcome: run.outcome, concurrent: [] });
      }
      const confirmation = new Confirmation<Check, Run>(
        open,
        (check, mode) =>
          this.#runOnce(open, check, {
            ...mode,
            run: "confirmation",
            restOfRun: this.#othersEnded.promise,
          }),
        { firstPassMs: monotonicNow() - began, leastMs: this.#options.leastConfirmationMs },
      );
      if (this.#options.confirms)
        await confirmation.all(failures, (check, outcome) => this.#decided(check, outcome));
      else for (const { check, outcome } of failures) this.#decided(check, outcome);
      const cleanup = await this.#cleanUp(open);
      await open.close();
      return { ...open.summary(), ...(cleanup && { cleanup }) };
    } catch (error) {
      await open.close();
      throw error;
    }
  }

  /** The summary of an abandoned run. */
  get abandoned(): RunSummary {
    return { requests: 0, ...this.#open?.summary(), abandoned: true };
  }

  get #isStopped(): boolean {
    return this.#endedBy(this.#options.signal);
  }

  get #mayBegin(): boolean {
    const { signal, enough } = this.#options;
    return !this.#endedBy(signal) && !this.#endedBy(enough);
  }

  #endedBy(signal: AbortSignal | undefined): boolean {
    return signal?.aborted === true && this.#target.gradesWhenAborted !== true;
  }

  async #firstPass({ order }: OpenTarget<Check, Run>): Promise<void> {
    const { wholeRun = [], ahead = [], concurrent, serial } = order;
    const { jobs } = this.#options;
    const wholeRunChecks = this.#eachOf(wholeRun, wholeRun.length);
    for (const step of ahead) await this.#eachOf(step, jobs);
    await this.#eachOf(concurrent, jobs);
    await this.#eachOf(serial, 1);
    this.#othersEnded.resolve();
    await wholeRunChecks;
  }

  #eachOf(checks: readonly Check[], jobs: number): Promise<void> {
    return forEachConcurrently(checks, jobs, async (check) => {
      await this.#examine(check);
    });
  }

  /** Runs a check once in the first pass. Undefined if the run was stopped before. */
  #examine(check: Check): Promise<Outcome | undefined> {
    const ended = this.#ended.get(check) ?? this.#ending(check);
    this.#ended.set(check, ended);
    return ended;
  }

  async #ending(check: Check): Promise<Outcome | undefined> {
    const open = this.#open;
    if (!this.#mayBegin || !open) return undefined;
    const start = monotonicNow();
    try {
      return await this.#firstRun(open, check);
    } catch (error) {
      const outcome: Outcome = {
        status: "errored",
        duration_ms: Math.round(monotonicNow() - start),
        requests: 0,
        message: open.redact.text(error instanceof Error ? (error.stack ?? error.message) : textOf(error)),
      };
      this.#decided(check, outcome);
      return outcome;
    }
  }

  async #firstRun(open: OpenTarget<Check, Run>, check: Check): Promise<Outcome | undefined> {
    const outcomeOf: OutcomeOf<Check> = (other) => this.#outcomeOfOther(other, check);
    const blocked = await open.blockedBefore?.(check, outcomeOf);
    if (!this.#mayBegin) return undefined;
    if (blocked) {
      this.#decided(check, blocked);
      return blocked;
    }
    const mode: Omit<RunMode, "run"> = { alone: false, fresh: false, restOfRun: this.#othersEnded.promise };
    const concurrent = this.#begins(check);
    const first = await this.#runOnce(open, check, { ...mode, run: "first" });
    this.#running.delete(check);
    const isFailed = first.outcome.status === "failed";
    const isDecided = this.#options.confirms && isFailed && open.blocksOthers?.(check, first) === true;
    const run = isDecided
      ? await confirmAtOnce(open, check, first, (one, how) =>
          this.#runOnce(open, one, { ...mode, ...how, run: "confirmation" }),
        )
      : first;
    const outcome = await this.#amongOthers(open, check, { first, run, outcomeOf });
    // The abort may have ended the check.
    if (this.#isStopped) return undefined;
    const decided = isDecided ? outcome : decidedAtOnce(open, check, { ...first, outcome });
    if (decided) {
      this.#decided(check, decided);
      return decided;
    }
    this.#failures.push({ check, run, outcome, concurrent: [...concurrent] });
    // A list that lags often fails the first run on a conforming server.
    if (outcome.status === "failed" && !hasLag({ run }))
      this.#emit({ type: "failure", provisional: true, check, outcome });
    return outcome;
  }

  /** Runs a check, and reports it as running meanwhile. */
  async #runOnce(open: OpenTarget<Check, Run>, check: Check, mode: RunMode): Promise<Run> {
    const current = { check };
    this.#runs.add(current);
    this.#reportRunning();
    try {
      return await open.runOnce(check, mode);
    } finally {
      this.#runs.delete(current);
      this.#reportRunning();
    }
  }

  #reportRunning(): void {
    this.#options.onRunning?.([...this.#runs].map(({ check }) => check.id));
  }

  /**
   * The outcome, taking the other checks into account. If another check fails for the same reason, it blocks
   * this one.
   */
  async #amongOthers(
    open: OpenTarget<Check, Run>,
    check: Check,
    {
      first,
      run,
      outcomeOf,
    }: { readonly first: Run; readonly run: Run; readonly outcomeOf: OutcomeOf<Check> },
  ): Promise<Outcome> {
    const isInconsistent = run.outcome.status === "inconsistent";
    const amongOthers = await open.outcomeAmongOthers?.(check, isInconsistent ? first : run, outcomeOf);
    return amongOthers === undefined || (isInconsistent && amongOthers.status !== "blocked")
      ? run.outcome
      : amongOthers;
  }

  /** @returns the checks that run concurrently with it; more are added as they start */
  #begins(check: Check): ReadonlySet<Check> {
    const concurrent = new Set(this.#running.keys());
    for (const others of this.#running.values()) others.add(check);
    this.#running.set(check, concurrent);
    return concurrent;
  }

  #decided(check: Check, outcome: Outcome): void {
    this.#results.set(check, outcome);
    this.#emit({ type: "result", check, outcome });
  }

  /** The outcome of another check that this one depends on. Undefined if that check waits for this one. */
  async #outcomeOfOther(other: Check, check: Check): Promise<Outcome | undefined> {
    for (let next: Check | undefined = other; next !== undefined; next = this.#waitsFor.get(next)) {
      if (next === check) return undefined;
    }
    this.#waitsFor.set(check, other);
    const outcome = await this.#examine(other);
    this.#waitsFor.delete(check);
    return outcome;
  }

  async #cleanUp(open: OpenTarget<Check, Run>) {
    const { signal, giveUp } = this.#options;
    const isInterrupted = signal.aborted;
    const stopped = AbortSignal.any([...(isInterrupted ? [] : [signal]), ...(giveUp ? [giveUp] : [])]);
    return open.cleanUp?.({ isInterrupted, stopped });
  }
}
