/**
 * Sends what is in the outbox when it falls due. It sleeps until an event is written here or the next attempt that is
 * known here is due, and looks now and then for what other instances have left; while an integrator's clock is being
 * moved, whoever moves it says what is sent when (`due-attempts.ts`). Rows are claimed in the database, so of several instances
 * that look at the same time one sends.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Parts, WebhookDispatcher } from "../parts.ts";
import type { Address } from "../records/outbox.ts";
import { Lane } from "./endpoint-queue.ts";
import type { Flight } from "./in-flight-attempt.ts";

/** As many as are claimed at once while a clock stands, when nothing may be left for later. */
const batch = 1000;

/** What is written somewhere is left to that instance for so long. */
const headStartMs = 1000;

/** Between two looks at what others have under way, real time. */
const lookMs = 10;

export class Dispatcher implements WebhookDispatcher {
  /** By address. */
  readonly #lanes = new Map<string, Lane>();

  async start(parts: Parts): Promise<void> {
    const addresses = await parts.records.outbox.waiting(parts.database, parts.clock.now());
    for (const address of addresses) this.wake(parts, address);
  }

  async sweep(parts: Parts): Promise<void> {
    const before = parts.clock.now() - headStartMs;
    const addresses = await parts.records.outbox.overdue(parts.database, before);
    for (const address of addresses) this.wake(parts, address);
  }

  wake(parts: Parts, address: Address): void {
    this.#laneOf(address).wake(parts);
  }

  async finish(ms: number): Promise<void> {
    const finished = Promise.all([...this.#lanes.values()].map((lane) => lane.finish()));
    await Promise.race([finished, pause(ms, undefined, { ref: false })]);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
  }

  async hold(parts: Parts, integratorId: string): Promise<void> {
    await Promise.all(this.#lanesOf(integratorId).map((lane) => lane.looked()));
    await this.#answers(parts, integratorId);
  }

  async letGo(parts: Parts, integratorId: string, now: number): Promise<void> {
    this.#clockRuns(integratorId, now);
    const addresses = await parts.records.outbox.addressesOf(parts.database, integratorId);
    for (const address of addresses) this.wake(parts, address);
  }

  async hear(parts: Parts, integratorId: string): Promise<void> {
    if (this.flightsOf(integratorId).length === 0) return;
    const integrator = await parts.records.integrators.findById(parts.database, integratorId);
    if (integrator === undefined || integrator.clock_moved_by !== null) return;
    this.#clockRuns(integratorId, parts.clock.of(integrator, parts.clock.now()));
  }

  #clockRuns(integratorId: string, now: number): void {
    for (const flight of this.flightsOf(integratorId)) flight.clockRuns(now);
  }

  async sendDue(parts: Parts, integratorId: string, now: number): Promise<void> {
    const addresses = await parts.records.outbox.addressesOf(parts.database, integratorId);
    for (const address of addresses) {
      const lane = this.#laneOf(address);
      while ((await lane.send(parts, now, batch, true)) === batch);
    }
    await this.#answers(parts, integratorId);
  }

  flightsOf(integratorId: string): Flight[] {
    return this.#lanesOf(integratorId).flatMap((lane) => [...lane.flights.values()]);
  }

  async #answers(parts: Parts, integratorId: string): Promise<void> {
    await Promise.all(this.flightsOf(integratorId).map((flight) => flight.answeredOrSilent()));
    const { records, database, instances, clock } = parts;
    for (;;) {
      const elsewhere = await records.outbox.underWayElsewhere(
        database,
        integratorId,
        instances.id,
        clock.now(),
      );
      // The others see to it that each ends or falls silent; those of one that is gone are soon given back.
      if (elsewhere.every(({ silent }) => silent === 1)) return;
      await pause(lookMs);
    }
  }

  #lanesOf(integratorId: string): Lane[] {
    return [...this.#lanes.values()].filter((lane) => lane.integratorId === integratorId);
  }

  #laneOf(address: Address): Lane {
    const { webhook_id } = address;
    let lane = this.#lanes.get(webhook_id);
    if (lane === undefined) {
      lane = new Lane(address, () => this.#lanes.delete(webhook_id));
      this.#lanes.set(webhook_id, lane);
    }
    return lane;
  }
}
