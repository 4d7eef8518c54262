/**
 * An attempt that waits for its answer, and how long it may: 15 s on the integrator's clock, whether that runs by
 * itself or is being moved.
 */
import { prolongTrust } from "../events/receiver-trust.ts";
import type { AttemptOutcome, Parts, PendingAttempt, WebhookResponse } from "../parts.ts";
import type { Dispatch } from "../records/outbox.ts";
import { succeedsWithin } from "../scheduler/timeout.ts";
import { faultOf, recordOutcome, tooLate } from "./outcome.ts";

const late = new Error("late");
const abandoned = new Error("not tried");

export class InFlightAttempt implements PendingAttempt {
  readonly ended: Promise<boolean>;
  readonly deadline: number;
  readonly #parts: Parts;
  readonly #integratorId: string;
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  /** Real time, on the monotonic clock. */
  readonly #begunAt = performance.now();
  /** Resolves at its end on the wire. */
  readonly #answer = Promise.withResolvers<void>();

  /** Begins an attempt; `now` is the integrator's time. */
  constructor(parts: Parts, dispatch: Dispatch, now: number) {
    this.#parts = parts;
    this.#integratorId = dispatch.integrator_id;
    this.deadline = now + parts.limits.webhooks.answerMs;
    this.ended = this.#run(dispatch, now)
      .catch((error: unknown) => {
        parts.reportFault(error);
        return false;
      })
      .finally(() => {
        this.#isOver = true;
        clearTimeout(this.#timer);
      });
    this.resumeTimeout(now);
  }

  async #run(dispatch: Dispatch, now: number): Promise<boolean> {
    const { signal } = this.#abort;
    const parts = this.#parts;
    // What goes wrong here is this server's fault and says nothing of the address.
    const request = parts.attemptRequests.request(parts, dispatch, now);
    let outcome: AttemptOutcome;
    let answer: WebhookResponse | undefined;
    try {
      answer = await parts.transport.post(parts, request, signal);
      outcome = { status: answer.status };
    } catch (error) {
      if (signal.reason === abandoned) {
        await parts.records.outbox.release(parts.database, dispatch);
        return false;
      }
      outcome = signal.aborted ? tooLate : faultOf(error);
    } finally {
      this.#answer.resolve();
    }
    await prolongTrust(parts, dispatch);
    await parts.attemptLog.keep(parts, { dispatch, request, startedAt: now, outcome, answer });
    return recordOutcome(parts, dispatch, outcome);
  }

  /** The integrator's clock, which shows `now`, runs from here on. */
  resumeTimeout(now: number): void {
    this.#checkTimeIn(this.deadline - now);
  }

  #checkTimeIn(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isOver) this.#timer = setTimeout(() => void this.#checkTime(), Math.max(ms, 1)).unref();
  }

  /** Whether its time is up is for the integrator's clock to say, which another instance may have moved or be moving. */
  async #checkTime(): Promise<void> {
    const { records, database, clock, limits } = this.#parts;
    try {
      const integrator = await records.integrators.findById(database, this.#integratorId);
      // Whoever moves a clock times out what is under way meanwhile.
      if (integrator !== undefined && integrator.clock_moved_by !== null) {
        this.#checkTimeIn(limits.webhooks.standstillMs);
        return;
      }
      const left = integrator === undefined ? 0 : this.deadline - clock.of(integrator, clock.now());
      if (left > 0) this.#checkTimeIn(left);
      else this.timeOut();
    } catch (error) {
      this.#parts.reportFault(error);
      this.#checkTimeIn(limits.webhooks.standstillMs);
    }
  }

  timeOut(): void {
    this.#abort.abort(late);
  }

  /** Ends it as if it hadn't been tried. */
  abandon(): void {
    this.#abort.abort(abandoned);
  }

  /** Waits for its end, but no longer than until `ms` of real time have passed since it began. */
  async answeredWithin(ms: number): Promise<void> {
    const left = this.#begunAt + ms - performance.now();
    if (await succeedsWithin(Math.max(left, 0), this.#answer.promise)) await this.ended;
  }
}
