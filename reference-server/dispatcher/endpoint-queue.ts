/** The queue of one endpoint. Each endpoint has its own, so that one that doesn't respond delays no other. */
import { setImmediate } from "node:timers/promises";
import type { Parts } from "../parts.ts";
import type { Endpoint } from "../records/outbox.ts";
import { InFlightAttempt } from "./in-flight-attempt.ts";

/** The longest timer, so that a corrected system clock delays events no longer than this. */
const longestSleepMs = 600_000;

export class EndpointQueue {
  readonly attempts = new Map<string, InFlightAttempt>();
  readonly #endpoint: Endpoint;
  /** Called when the queue is empty. */
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** More may be due than the last poll of the outbox returned. */
  #isStale = false;
  #polling: Promise<void> | undefined;
  /** More may be due than the concurrency limit allows. */
  #isFull = false;
  /** Claims in progress. */
  #claims = 0;
  #isStopped = false;

  constructor(endpoint: Endpoint, onIdle: () => void) {
    this.#endpoint = endpoint;
    this.#onIdle = onIdle;
  }

  get integratorId(): string {
    return this.#endpoint.integrator_id;
  }

  /** Something may be due. */
  wake(parts: Parts): void {
    if (this.#isStopped) return;
    this.#isStale = true;
    this.#polling ??= this.#poll(parts)
      .catch((error: unknown) => {
        parts.reportFault(error);
        this.#sleep(parts, parts.limits.webhooks.standstillMs);
      })
      .finally(() => {
        this.#polling = undefined;
        if (this.#isStale) this.wake(parts);
        else this.#tellIfIdle();
      });
  }

  /** Resolves when an attempt has started for every event known to be due. */
  async polled(): Promise<void> {
    await this.#polling;
  }

  /** Stops claiming events. Resolves when all attempts in progress have ended. */
  async finish(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#polling;
    await Promise.all([...this.attempts.values()].map(({ ended }) => ended));
  }

  /** Stops claiming events, and aborts attempts in progress. */
  async stop(): Promise<void> {
    const finished = this.finish();
    await this.#polling;
    for (const pending of this.attempts.values()) pending.abandon();
    await finished;
  }

  async #poll(parts: Parts): Promise<void> {
    while (this.#isStale && !this.#isStopped) {
      // Events written at the same time are read by one poll.
      await setImmediate();
      this.#isStale = false;
      const integrator = await parts.records.integrators.findById(parts.database, this.integratorId);
      // During an advance, the advancing instance sends the events.
      if (integrator === undefined || integrator.clock_moved_by !== null) {
        return this.#sleep(parts, undefined);
      }
      const now = parts.clock.of(integrator, parts.clock.now());
      const room = Math.max(0, parts.limits.webhooks.concurrent - this.attempts.size);
      this.#isFull = (await this.send(parts, now, room, false)) === room && this.attempts.size > 0;
      if (this.#isFull) return this.#sleep(parts, undefined);
      const { outbox } = parts.records;
      const next = await outbox.nextDue(parts.database, this.#endpoint.webhook_id, parts.clock.now());
      this.#sleep(parts, next === undefined ? undefined : next - now);
    }
  }

  #sleep(parts: Parts, ms: number | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (ms === undefined || this.#isStopped) return;
    this.#timer = setTimeout(() => this.wake(parts), Math.min(Math.max(ms, 1), longestSleepMs)).unref();
  }

  /**
   * Claims up to `rows` events due at `now` on the integrator's clock, sends them, and returns their number.
   * `asMover` is true if this instance is advancing that clock.
   */
  async send(parts: Parts, now: number, rows: number, asMover: boolean): Promise<number> {
    this.#claims++;
    try {
      return rows === 0 ? 0 : await this.#claimAndSend(parts, now, rows, asMover);
    } finally {
      this.#claims--;
      this.#tellIfIdle();
    }
  }

  async #claimAndSend(parts: Parts, now: number, rows: number, asMover: boolean): Promise<number> {
    const { outbox } = parts.records;
    const { webhook_id } = this.#endpoint;
    const real = parts.clock.now();
    const leasedUntil = real + parts.limits.webhooks.leaseMs;
    const instance = parts.instances.id;
    const claim = { rows, now, real, leasedUntil, instance, asMover };
    const claimed = await outbox.claim(parts.database, this.#endpoint, claim);
    // A lease may expire before its attempt ends.
    const fresh = claimed.filter((eventId) => !this.attempts.has(eventId));
    if (fresh.length === 0) return claimed.length;
    const dispatches = await outbox.dispatches(parts.database, webhook_id, fresh, instance);
    for (const dispatch of dispatches) {
      const startedAt = parts.clock.of(dispatch, parts.clock.now());
      const pending = new InFlightAttempt(parts, dispatch, startedAt);
      this.attempts.set(dispatch.event_id, pending);
      void pending.ended.then((delivered) => this.#attemptEnded(parts, dispatch.event_id, delivered));
    }
    return claimed.length;
  }

  /** After a success, only events beyond the concurrency limit can be due. */
  #attemptEnded(parts: Parts, eventId: string, delivered: boolean): void {
    this.attempts.delete(eventId);
    if (!delivered || this.#isFull) this.wake(parts);
    else this.#tellIfIdle();
  }

  #tellIfIdle(): void {
    const busy = this.#polling !== undefined || this.#claims > 0 || this.attempts.size > 0;
    if (!busy && this.#timer === undefined) this.#onIdle();
  }
}
