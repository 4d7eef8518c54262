import { setTimeout as pause } from "node:timers/promises";
import { changed, moved, recordChange } from "../../../reference-server/deliveries/changes.ts";
import { measure } from "../../../reference-server/deliveries/dropoff.ts";
import type { Dependencies } from "../../../reference-server/dependencies.ts";
import type { Lifecycle } from "../../../reference-server/domain/lifecycle.ts";
import type { Call } from "../../../reference-server/operations/operation.ts";
import { alterChange } from "../mutants/operators/deliveries.ts";
import { replaceOperation } from "../mutants/operators/operations.ts";
import { DEFAULT_POINT } from "../session/sample-data/settings.ts";
import { near } from "../support/orders/orders.ts";

const withLifecycle = (
  deps: Dependencies,
  change: (lifecycle: Lifecycle) => Partial<Lifecycle>,
): Dependencies => ({
  ...deps,
  lifecycle: { ...deps.lifecycle, ...change(deps.lifecycle) },
});

/** OPEN-82: an offer keeps the state. */
export const offersKeepStatus = (deps: Dependencies): Dependencies =>
  withLifecycle(deps, ({ transitions }) => ({
    transitions: {
      ...transitions,
      offered: { ...transitions.offered, to: "QUEUED" },
      offer_lapsed: { ...transitions.offer_lapsed, from: ["QUEUED"] },
    },
  }));

/** OPEN-91: a failed delivery is returned. */
export const failedIsReturned = (deps: Dependencies): Dependencies =>
  withLifecycle(deps, ({ transitions }) => ({
    transitions: {
      ...transitions,
      returning: { ...transitions.returning, from: [...transitions.returning.from, "FAILED"] },
    },
  }));

/** OPEN-22, OPEN-201: the search starts immediately, however late the schedule is. */
export const searchesImmediately = (deps: Dependencies): Dependencies => ({
  ...deps,
  courierSearch: { ...deps.courierSearch, startsAt: () => 0 },
});

/**
 * OPEN-22, OPEN-84: the search starts immediately. One that a change starts is reported as delivery.updated
 * only.
 */
export function reportsNoSearchAfterChange(deps: Dependencies): Dependencies {
  const changes = new Set<string>();
  const searches = new Set<string>();
  return {
    ...searchesImmediately(deps),
    async emit(all, tx, delivery, kind) {
      const { id } = delivery;
      if (kind === "delivery.updated") changes.add(id);
      const isSilent = kind === "delivery.queued" && changes.has(id) && !searches.has(id);
      if (kind === "delivery.queued" || kind === "delivery.offered") searches.add(id);
      if (!isSilent) await deps.emit(all, tx, delivery, kind);
    },
  };
}

/** OPEN-22: a scheduled order is RECEIVED until its search starts. */
export const receivedUntilSearch = (deps: Dependencies): Dependencies => ({
  ...withLifecycle(deps, ({ openings, transitions }) => ({
    openings: { ...openings, scheduled: { ...openings.scheduled, status: "RECEIVED" } },
    transitions: {
      ...transitions,
      search_started: { ...transitions.search_started, from: ["RECEIVED", "QUEUED"] },
    },
  })),
  courierSearch: {
    ...deps.courierSearch,
    nextChange(all, delivery) {
      const { status, dropoff, scheduled_for, search_started_at } = delivery;
      return status === "RECEIVED" && dropoff.point !== null && search_started_at === null
        ? { kind: "search", at: all.courierSearch.startsAt(scheduled_for) }
        : deps.courierSearch.nextChange(all, delivery);
    },
  },
});

/** OPEN-16: only delivered orders cost credit. */
export const creditOnDelivery = (deps: Dependencies): Dependencies => ({
  ...deps,
  credit: { opening: () => 0, cancelling: () => 0 },
  async emit(all, tx, delivery, kind) {
    if (kind === "delivery.delivered") await all.records.credit.add(tx, delivery.integrator_id, 1);
    await deps.emit(all, tx, delivery, kind);
  },
});

/**
 * OPEN-84, OPEN-85: a new address restarts the search. delivery.queued reports it in addition to
 * delivery.updated.
 */
export function reportsSearchAgain(deps: Dependencies): Dependencies {
  const places = new Map<string, string>();
  return {
    ...deps,
    async emit(all, tx, delivery, kind) {
      const place = JSON.stringify(delivery.dropoff.point);
      const isNew = places.get(delivery.id) !== place;
      places.set(delivery.id, place);
      await deps.emit(all, tx, delivery, kind);
      if (kind !== "delivery.updated" || !isNew || delivery.status !== "QUEUED") return;
      await deps.emit(all, tx, delivery, "delivery.queued");
    },
  };
}

/** The minimum score of a certain match. */
const MIN_SCORE = 0.8;
const RESOLVED_AFTER_MS = 100;

/**
 * OPEN-83: an order's address is geocoded soon after its creation. If the address is found, the order is
 * queued, and two events report the order.
 */
export const geocodesLater = replaceOperation("createDelivery", async (call, original) => {
  const reply = await original(call);
  if (reply.status === 201 && reply.body.status === "RECEIVED") {
    void pause(RESOLVED_AFTER_MS, undefined, { ref: false }).then(() => resolve(call, reply.body.id));
  }
  return reply;
});

/** OPEN-83: a changed address of an order without a location is geocoded immediately, near the restaurant. */
export const geocodesChanges = alterChange((body, { status }) =>
  status === "RECEIVED" && body.dropoff && body.dropoff.lat === undefined
    ? { ...body, dropoff: { ...body.dropoff, ...near(DEFAULT_POINT) } }
    : body,
);

async function resolve({ deps, integrator, now }: Call<"createDelivery">, id: string): Promise<void> {
  try {
    await deps.transaction(async (tx) => {
      const stamp = await deps.records.changeSequence.takeNext(tx, integrator.id, now);
      const before = await deps.records.deliveries.find(tx, integrator.id, id);
      const store = before && (await deps.records.stores.findById(tx, before.store_id));
      if (!store || before.status !== "RECEIVED") return;
      const [best] = before.dropoff.candidates ?? [];
      if (best === undefined || best.score < MIN_SCORE) {
        return recordChange(deps, tx, changed(deps, before, {}, stamp));
      }
      const point = { lat: best.lat, lng: best.lng };
      const dropoff = { ...before.dropoff, point, candidates: null };
      const change = { dropoff, ...measure(deps, store, point), search_started_at: stamp.at };
      const { after } = moved(deps, before, "locate", change, stamp);
      await recordChange(deps, tx, { after, kind: "delivery.queued" });
    });
  } catch {
    // If the point is outside the service area, or the server has stopped, the order keeps waiting for
    // coordinates.
  }
}
