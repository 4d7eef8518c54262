/**
 * Simulates couriers: offers, assigns, picks up and delivers the deliveries of integrators with simulated
 * couriers, by the control interface's courier actions. Due times are on the integrator's clock: a timer
 * performs due steps while the clock runs, and `work` performs due steps during an advance. Only one instance on a database
 * may simulate, because routes are in memory. The simulating instance polls for changes by other instances. After a restart,
 * each delivery continues from its state.
 */

import { moveCourier } from "../../reference-server/deliveries/courier-moves.ts";
import type { Dependencies, DueWork } from "../../reference-server/dependencies.ts";
import {
  type Delivery,
  type DeliveryEventKind,
  positionKind,
  type Store,
} from "../../reference-server/domain/model.ts";
import { type Point, pointOf } from "../../reference-server/domain/places.ts";
import { DomainError } from "../../reference-server/errors.ts";
import { sandboxRecords } from "../records/sandbox.ts";
import { CourierPool } from "./courier-pool.ts";
import { arrivalActions, type DeliveryProgress, nextStep, type Step } from "./delivery-progress.ts";
import type { SimulatorOptions } from "./options.ts";
import { planOf } from "./plan.ts";
import { randomFrom } from "./random.ts";
import { routeBetween } from "./route.ts";

/** An open delivery's progress with its store. `step` is undefined while no step is planned, as without a free courier. */
interface KnownRoute extends DeliveryProgress {
  store: Store;
  step: Step | undefined;
}

/** Poll interval while a clock is being advanced. */
const movedClockMs = 250;
/** The longest delay of the timer. A later step only makes the timer start again. */
const longestMs = 60_000;
/** Poll interval, in real time, for changes of other instances. */
const pollMs = 2_000;

export class Simulator implements SimulatorOptions {
  readonly seed: string;
  readonly speed: number;
  readonly #journeys = new Map<string, KnownRoute>();
  /** Deliveries that a user moves. */
  readonly #left = new Set<string>();
  readonly #fleets = new Map<string, CourierPool>();
  /** Runs one piece of work at a time, so that a seed always has the same result. */
  #queue: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #pollTimer: NodeJS.Timeout | undefined;
  /** Undefined while the simulator doesn't run. */
  #deps: Dependencies | undefined;

  constructor({ seed, speed }: SimulatorOptions) {
    this.seed = seed;
    this.speed = speed;
  }

  /** The steps that become due during an advance. */
  readonly work: DueWork = {
    next: async (_deps, integratorId) => {
      await this.#queue;
      return this.#first(integratorId)?.step.at;
    },
    run: (deps, integratorId, at) => {
      this.#enqueue(deps, () => this.#doFirst(deps, integratorId, at));
      return this.#queue;
    },
  };

  /** Continues every open delivery. */
  start(deps: Dependencies): void {
    this.#deps = deps;
    this.#enqueue(deps, async () => {
      for (const { id } of await sandboxRecords.openDeliveries(deps.database))
        await this.#refresh(deps, id, null);
    });
    this.#pollTimer = setInterval(() => this.#enqueue(deps, () => this.#pollOthers(deps)), pollMs).unref();
  }

  async stop(): Promise<void> {
    this.#deps = undefined;
    clearTimeout(this.#timer);
    clearInterval(this.#pollTimer);
    await this.#queue;
  }

  /** Handles a changed delivery; `kind` is the type of the event that reports the change, if any. */
  deliveryChanged(deps: Dependencies, deliveryId: string, kind: DeliveryEventKind | null): void {
    if (this.#deps !== undefined) this.#enqueue(deps, () => this.#refresh(deps, deliveryId, kind));
  }

  /** Handles an advanced clock. */
  wake(): void {
    if (this.#deps !== undefined) this.#enqueue(this.#deps, async () => {});
  }

  /** Leaves a delivery to the user: no simulated courier moves it any more. */
  leave(deps: Dependencies, deliveryId: string): void {
    this.#left.add(deliveryId);
    this.deliveryChanged(deps, deliveryId, null);
  }

  /** Handles a change of the integrator's `simulated` setting. */
  integratorChanged(deps: Dependencies, integratorId: string): void {
    if (this.#deps === undefined) return;
    this.#enqueue(deps, async () => {
      const underWay = await sandboxRecords.openDeliveries(deps.database, integratorId);
      for (const { id } of underWay) await this.#refresh(deps, id, null);
    });
  }

  /** True if a simulated courier has, or will get, this delivery. */
  isDriving(deliveryId: string): boolean {
    return this.#journeys.get(deliveryId)?.plan.byHand === false;
  }

  /** Handles deliveries that other instances created, changed or ended. */
  async #pollOthers(deps: Dependencies): Promise<void> {
    const underWay = await sandboxRecords.openDeliveries(deps.database);
    const versions = new Map(underWay.map(({ id, version }) => [id, version]));
    const hasChanged = (id: string) => this.#journeys.get(id)?.delivery.version !== versions.get(id);
    const all = new Set([...versions.keys(), ...this.#journeys.keys()]);
    for (const id of [...all].filter(hasChanged)) await this.#refresh(deps, id, null);
  }

  #enqueue(deps: Dependencies, work: () => Promise<void>): void {
    this.#queue = this.#queue
      .then(work)
      .then(() => this.#setTimer(deps))
      .catch(deps.reportFault);
  }

  /** Reads the delivery again and plans its next step. */
  async #refresh(deps: Dependencies, deliveryId: string, kind: DeliveryEventKind | null): Promise<void> {
    const { deliveries, stores } = deps.records;
    const delivery = await deliveries.findById(deps.database, deliveryId);
    const store = delivery && (await stores.findById(deps.database, delivery.store_id));
    const isSimulated = delivery && (await sandboxRecords.isSimulated(deps.database, delivery.integrator_id));
    if (!delivery || !store || !isSimulated) {
      this.#journeys.delete(deliveryId);
      const driver = store && this.#courierPoolOf(store).assignedTo(deliveryId);
      if (driver) driver.busyWith = null;
      return;
    }
    const journey = this.#journeyOf(delivery, store, kind);
    if (deps.lifecycle.states[delivery.status].final) {
      this.#journeys.delete(deliveryId);
      this.#left.delete(deliveryId);
    } else {
      this.#journeys.set(deliveryId, { ...journey, store, step: nextStep(journey, this.speed) });
    }
    this.#followCourier(journey, store);
  }

  #journeyOf(delivery: Delivery, store: Store, kind: DeliveryEventKind | null): DeliveryProgress {
    const before = this.#journeys.get(delivery.id);
    const drawn = planOf(this.seed, store.external_store_id, delivery);
    const plan = this.#left.has(delivery.id) ? { ...drawn, byHand: true } : drawn;
    const lapsed = before?.lapsed ?? 0;
    if (before !== undefined && before.delivery.status === delivery.status) {
      return {
        ...before,
        delivery,
        plan,
        reportedPositions: before.reportedPositions + (kind === positionKind ? 1 : 0),
      };
    }
    const isLapse = before?.delivery.status === "OFFERED" && delivery.status === "QUEUED";
    return {
      delivery,
      plan,
      since: delivery.updated_at,
      lapsed: lapsed + (isLapse ? 1 : 0),
      route: this.#routeOf(delivery, store),
      reportedPositions: 0,
    };
  }

  /** The route from the courier's position to the destination of the delivery's state. */
  #routeOf(delivery: Delivery, store: Store): Point[] | null {
    if (arrivalActions[delivery.status] === undefined) return null;
    const restaurant = pointOf(store);
    const to = delivery.status === "EN_ROUTE" ? delivery.dropoff.point : restaurant;
    const known = delivery.courier && pointOf(delivery.courier);
    const from = known ?? this.#courierPoolOf(store).assignedTo(delivery.id)?.at ?? restaurant;
    if (from === null || to === null) return null;
    return routeBetween(randomFrom(this.seed, "way", delivery.external_ref, delivery.status), from, to);
  }

  /**
   * A courier is busy from an offer until the offer lapses or the delivery ends. Then the courier takes the next waiting
   * delivery.
   */
  #followCourier({ delivery, since }: DeliveryProgress, store: Store): void {
    const fleet = this.#courierPoolOf(store);
    const driver = fleet.assignedTo(delivery.id);
    const at = delivery.courier && pointOf(delivery.courier);
    const isTracked = delivery.courier !== null && this.#journeys.has(delivery.id);
    if (driver === undefined) {
      if (isTracked && delivery.courier) fleet.restore(delivery.courier, at, delivery.id);
      return;
    }
    if (at !== null) driver.at = at;
    if (delivery.status === "OFFERED" || isTracked) return;
    driver.busyWith = null;
    for (const waiting of this.#journeys.values()) {
      const isNext =
        waiting.delivery.status === "QUEUED" && waiting.delivery.integrator_id === delivery.integrator_id;
      if (isNext && waiting.step === undefined) {
        const step = nextStep(waiting, this.speed);
        waiting.step = step && { ...step, at: Math.max(step.at, since) };
      }
    }
  }

  #courierPoolOf({ integrator_id, company }: Store): CourierPool {
    const key = `${integrator_id} ${company.id}`;
    const fleet = this.#fleets.get(key) ?? new CourierPool(this.seed, company.name);
    this.#fleets.set(key, fleet);
    return fleet;
  }

  /** The delivery of an integrator whose next step is the earliest. */
  #first(integratorId: string): (KnownRoute & { step: Step }) | undefined {
    let first: (KnownRoute & { step: Step }) | undefined;
    for (const known of this.#journeys.values()) {
      const { step } = known;
      if (step === undefined || known.delivery.integrator_id !== integratorId) continue;
      if (first === undefined || step.at < first.step.at) first = { ...known, step };
    }
    return first;
  }

  /** Runs the earliest step due by `at`. */
  async #doFirst(deps: Dependencies, integratorId: string, at: number): Promise<void> {
    const first = this.#first(integratorId);
    if (first === undefined || first.step.at > at) return;
    const { delivery, step, plan, store } = first;
    const known = this.#journeys.get(delivery.id);
    if (known !== undefined) known.step = undefined;
    const move = { action: step.action, ...(step.location && { location: step.location }) };
    try {
      if (step.action === "offered") {
        const driver = this.#courierPoolOf(store).nearestFree(
          store.settings.couriers_on_shift,
          pointOf(store),
        );
        // Without a free courier the delivery waits: the next free courier takes it.
        if (driver === undefined) return;
        driver.busyWith = delivery.id;
        const { name, phone, plate } = driver;
        await moveCourier(deps, delivery.id, { ...move, courier: { name, phone, plate } });
      } else {
        const start =
          step.action === "assigned" ? this.#courierPoolOf(store).assignedTo(delivery.id)?.at : undefined;
        const reason = plan.reason !== null && step.action === plan.ending ? { reason: plan.reason } : {};
        await moveCourier(deps, delivery.id, { ...move, ...(start && { location: start }), ...reason });
      }
    } catch (error) {
      // Another change of the delivery came first. The simulator continues from the changed state.
      if (!(error instanceof DomainError)) throw error;
    }
  }

  /** Runs due steps in real time for running clocks. */
  async #setTimer(deps: Dependencies): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#deps === undefined) return;
    const delay = await this.#delay(deps);
    if (delay === undefined || this.#deps === undefined) return;
    this.#timer = setTimeout(
      () => this.#enqueue(deps, () => this.#doDue(deps)),
      Math.min(delay, longestMs),
    ).unref();
  }

  /** Real time until the next step; undefined if no step is known. */
  async #delay(deps: Dependencies): Promise<number | undefined> {
    let least: number | undefined;
    for (const { integrator, at } of await this.#dueOfEach(deps)) {
      const isMoved = integrator.clock_moved_by !== null;
      const delay = isMoved
        ? movedClockMs
        : Math.max(0, at - deps.clock.timeOf(integrator, deps.clock.now()));
      if (least === undefined || delay < least) least = delay;
    }
    return least;
  }

  async #doDue(deps: Dependencies): Promise<void> {
    for (const { integrator, at } of await this.#dueOfEach(deps)) {
      const now = deps.clock.timeOf(integrator, deps.clock.now());
      if (integrator.clock_moved_by === null && at <= now) await this.#doFirst(deps, integrator.id, now);
    }
  }

  async #dueOfEach(deps: Dependencies) {
    const ids = new Set([...this.#journeys.values()].map(({ delivery }) => delivery.integrator_id));
    const due = [];
    for (const id of ids) {
      const at = this.#first(id)?.step.at;
      const integrator =
        at === undefined ? undefined : await deps.records.integrators.findById(deps.database, id);
      if (at !== undefined && integrator !== undefined) due.push({ integrator, at });
    }
    return due;
  }
}
