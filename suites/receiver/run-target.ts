import { clauseListOf } from "../core/contract/clause-list.ts";
import { blockedBy, type Outcome } from "../core/grading/outcome.ts";
import { severityOf } from "../core/grading/suite.ts";
import type { CheckRun, EndOf, OpenTarget, RunMode, RunStart, RunTarget } from "../engine/target.ts";
import type { ReceiverCheck } from "./check.ts";
import { buildsOn, FOUNDATIONS, firstOnes, orderOf } from "./check-order.ts";
import { runCheck } from "./run-check.ts";
import { BlockingFailure, type Foundation } from "./session/blocking-failure.ts";
import { ConnectionLost } from "./session/connection-lost.ts";
import { EffectsUnreachable } from "./session/effects.ts";
import { FaultyTwinTaken } from "./session/faulty-twin-taken.ts";
import { ReceiverSession, type ReceiverSessionOptions } from "./session/session.ts";
import type { ReceiverTarget } from "./session/settings.ts";
import { BlockedByGateway } from "./session/turned-away.ts";

/** Number of times that a check that looks back on a run may begin. */
const MOST_BEGINNINGS = 5;

/** The end of a check's run, and the reason of a failure. */
export interface ReceiverRun extends CheckRun {
  readonly failure: unknown;
}

const isDisturbed = ({ failure }: ReceiverRun): boolean =>
  failure instanceof ConnectionLost || failure instanceof EffectsUnreachable;

/** A webhook receiver as the target of a run. */
export const receiverTarget = (
  target: ReceiverTarget,
  options: Omit<ReceiverSessionOptions, "notice"> = {},
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
    return new OpenReceiver(session, checks, { seed, outages });
  },
});

/**
 * A receiver in a run. The first check of a foundation goes ahead, and the others wait until it ended. If the
 * foundation never holds, that check blocks them.
 */
class OpenReceiver implements OpenTarget<ReceiverCheck, ReceiverRun> {
  readonly order;
  readonly redact;
  readonly #session: ReceiverSession;
  readonly #seed: number;
  readonly #outages: readonly string[];
  readonly #firsts: ReadonlyMap<Foundation, ReceiverCheck>;
  readonly #blockers = new Map<Foundation, string>();
  readonly #failed = new Set<string>();
  /** The check that fails if a negative control was accepted, by the check that met it. */
  readonly #judges = new Map<string, string>();
  readonly #clauses = clauseListOf("receiver").clauses;

  constructor(
    session: ReceiverSession,
    checks: readonly ReceiverCheck[],
    { seed, outages }: { readonly seed: number; readonly outages: readonly string[] },
  ) {
    this.#session = session;
    this.#seed = seed;
    this.#outages = outages;
    this.#firsts = firstOnes(checks);
    this.order = orderOf(checks);
    this.redact = session.redact;
  }

  async blockedBefore(check: ReceiverCheck, endOf: EndOf<ReceiverCheck>): Promise<Outcome | undefined> {
    for (const foundation of FOUNDATIONS.filter((one) => buildsOn(check, one))) {
      const first = this.#firsts.get(foundation);
      if (first && first !== check) await endOf(first);
      const blocker = this.#blockers.get(foundation);
      if (blocker !== undefined) return blockedBy(blocker);
    }
    return undefined;
  }

  lacksForAnotherRun({ wholeRun }: ReceiverCheck): string | undefined {
    if (this.#session.isLost) return "the receiver no longer answers";
    return wholeRun ? "it looks back on the whole run" : undefined;
  }

  blocksOthers(_check: ReceiverCheck, { failure }: ReceiverRun): boolean {
    return failure instanceof BlockingFailure;
  }

  async outcomeAmongOthers(check: ReceiverCheck, { outcome, failure }: ReceiverRun): Promise<Outcome> {
    if (outcome.status === "failed") this.#failed.add(check.id);
    if (failure instanceof FaultyTwinTaken) this.#judges.set(check.id, failure.judge);
    return failure instanceof BlockingFailure ? this.#blocking(check, failure, outcome) : outcome;
  }

  /**
   * Blocks a check that gave no result because its negative control was accepted, if the check that judges that control
   * failed.
   */
  corrections(): ReadonlyMap<string, Outcome> {
    const judged = [...this.#judges].filter(([, judge]) => this.#failed.has(judge));
    return new Map(judged.map(([id, judge]) => [id, blockedBy(judge)]));
  }

  /**
   * Lets a failure block the checks that build on the same foundation. A gateway's block may reach several checks at
   * once: the first MUST check reports it, and no other does, so that a SHOULD check never represents it.
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

  /**
   * Runs a check again if a connection was lost, to the receiver or its effects interface, while other checks were
   * using it: alone, or once the others have ended. Only that shows which request was the cause. A check that passed
   * while the receiver went down also runs again: the answer just before may have been the cause.
   */
  async runOnce(check: ReceiverCheck, { restOfRun }: RunMode): Promise<ReceiverRun> {
    let isRestOver = false;
    void restOfRun.then(() => {
      isRestOver = true;
    });
    const once = () => runCheck(check, this.#session, this.#seed, { restOfRun: () => restOfRun });
    const { lock } = this.#session;
    const again = async () => {
      await this.#session.untilBack();
      return once();
    };
    if (check.alone) {
      const first = await lock.exclusive(once);
      // Several of its own requests were under way. A loss that repeats is this check's.
      const isUnclear = first.failure instanceof ConnectionLost && !first.failure.wasAlone;
      return isUnclear && !this.#session.isLost ? lock.exclusive(again) : first;
    }
    const { outages } = this.#session;
    let beside = await (check.wholeRun ? once() : lock.shared(once));
    // A check that looks back on the run restarts while part of the run is left.
    const isAgainOfUse = () => check.wholeRun && isDisturbed(beside) && !isRestOver;
    for (let begun = 1; begun < MOST_BEGINNINGS && isAgainOfUse(); begun += 1) beside = await again();
    const wentDown = !check.wholeRun && beside.failure === undefined && this.#session.outages > outages;
    if (!wentDown && !isDisturbed(beside)) return beside;
    // Gone for good, and by nothing else: nothing more can be learned.
    if (beside.failure instanceof ConnectionLost && beside.failure.wasAlone && this.#session.isLost)
      return beside;
    if (!check.wholeRun) return lock.exclusive(again);
    await restOfRun;
    return again();
  }

  summary() {
    const { requests } = this.#session;
    return { requests, ...(this.#outages.length > 0 && { outages: this.#outages }) };
  }

  async close(): Promise<void> {
    this.#session.close();
  }
}
