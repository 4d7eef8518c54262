/** The queue of one endpoint. An endpoint that doesn't respond delays only its own queue. */
import { setImmediate } from "node:timers/promises";
import type { Dependencies } from "../dependencies.ts";
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
  /** True if more events may be due than the last poll of the outbox returned. */
  #isStale = false;
  #polling: Promise<void> | undefined;
  /** True if more events may be due than the concurrency limit allows. */
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

  /** Polls the outbox, because an event may be due. */
  wake(deps: Dependencies): void {
    if (this.#isStopped) return;
    this.#isStale = true;
    this.#polling ??= this.#poll(deps)
      .catch((error: unknown) => {
        deps.reportFault(error);
        this.#sleep(deps, deps.limits.webhooks.standstillMs);
      })
      .finally(() => {
        this.#polling = undefined;
        if (this.#isStale) this.wake(deps);
        else this.#notifyIfIdle();
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

  async #poll(deps: Dependencies): Promise<void> {
    while (this.#isStale && !this.#isStopped) {
      // Events written at the same time are read by one poll.
      await setImmediate();
      this.#isStale = false;
      const integrator = await deps.records.integrators.findById(deps.database, this.integratorId);
      // During an advance, the advancing instance sends the events.
      if (integrator === undefined || integrator.clock_moved_by !== null) {
        return this.#sleep(deps, undefined);
      }
      const now = deps.clock.timeOf(integrator, deps.clock.now());
      const room = Math.max(0, deps.limits.webhooks.concurrent - this.attempts.size);
      this.#isFull = (await this.send(deps, now, room, false)) === room && this.attempts.size > 0;
      if (this.#isFull) return this.#sleep(deps, undefined);
      const { outbox } = deps.records;
      const next = await outbox.nextDue(deps.database, this.#endpoint.webhook_id, deps.clock.now());
      this.#sleep(deps, next === undefined ? undefined : next - now);
    }
  }

  #sleep(deps: Dependencies, ms: number | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (ms === undefined || this.#isStopped) return;
    this.#timer = setTimeout(() => this.wake(deps), Math.min(Math.max(ms, 1), longestSleepMs)).unref();
  }

  /**
   * Claims up to `rows` events due at `now` on the integrator's clock, sends them, and returns their number.
   * `asMover` is true if this instance is advancing that clock.
   */
  async send(deps: Dependencies, now: number, rows: number, asMover: boolean): Promise<number> {
    this.#claims++;
    try {
      return rows === 0 ? 0 : await this.#claimAndSend(deps, now, rows, asMover);
    } finally {
      this.#claims--;
      this.#notifyIfIdle();
    }
  }

  async #claimAndSend(deps: Dependencies, now: number, rows: number, asMover: boolean): Promise<number> {
    const { outbox } = deps.records;
    const { webhook_id } = this.#endpoint;
    const real = deps.clock.now();
    const leasedUntil = real + deps.limits.webhooks.leaseMs;
    const instance = deps.instances.id;
    const claim = { rows, now, real, leasedUntil, instance, asMover };
    const claimed = await outbox.claim(deps.database, this.#endpoint, claim);
    // A lease may expire before its attempt ends.
    const fresh = claimed.filter((eventId) => !this.attempts.has(eventId));
    if (fresh.length === 0) return claimed.length;
    const dispatches = await outbox.dispatches(deps.database, webhook_id, fresh, instance);
    for (const dispatch of dispatches) {
      const startedAt = deps.clock.timeOf(dispatch, deps.clock.now());
      const pending = new InFlightAttempt(deps, dispatch, startedAt);
      this.attempts.set(dispatch.event_id, pending);
      void pending.ended.then((delivered) => this.#attemptEnded(deps, dispatch.event_id, delivered));
    }
    return claimed.length;
  }

  /** After a success, polls only if the concurrency limit has held back events. */
  #attemptEnded(deps: Dependencies, eventId: string, delivered: boolean): void {
    this.attempts.delete(eventId);
    if (!delivered || this.#isFull) this.wake(deps);
    else this.#notifyIfIdle();
  }

  #notifyIfIdle(): void {
    const busy = this.#polling !== undefined || this.#claims > 0 || this.attempts.size > 0;
    if (!busy && this.#timer === undefined) this.#onIdle();
  }
}
