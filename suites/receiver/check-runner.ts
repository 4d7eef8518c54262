import { ledgerOf } from "../core/contract/ledger.ts";
import { blockedBy, type Outcome } from "../core/grading/outcome.ts";
import { severityOf } from "../core/grading/suite.ts";
import type { ReceiverCheck } from "./check.ts";
import { buildsOn, FOUNDATIONS, firstOnes } from "./check-order.ts";
import { type Ended, runCheck } from "./run-check.ts";
import { BlockingFailure, type Foundation } from "./session/blocking-failure.ts";
import { ConnectionLost } from "./session/connection-lost.ts";
import { EffectsUnreachable } from "./session/effects.ts";
import { FaultyTwinTaken } from "./session/faulty-twin-taken.ts";
import type { ReceiverSession } from "./session/session.ts";
import { TurnedAway } from "./session/turned-away.ts";

/** Something that happens once, and can be waited for before and after it did. */
class Signal {
  readonly happened: Promise<void>;
  #give: () => void = () => {};
  isGiven = false;

  constructor() {
    this.happened = new Promise((resolve) => {
      this.#give = resolve;
    });
  }

  give(): void {
    this.isGiven = true;
    this.#give();
  }
}

/** As often one that looks back on a run begins anew in it. */
const MOST_BEGINNINGS = 5;

const isDisturbed = ({ failure }: Ended): boolean =>
  failure instanceof ConnectionLost || failure instanceof EffectsUnreachable;

/**
 * One run of checks on a receiver. The first check that builds on something goes ahead, and the others that build on it
 * wait until it ended: where what it builds on never holds, they are blocked by it.
 */
export class CheckRunner {
  readonly #session: ReceiverSession;
  readonly #seed: number;
  readonly #firsts: ReadonlyMap<Foundation, { readonly check: ReceiverCheck; readonly ended: Signal }>;
  readonly #blockers = new Map<Foundation, string>();
  readonly #rest = new Signal();
  readonly #clauses = ledgerOf("receiver").clauses;
  readonly #wholeRun: ReadonlyMap<ReceiverCheck, Promise<Outcome>>;
  readonly #checks: readonly ReceiverCheck[];
  /** Checks that were begun, each once, whoever asked first how it ends. */
  readonly #begun = new Map<ReceiverCheck, Promise<Outcome>>();
  #left: number;

  /** @param checks all that are to run, each once */
  constructor(session: ReceiverSession, checks: readonly ReceiverCheck[], seed: number) {
    this.#session = session;
    this.#seed = seed;
    this.#checks = checks;
    this.#firsts = new Map(
      [...firstOnes(checks)].map(([foundation, check]) => [foundation, { check, ended: new Signal() }]),
    );
    const others = checks.filter(({ wholeRun }) => !wholeRun);
    this.#left = others.length;
    if (this.#left === 0) this.#rest.give();
    const lasting = checks.filter(({ wholeRun }) => wholeRun);
    this.#wholeRun = new Map(
      lasting.map((check) => [check, this.#unlessBlocked(check).then(({ outcome }) => outcome)]),
    );
  }

  /** Runs one check of the run and says how it ended; never throws. */
  examine(check: ReceiverCheck): Promise<Outcome> {
    const begun = this.#wholeRun.get(check) ?? this.#begun.get(check);
    if (begun) return begun;
    const outcome = this.#examine(check);
    this.#begun.set(check, outcome);
    return outcome;
  }

  async #examine(check: ReceiverCheck): Promise<Outcome> {
    const { outcome, failure } = await this.#unlessBlocked(check);
    for (const { check: first, ended } of this.#firsts.values()) if (first === check) ended.give();
    this.#left -= 1;
    if (this.#left === 0) this.#rest.give();
    return failure instanceof FaultyTwinTaken ? this.#judgedBy(failure.judge, outcome) : outcome;
  }

  /** What showed nothing since its faulty twin was taken is blocked by the check that fails by that, where it does. */
  async #judgedBy(id: string, outcome: Outcome): Promise<Outcome> {
    const judge = this.#checks.find((check) => check.id === id);
    if (judge === undefined) return outcome;
    const { status } = await this.examine(judge);
    return status === "failed" ? blockedBy(id) : outcome;
  }

  async #unlessBlocked(check: ReceiverCheck): Promise<Ended> {
    const ended = (outcome: Outcome): Ended => ({ outcome, failure: undefined });
    for (const foundation of FOUNDATIONS.filter((one) => buildsOn(check, one))) {
      const first = this.#firsts.get(foundation);
      if (first && first.check !== check) await first.ended.happened;
      const blocker = this.#blockers.get(foundation);
      if (blocker !== undefined) return ended(blockedBy(blocker));
    }
    const { outcome, failure } = await this.#alongOthers(check);
    if (!(failure instanceof BlockingFailure)) return { outcome, failure };
    return ended(this.#blocking(check, failure, outcome));
  }

  /**
   * Lets a failure block what builds on the same. One that comes over checks in the middle of a run may come over several at
   * a time: the first that has to hold is told of, and no other, so that what only should be never stands for it.
   */
  #blocking(check: ReceiverCheck, failure: BlockingFailure, outcome: Outcome): Outcome {
    const { foundation } = failure;
    const blocker = this.#blockers.get(foundation);
    if (failure instanceof TurnedAway) {
      if (blocker !== undefined) return blockedBy(blocker);
      if (severityOf(check.clauses, this.#clauses) === "SHOULD") return outcome;
    }
    if (blocker === undefined) this.#blockers.set(foundation, check.id);
    return outcome;
  }

  /**
   * Where the connection was lost while others were at it too, to the receiver or to its effects interface, the check is
   * run again: on its own, or when the others have ended. Only so can it be said whose request it was. So is one that
   * passed while the receiver went down: it may have been by what it had answered just before.
   */
  async #alongOthers(check: ReceiverCheck): Promise<Ended> {
    const restOfRun = () => this.#rest.happened;
    const once = () => runCheck(check, this.#session, this.#seed, { restOfRun });
    const { lock } = this.#session;
    const again = async () => {
      await this.#session.untilBack();
      return once();
    };
    if (check.alone) {
      const first = await lock.exclusive(once);
      // One of its own that were under way together: it was this one where it is so once more.
      const isUnclear = first.failure instanceof ConnectionLost && !first.failure.wasAlone;
      return isUnclear && !this.#session.isLost ? lock.exclusive(again) : first;
    }
    const { outages } = this.#session;
    let beside = await (check.wholeRun ? once() : lock.shared(once));
    // One that looks back on the run begins anew while there is something left of it to look back on.
    const isAgainOfUse = () => check.wholeRun && isDisturbed(beside) && !this.#rest.isGiven;
    for (let begun = 1; begun < MOST_BEGINNINGS && isAgainOfUse(); begun += 1) beside = await again();
    const wentDown = !check.wholeRun && beside.failure === undefined && this.#session.outages > outages;
    if (!wentDown && !isDisturbed(beside)) return beside;
    // Gone for good, and by nothing else: nothing more can be learned.
    if (beside.failure instanceof ConnectionLost && beside.failure.wasAlone && this.#session.isLost)
      return beside;
    if (!check.wholeRun) return lock.exclusive(again);
    await restOfRun();
    return again();
  }
}
