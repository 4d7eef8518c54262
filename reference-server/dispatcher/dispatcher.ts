/**
 * Sends the events of the outbox at their due time. The dispatcher sleeps until this instance writes an event
 * or the next known attempt is due, and polls for events that other instances have left. During a clock advance the
 * advancing instance decides when events are sent (`due-attempts.ts`). Rows are claimed in the database, so
 * only one instance sends each event.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Dependencies, WebhookDispatcher } from "../dependencies.ts";
import type { Endpoint } from "../records/outbox.ts";
import { EndpointQueue } from "./endpoint-queue.ts";
import type { InFlightAttempt } from "./in-flight-attempt.ts";

/** Rows per claim while a clock is frozen. Claims are repeated until every due row is sent. */
const batch = 1000;

/** Only the instance that wrote an event may send it within this time. */
const headStartMs = 1000;

/** Real time between two polls of other instances' attempts. */
const pollMs = 10;

export class Dispatcher implements WebhookDispatcher {
  /** The queues by subscription. */
  readonly #queues = new Map<string, EndpointQueue>();
  /** Undefined before the start. */
  #deps: Dependencies | undefined;

  async start(deps: Dependencies): Promise<void> {
    this.#deps = deps;
    const endpoints = await deps.records.outbox.pendingEndpoints(deps.database, deps.clock.now());
    for (const endpoint of endpoints) this.wake(endpoint);
  }

  async sweep(): Promise<void> {
    const deps = this.#deps;
    if (deps === undefined) return;
    const before = deps.clock.now() - headStartMs;
    const endpoints = await deps.records.outbox.overdueEndpoints(deps.database, before);
    for (const endpoint of endpoints) this.wake(endpoint);
  }

  wake(endpoint: Endpoint): void {
    if (this.#deps !== undefined) this.#queueOf(endpoint).wake(this.#deps);
  }

  async finish(ms: number): Promise<void> {
    const finished = Promise.all([...this.#queues.values()].map((queue) => queue.finish()));
    await Promise.race([finished, pause(ms, undefined, { ref: false })]);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
  }

  async drain(integratorId: string, waitMs: number): Promise<void> {
    if (this.#deps === undefined) return;
    await Promise.all(this.#queuesOf(integratorId).map((queue) => queue.polled()));
    await this.#answered(this.#deps, integratorId, waitMs);
  }

  async resume(integratorId: string, now: number): Promise<void> {
    const deps = this.#deps;
    if (deps === undefined) return;
    this.#resumeTimeouts(integratorId, now);
    const endpoints = await deps.records.outbox.endpointsOf(deps.database, integratorId);
    for (const endpoint of endpoints) this.wake(endpoint);
  }

  async clockWasMoved(integratorId: string): Promise<void> {
    const deps = this.#deps;
    if (deps === undefined || this.pendingAttempts(integratorId).length === 0) return;
    const integrator = await deps.records.integrators.findById(deps.database, integratorId);
    if (integrator === undefined || integrator.clock_moved_by !== null) return;
    this.#resumeTimeouts(integratorId, deps.clock.timeOf(integrator, deps.clock.now()));
  }

  #resumeTimeouts(integratorId: string, now: number): void {
    for (const attempt of this.pendingAttempts(integratorId)) attempt.resumeTimeout(now);
  }

  async sendDue(integratorId: string, now: number, waitMs: number): Promise<void> {
    const deps = this.#deps;
    if (deps === undefined) return;
    const endpoints = await deps.records.outbox.endpointsOf(deps.database, integratorId);
    for (const endpoint of endpoints) {
      const queue = this.#queueOf(endpoint);
      while ((await queue.send(deps, now, batch, true)) === batch);
    }
    await this.#answered(deps, integratorId, waitMs);
  }

  pendingAttempts(integratorId: string): InFlightAttempt[] {
    return this.#queuesOf(integratorId).flatMap((queue) => [...queue.attempts.values()]);
  }

  async #answered(deps: Dependencies, integratorId: string, waitMs: number): Promise<void> {
    await Promise.all(this.pendingAttempts(integratorId).map((attempt) => attempt.answeredWithin(waitMs)));
    const { records, database, instances, clock, limits } = deps;
    for (;;) {
      const real = clock.now();
      const elsewhere = await records.outbox.inFlightElsewhere(database, integratorId, instances.id, real);
      const begunBefore = real - waitMs;
      // Other instances end their own attempts. Housekeeping releases the attempts of a dead instance.
      if (elsewhere.every((attempt) => attempt.leased_until - limits.webhooks.leaseMs <= begunBefore)) return;
      await pause(pollMs);
    }
  }

  #queuesOf(integratorId: string): EndpointQueue[] {
    return [...this.#queues.values()].filter((queue) => queue.integratorId === integratorId);
  }

  #queueOf(endpoint: Endpoint): EndpointQueue {
    const { webhook_id } = endpoint;
    let queue = this.#queues.get(webhook_id);
    if (queue === undefined) {
      queue = new EndpointQueue(endpoint, () => this.#queues.delete(webhook_id));
      this.#queues.set(webhook_id, queue);
    }
    return queue;
  }
}
