import { monotonicNow } from "../../core/clock.ts";
import type { Disturbance } from "../../core/confirmation/disturbance.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import { forbiddenObservation } from "../../core/grading/failures/mismatch.ts";
import { ConnectionClosed, ConnectionLost } from "./connection-lost.ts";
import { type DeliveryRecord, describeAttempt } from "./delivery-record.ts";
import { EffectsUnreachable } from "./effects.ts";
import type { Outage } from "./outages/outages.ts";
import type { ReceiverSession } from "./session.ts";

/** Identifies the same attempt in several runs of a check, although the webhook-ids differ. */
const attemptKey = ({ attempt, violates }: DeliveryRecord): string =>
  violates === undefined ? attempt.kind : `${attempt.kind} (${violates})`;

interface DisturbedRun {
  readonly disturbances: readonly Disturbance[];
  /** The failure of a run in which the receiver stopped right after a response. */
  readonly endsReceiver?: CheckFailure;
}

/** Records the attempts of one run of a check, to find the one that stopped the receiver. */
export class RunDisturbances {
  readonly #began = monotonicNow();
  readonly #own = new Set<DeliveryRecord>();
  #unanswered: DeliveryRecord | undefined;
  readonly #session: Pick<ReceiverSession, "outages" | "isLost" | "disturbances">;

  constructor(session: Pick<ReceiverSession, "outages" | "isLost" | "disturbances">) {
    this.#session = session;
  }

  observe(sent: DeliveryRecord): void {
    if (sent.reply) this.#own.add(sent);
    else this.#unanswered = sent;
  }

  /** @throws CheckFailure if the receiver stopped right after a response */
  expectToSurvive(): void {
    const last = this.#answeredBefore();
    if (last) throw endsReceiver(last);
  }

  /** @param failure the error that ended the run; undefined if the run passed */
  at(failure: unknown): DisturbedRun {
    const { isLost, disturbances: log } = this.#session;
    const logged = log.between(this.#began, monotonicNow());
    const isOwnEnd = failure instanceof ConnectionLost && !(failure instanceof ConnectionClosed);
    // The receiver has stopped for good, so the check can't run again.
    if (isOwnEnd && isLost) return { disturbances: logged };
    const before = this.#answeredBefore();
    if (before && !isLost && !(isOwnEnd && !this.#isLikelierCause(before, failure))) {
      return { endsReceiver: endsReceiver(before), disturbances: [restartAt(before), ...logged] };
    }
    const restart = this.#outages.length > 0 ? [disturbance({ kind: "restart", what: WENT_DOWN })] : [];
    return { disturbances: [...this.#lossDisturbances(failure, isOwnEnd), ...restart, ...logged] };
  }

  get #outages(): readonly Outage[] {
    return this.#session.outages.filter(({ at }) => at >= this.#began);
  }

  #answeredBefore(): DeliveryRecord | undefined {
    return this.#outages.flatMap(({ answered }) => answered).find((sent) => this.#own.has(sent));
  }

  /**
   * True if the last attempt with a response is a likelier cause of the stop than the attempt without one,
   * because only the former was invalid.
   */
  #isLikelierCause(answered: DeliveryRecord, { isStale }: ConnectionLost): boolean {
    return isStale && answered.violates !== undefined && this.#unanswered?.violates === undefined;
  }

  #lossDisturbances(failure: unknown, isOwnEnd: boolean): readonly Disturbance[] {
    const lost = this.#unanswered;
    if (isOwnEnd && lost) return [restartAt(lost)];
    if (failure instanceof ConnectionClosed && lost) {
      const what = `the connection was lost before an answer to ${attemptKey(lost)}`;
      return [disturbance({ kind: "connection-lost", what, operation: attemptKey(lost) })];
    }
    if (!(failure instanceof EffectsUnreachable)) return [];
    return [disturbance({ kind: "connection-lost", what: "the effects interface didn't respond" })];
  }
}

const WENT_DOWN = "the receiver went down";

function disturbance(one: Omit<Disturbance, "from" | "to">): Disturbance {
  const at = monotonicNow();
  return { ...one, from: at, to: at };
}

const restartAt = (sent: DeliveryRecord): Disturbance =>
  disturbance({ kind: "restart", what: `${WENT_DOWN} at ${attemptKey(sent)}`, operation: attemptKey(sent) });

const endsReceiver = ({ attempt, violates, reply }: DeliveryRecord): CheckFailure =>
  new CheckFailure(
    forbiddenObservation(
      `the receiver answered ${describeAttempt(attempt, violates)} with ${reply?.status} and went down; it came back, and the run continues`,
      { expected: "a receiver that keeps running", actual: "nothing listened at its address" },
    ),
    { endsCheck: true },
  );
