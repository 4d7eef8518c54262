/**
 * An attempt that waits for its response. The attempt times out after 15 s on the integrator's clock, both
 * while the clock runs and during an advance.
 */

import type { AttemptOutcome, Dependencies, PendingAttempt, WebhookResponse } from "../dependencies.ts";
import { prolongTrust } from "../events/receiver-trust.ts";
import type { Dispatch } from "../records/outbox.ts";
import { succeedsWithin } from "../scheduler/timeout.ts";
import { faultOf, recordOutcome, tooLate } from "./outcome.ts";

const late = new Error("late");
const abandoned = new Error("not tried");

export class InFlightAttempt implements PendingAttempt {
  readonly ended: Promise<boolean>;
  readonly deadline: number;
  readonly #deps: Dependencies;
  readonly #integratorId: string;
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  /** The start of the attempt in real time, on the monotonic clock. */
  readonly #begunAt = performance.now();
  /** Resolves when the request has ended. */
  readonly #answer = Promise.withResolvers<void>();

  /** Begins an attempt; `now` is the integrator's time. */
  constructor(deps: Dependencies, dispatch: Dispatch, now: number) {
    this.#deps = deps;
    this.#integratorId = dispatch.integrator_id;
    this.deadline = now + deps.limits.webhooks.answerMs;
    this.ended = this.#run(dispatch, now)
      .catch((error: unknown) => {
        deps.reportFault(error);
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
    const deps = this.#deps;
    // An error while building the request is this server's fault, so it isn't recorded as the endpoint's fault.
    const request = deps.attemptRequests.request(deps, dispatch, now);
    let outcome: AttemptOutcome;
    let answer: WebhookResponse | undefined;
    try {
      answer = await deps.transport.post(deps, request, signal);
      outcome = { status: answer.status };
    } catch (error) {
      if (signal.reason === abandoned) {
        await deps.records.outbox.release(deps.database, dispatch);
        return false;
      }
      outcome = signal.aborted ? tooLate : faultOf(error);
    } finally {
      this.#answer.resolve();
    }
    await prolongTrust(deps, dispatch);
    await deps.attemptLog.keep(deps, { dispatch, request, startedAt: now, outcome, answer });
    return recordOutcome(deps, dispatch, outcome);
  }

  /** Restarts the timeout when the integrator's clock runs again, from `now`. */
  resumeTimeout(now: number): void {
    this.#checkTimeIn(this.deadline - now);
  }

  #checkTimeIn(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isOver) this.#timer = setTimeout(() => void this.#checkTime(), Math.max(ms, 1)).unref();
  }

  /** Checks the timeout against the integrator's clock, which another instance may have advanced. */
  async #checkTime(): Promise<void> {
    const { records, database, clock, limits } = this.#deps;
    try {
      const integrator = await records.integrators.findById(database, this.#integratorId);
      // During an advance, the advancing instance times out attempts.
      if (integrator !== undefined && integrator.clock_moved_by !== null) {
        this.#checkTimeIn(limits.webhooks.standstillMs);
        return;
      }
      const left = integrator === undefined ? 0 : this.deadline - clock.timeOf(integrator, clock.now());
      if (left > 0) this.#checkTimeIn(left);
      else this.timeOut();
    } catch (error) {
      this.#deps.reportFault(error);
      this.#checkTimeIn(limits.webhooks.standstillMs);
    }
  }

  timeOut(): void {
    this.#abort.abort(late);
  }

  /** Aborts the attempt without an outcome. */
  abandon(): void {
    this.#abort.abort(abandoned);
  }

  /** Waits for the attempt's end, at most until `ms` of real time after its start. */
  async answeredWithin(ms: number): Promise<void> {
    const left = this.#begunAt + ms - performance.now();
    if (await succeedsWithin(Math.max(left, 0), this.#answer.promise)) await this.ended;
  }
}
