/** What is under way to one address. Each address has a lane of its own: what one doesn't answer delays no other. */
import { setImmediate } from "node:timers/promises";
import type { Parts } from "../parts.ts";
import type { Address } from "../records/outbox.ts";
import { Flight } from "./in-flight-attempt.ts";

/** A timer is set for no longer, so that a system clock that is put right does no harm. */
const longestSleepMs = 600_000;

export class Lane {
  readonly flights = new Map<string, Flight>();
  readonly #address: Address;
  /** Told when there is nothing left to wait for. */
  readonly #onIdle: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** Something happened that was not looked at yet. */
  #stirred = false;
  #looking: Promise<void> | undefined;
  /** More may be due than may be under way at a time. */
  #isFull = false;
  /** Claims that are being made. */
  #sends = 0;
  #isStopped = false;

  constructor(address: Address, onIdle: () => void) {
    this.#address = address;
    this.#onIdle = onIdle;
  }

  get integratorId(): string {
    return this.#address.integrator_id;
  }

  /** Something may be due. */
  wake(parts: Parts): void {
    if (this.#isStopped) return;
    this.#stirred = true;
    this.#looking ??= this.#look(parts)
      .catch((error: unknown) => {
        parts.reportFault(error);
        this.#sleep(parts, parts.limits.webhooks.standstillMs);
      })
      .finally(() => {
        this.#looking = undefined;
        if (this.#stirred) this.wake(parts);
        else this.#tellIfIdle();
      });
  }

  /** Ends when all that was seen to be due has taken off. */
  async looked(): Promise<void> {
    await this.#looking;
  }

  /** Takes nothing up any more. Ends when what is under way has ended. */
  async finish(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
    await Promise.all([...this.flights.values()].map(({ ended }) => ended));
  }

  /** Takes nothing up any more, and breaks off what is under way. */
  async stop(): Promise<void> {
    const finished = this.finish();
    await this.#looking;
    for (const flight of this.flights.values()) flight.abandon();
    await finished;
  }

  async #look(parts: Parts): Promise<void> {
    while (this.#stirred && !this.#isStopped) {
      // What is written at the same time is seen at the same glance.
      await setImmediate();
      this.#stirred = false;
      const integrator = await parts.records.integrators.findById(parts.database, this.integratorId);
      // Whoever moves a clock sends what falls due meanwhile.
      if (integrator === undefined || integrator.clock_moved_by !== null) {
        return this.#sleep(parts, undefined);
      }
      const now = parts.clock.of(integrator, parts.clock.now());
      const room = Math.max(0, parts.limits.webhooks.concurrent - this.flights.size);
      this.#isFull = (await this.send(parts, now, room, false)) === room && this.flights.size > 0;
      if (this.#isFull) return this.#sleep(parts, undefined);
      const { outbox } = parts.records;
      const next = await outbox.nextDue(parts.database, this.#address.webhook_id, parts.clock.now());
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
    this.#sends++;
    try {
      return rows === 0 ? 0 : await this.#claimAndSend(parts, now, rows, asMover);
    } finally {
      this.#sends--;
      this.#tellIfIdle();
    }
  }

  async #claimAndSend(parts: Parts, now: number, rows: number, asMover: boolean): Promise<number> {
    const { outbox } = parts.records;
    const { webhook_id } = this.#address;
    const real = parts.clock.now();
    const leasedUntil = real + parts.limits.webhooks.leaseMs;
    const instance = parts.instances.id;
    const claim = { rows, now, real, leasedUntil, instance, asMover };
    const claimed = await outbox.claim(parts.database, this.#address, claim);
    // A lease may run out while its attempt is still under way.
    const fresh = claimed.filter((eventId) => !this.flights.has(eventId));
    if (fresh.length === 0) return claimed.length;
    const dispatches = await outbox.dispatches(parts.database, webhook_id, fresh, instance);
    for (const dispatch of dispatches) {
      const startedAt = parts.clock.of(dispatch, parts.clock.now());
      const flight = new Flight(parts, dispatch, startedAt);
      this.flights.set(dispatch.event_id, flight);
      void flight.ended.then((delivered) => this.#landed(parts, dispatch.event_id, delivered));
    }
    return claimed.length;
  }

  /** After a success only what had no room before can be due. */
  #landed(parts: Parts, eventId: string, delivered: boolean): void {
    this.flights.delete(eventId);
    if (!delivered || this.#isFull) this.wake(parts);
    else this.#tellIfIdle();
  }

  #tellIfIdle(): void {
    const busy = this.#looking !== undefined || this.#sends > 0 || this.flights.size > 0;
    if (!busy && this.#timer === undefined) this.#onIdle();
  }
}
