import { clauseListOf } from "../core/contract/clause-list.ts";
import { blockedBy, type Outcome } from "../core/grading/outcome.ts";
import { severityOf } from "../core/grading/suite.ts";
import { Permits } from "../core/permits.ts";
import { type RunOrder, runOrder } from "../engine/order.ts";
import type { OpenTarget, OutcomeOf, RunMode, RunStart, RunTarget } from "../engine/target.ts";
import type { ReceiverCheck } from "./check.ts";
import { type ReceiverRun, type RunCheckOptions, runCheck } from "./run-check.ts";
import { BlockedByGateway } from "./session/blocked-by-gateway.ts";
import { BlockingFailure, type Foundation } from "./session/blocking-failure.ts";
import { NegativeControlAccepted } from "./session/negative-control-accepted.ts";
import { Concurrent, type Pace, sequential } from "./session/pace.ts";
import { ReceiverSession, type ReceiverSessionOptions } from "./session/session.ts";
import type { ReceiverTarget } from "./session/settings.ts";

/** What checks depend on, in the order in which the run waits for it: responses, then effects. */
const FOUNDATIONS: readonly Foundation[] = ["responses", "effects"];

const foundationOf = ({ needs }: ReceiverCheck, foundation: Foundation): boolean =>
  foundation === "responses" || needs.includes(foundation);

/**
 * True if no other check may run concurrently. A burst may run beside other checks if deliveries are
 * concurrent.
 */
const isExclusive = ({ exclusive, burst }: ReceiverCheck): boolean => exclusive || burst;

/** The check that runs first for each prerequisite. */
function firstOfEachFoundation(checks: readonly ReceiverCheck[]): ReadonlyMap<Foundation, ReceiverCheck> {
  const { concurrent, serial } = runOrder(checks, isExclusive);
  const inTurn = [...concurrent, ...serial].filter(({ wholeRun }) => !wholeRun);
  return new Map(
    FOUNDATIONS.flatMap((foundation) => {
      const first = inTurn.find((check) => foundationOf(check, foundation));
      return first ? [[foundation, first] as const] : [];
    }),
  );
}

/**
 * The order of checks: prerequisites first, exclusive checks last. Long checks start early. Checks of effects
 * come before checks of only responses, because they take longer.
 * @param isConcurrent true if the deliveries of a check are concurrent: bursts then run beside other checks
 */
function orderOf(checks: readonly ReceiverCheck[], isConcurrent: boolean): RunOrder<ReceiverCheck> {
  const first = [...firstOfEachFoundation(checks).values()];
  const place = (check: ReceiverCheck): number => {
    if (isExclusive(check)) return 4;
    if (first.includes(check)) return 0;
    if (check.startsEarly) return 1;
    return foundationOf(check, "effects") ? 2 : 3;
  };
  const wholeRun = checks.filter((check) => check.wholeRun);
  const others = checks
    .filter((check) => !check.wholeRun)
    .toSorted((one, other) => place(one) - place(other));
  const mustRunAlone = ({ exclusive }: ReceiverCheck) => exclusive;
  if (!isConcurrent) return { wholeRun, ...runOrder(others, isExclusive) };
  // A check that waits for an exclusive lock would delay every check behind it.
  const { concurrent, serial } = runOrder(others, mustRunAlone);
  return { wholeRun, ahead: [concurrent], concurrent: serial, serial: [] };
}

interface ReceiverTargetOptions extends Omit<ReceiverSessionOptions, "notice"> {
  /**
   * The maximum number of concurrent deliveries to a slow receiver. By default, the deliveries of a check
   * follow each other.
   */
  readonly atOnce?: number | undefined;
}

/** A webhook receiver as the target of a run. */
export const receiverTarget = (
  target: ReceiverTarget,
  { atOnce, ...options }: ReceiverTargetOptions = {},
): RunTarget<ReceiverCheck, ReceiverRun> => ({
  open: async ({ checks, seed, notice }: RunStart<ReceiverCheck>) => {
    const outages: string[] = [];
    const session = new ReceiverSession(target, {
      ...options,
      notice: (line) => {
        outages.push(line);
        notice(line);
      },
    });
    const pace = atOnce === undefined ? sequential : new Concurrent(new Permits(atOnce));
    return new OpenReceiver(session, checks, { seed, outages, pace });
  },
});

/**
 * A receiver during a run. For each prerequisite, one check runs first. If the prerequisite never holds, that
 * check blocks all checks that depend on it.
 */
class OpenReceiver implements OpenTarget<ReceiverCheck, ReceiverRun> {
  readonly order;
  readonly redact;
  readonly #session: ReceiverSession;
  readonly #seed: number;
  readonly #outages: readonly string[];
  readonly #pace: Pace;
  readonly #firsts: ReadonlyMap<Foundation, ReceiverCheck>;
  readonly #blockers = new Map<Foundation, string>();
  readonly #failed = new Set<string>();
  /** The checks that a disturbance affected. */
  readonly #disturbed = new Set<string>();
  /** For a check whose negative control was accepted, the id of the check that judges the negative control. */
  readonly #judges = new Map<string, string>();
  readonly #clauses = clauseListOf("receiver").clauses;

  constructor(
    session: ReceiverSession,
    checks: readonly ReceiverCheck[],
    {
      seed,
      outages,
      pace,
    }: { readonly seed: number; readonly outages: readonly string[]; readonly pace: Pace },
  ) {
    this.#session = session;
    this.#seed = seed;
    this.#outages = outages;
    this.#pace = pace;
    this.#firsts = firstOfEachFoundation(checks);
    this.order = orderOf(checks, !this.#isSequential);
    this.redact = session.redact;
  }

  get #isSequential(): boolean {
    return this.#pace === sequential;
  }

  async blockedBefore(check: ReceiverCheck, endOf: OutcomeOf<ReceiverCheck>): Promise<Outcome | undefined> {
    for (const foundation of FOUNDATIONS.filter((one) => foundationOf(check, one))) {
      const first = this.#firsts.get(foundation);
      if (first && first !== check) {
        await Promise.race([
          endOf(first),
          ...(this.#isSequential ? [] : [this.#session.whenMet(foundation)]),
        ]);
      }
      const blocker = this.#blockers.get(foundation);
      if (blocker !== undefined) return blockedBy(blocker);
    }
    return undefined;
  }

  lacksForAnotherRun({ id, wholeRun }: ReceiverCheck): string | undefined {
    if (this.#session.isLost) return "the receiver no longer answers";
    return wholeRun && !this.#disturbed.has(id) ? "the check needs the whole run" : undefined;
  }

  blocksOthers(_check: ReceiverCheck, { failure }: ReceiverRun): boolean {
    return failure instanceof BlockingFailure;
  }

  async outcomeAmongOthers(check: ReceiverCheck, { outcome, failure }: ReceiverRun): Promise<Outcome> {
    if (outcome.status === "failed") this.#failed.add(check.id);
    if (failure instanceof NegativeControlAccepted) this.#judges.set(check.id, failure.judge);
    return failure instanceof BlockingFailure ? this.#blocking(check, failure, outcome) : outcome;
  }

  /**
   * Blocks a check without a result because of an accepted negative control, if the check that judges the
   * negative control failed.
   */
  corrections(): ReadonlyMap<string, Outcome> {
    const judged = [...this.#judges].filter(([, judge]) => this.#failed.has(judge));
    return new Map(judged.map(([id, judge]) => [id, blockedBy(judge)]));
  }

  /**
   * Makes a failure block the checks with the same prerequisite. If a gateway blocks several checks, only the
   * first MUST check reports the gateway.
   */
  #blocking(check: ReceiverCheck, failure: BlockingFailure, outcome: Outcome): Outcome {
    const { foundation } = failure;
    const blocker = this.#blockers.get(foundation);
    if (failure instanceof BlockedByGateway) {
      if (blocker !== undefined) return blockedBy(blocker);
      if (severityOf(check.clauses, this.#clauses) === "SHOULD") return outcome;
    }
    if (blocker === undefined) this.#blockers.set(foundation, check.id);
    return outcome;
  }

  async runOnce(check: ReceiverCheck, mode: RunMode): Promise<ReceiverRun> {
    if (mode.run === "confirmation") await this.#session.untilBack();
    const result = (await this.#concurrently(check, mode)) ?? (await this.#sequentially(check, mode));
    if ((result.disturbances ?? []).length > 0) this.#disturbed.add(check.id);
    return result;
  }

  /**
   * Runs a check with concurrent deliveries. Undefined if the check must run again sequentially: only a pass
   * counts, because concurrent deliveries may have caused a failure, and a crash has several suspects.
   */
  async #concurrently(check: ReceiverCheck, { run, restOfRun }: RunMode): Promise<ReceiverRun | undefined> {
    const pace = this.#pace;
    if (this.#isSequential || check.wholeRun || run === "confirmation") return undefined;
    const once = () => pace.asOneDelivery(() => this.#once(check, { restOfRun, pace, isTentative: true }));
    const { lock } = this.#session;
    // Several checks of one clause may run together even if they stop the receiver, because that clause fails
    // then.
    const result = await (check.exclusive ? lock.grouped(check.clauses.join(), once) : lock.shared(once));
    if (result.outcome.status === "passed" || this.#session.isLost) return result;
    await this.#session.untilBack();
    return undefined;
  }

  #sequentially(check: ReceiverCheck, { alone, restOfRun }: RunMode): Promise<ReceiverRun> {
    if (check.wholeRun) return this.#once(check, { restOfRun, pace: this.#pace });
    const { lock } = this.#session;
    const once = () => this.#pace.asOneDelivery(() => this.#once(check, { restOfRun }));
    return isExclusive(check) || alone ? lock.exclusive(once) : lock.shared(once);
  }

  #once(check: ReceiverCheck, options: RunCheckOptions): Promise<ReceiverRun> {
    return runCheck(check, this.#session, this.#seed, options);
  }

  summary() {
    const { requests } = this.#session;
    return { requests, ...(this.#outages.length > 0 && { outages: this.#outages }) };
  }

  async close(): Promise<void> {
    this.#session.close();
  }
}
