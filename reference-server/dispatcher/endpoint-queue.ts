/** What is sent to one address. Each has a queue of its own: what one doesn't answer delays no other. */
import { setImmediate } from "node:timers/promises";
import type { Parts } from "../parts.ts";
import type { Endpoint } from "../records/outbox.ts";
import { InFlightAttempt } from "./in-flight-attempt.ts";

/** A timer is set for no longer, so that a system clock that is put right does no harm. */
const longestSleepMs = 600_000;

export class EndpointQueue {
  readonly attempts = new Map<string, InFlightAttempt>();
  readonly #endpoint: Endpoint;
  /** Told when there is nothing left to wait for. */
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** More may be due than the last look at the outbox has seen. */
  #isStale = false;
  #polling: Promise<void> | undefined;
  /** More may be due than may be under way at a time. */
  #isFull = false;
  /** Claims that are being made. */
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

  /** Ends when all that was seen to be due is under way. */
  async polled(): Promise<void> {
    await this.#polling;
  }

  /** Takes nothing up any more. Ends when what is under way has ended. */
  async finish(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#polling;
    await Promise.all([...this.attempts.values()].map(({ ended }) => ended));
  }

  /** Takes nothing up any more, and breaks off what is under way. */
  async stop(): Promise<void> {
    const finished = this.finish();
    await this.#polling;
    for (const pending of this.attempts.values()) pending.abandon();
    await finished;
  }

  async #poll(parts: Parts): Promise<void> {
    while (this.#isStale && !this.#isStopped) {
      // What is written at the same time is seen at the same glance.
      await setImmediate();
      this.#isStale = false;
      const integrator = await parts.records.integrators.findById(parts.database, this.integratorId);
      // Whoever moves a clock sends what falls due meanwhile.
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
   * Claims up to `rows` of what is due at `now` on the integrator's clock and sends it; gives how many there were.
   * `asMover` says that this instance is moving that clock.
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
    // A lease may run out while its attempt is still under way.
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

  /** After a success only what had no room before can be due. */
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
