/**
 * Sends what is in the outbox when it falls due. It sleeps until an event is written or the next attempt is due; while
 * an integrator's clock is being moved, whoever moves it says what is sent when (`due.ts`).
 */
import type { Parts } from "../parts.ts";
import type { Address } from "../records/outbox.ts";
import type { Flight } from "./flight.ts";
import { Lane } from "./lane.ts";

/** As many as are claimed at once while a clock stands, when nothing may be left for later. */
const batch = 1000;

export class Dispatcher {
  /** By address. */
  readonly #lanes = new Map<string, Lane>();
  /** Integrators whose clocks are being moved. */
  readonly #held = new Set<string>();
  #sweep: NodeJS.Timeout | undefined;

  /** Begins with what is in the outbox, and looks there again now and then for what a process that is gone has left. */
  async start(parts: Parts): Promise<void> {
    await this.#wakeWaiting(parts);
    this.#sweep = setInterval(() => {
      this.#wakeWaiting(parts).catch((error: unknown) => parts.reportFault(error));
    }, parts.limits.webhooks.leaseMs).unref();
  }

  async #wakeWaiting(parts: Parts): Promise<void> {
    const addresses = await parts.records.outbox.waiting(parts.database, parts.clock.now());
    for (const address of addresses) this.wake(parts, address);
  }

  /** Something may be due at this address. */
  wake(parts: Parts, address: Address): void {
    this.#laneOf(address).wake(parts);
  }

  /** Breaks off what is under way, as if it hadn't been tried: it is sent again after the next start. */
  async stop(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
  }

  /** The integrator's clock stands. Ends when what is under way has been answered, or was silent for long enough. */
  async hold(integratorId: string): Promise<void> {
    this.#held.add(integratorId);
    await Promise.all(this.#lanesOf(integratorId).map((lane) => lane.looked()));
    for (const flight of this.flightsOf(integratorId)) flight.clockStands();
    await this.#answers(integratorId);
  }

  /** The integrator's clock, which shows `now`, runs by itself again. */
  async letGo(parts: Parts, integratorId: string, now: number): Promise<void> {
    this.#held.delete(integratorId);
    for (const flight of this.flightsOf(integratorId)) flight.clockRuns(now);
    const addresses = await parts.records.outbox.addressesOf(parts.database, integratorId);
    for (const address of addresses) this.wake(parts, address);
  }

  /** Sends what is due while the integrator's clock stands at `now`. Ends as `hold` does. */
  async sendDue(parts: Parts, integratorId: string, now: number): Promise<void> {
    const addresses = await parts.records.outbox.addressesOf(parts.database, integratorId);
    for (const address of addresses) {
      const lane = this.#laneOf(address);
      while ((await lane.send(parts, now, batch)) === batch);
    }
    await this.#answers(integratorId);
  }

  /** Attempts that wait for their answers. */
  flightsOf(integratorId: string): Flight[] {
    return this.#lanesOf(integratorId).flatMap((lane) => [...lane.flights.values()]);
  }

  async #answers(integratorId: string): Promise<void> {
    await Promise.all(this.flightsOf(integratorId).map((flight) => flight.answeredOrSilent()));
  }

  #lanesOf(integratorId: string): Lane[] {
    return [...this.#lanes.values()].filter((lane) => lane.integratorId === integratorId);
  }

  #laneOf(address: Address): Lane {
    const { webhook_id, integrator_id } = address;
    let lane = this.#lanes.get(webhook_id);
    if (lane === undefined) {
      const isHeld = () => this.#held.has(integrator_id);
      lane = new Lane(address, isHeld, () => this.#lanes.delete(webhook_id));
      this.#lanes.set(webhook_id, lane);
    }
    return lane;
  }
}
