import type { Lifecycle } from "../../../../reference-server/domain/lifecycle.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterDelivery } from "../operators/answers.ts";
import { alterRefusalCode, alterUpdate, overwriteDelivery } from "../operators/deliveries.ts";
import { alterCreation, onRefusal, replaceOperation } from "../operators/operations.ts";

const alterLifecycle =
  (change: (table: Lifecycle) => Partial<Lifecycle>): Mutate =>
  (deps) => ({ ...deps, lifecycle: { ...deps.lifecycle, ...change(deps.lifecycle) } });

const alterOpening = (kind: "located" | "unlocated" | "test", status: "RECEIVED" | "QUEUED") =>
  alterLifecycle(({ openings }) => ({ openings: { ...openings, [kind]: { ...openings[kind], status } } }));

const alterTransition = (action: "locate" | "cancel", change: Partial<Lifecycle["transitions"]["cancel"]>) =>
  alterLifecycle(({ transitions }) => ({
    transitions: { ...transitions, [action]: { ...transitions[action], ...change } },
  }));

export const alterCountry =
  (change: (lat: number, lng: number, inside: boolean) => boolean): Mutate =>
  (deps) => ({
    ...deps,
    country: {
      ...deps.country,
      contains: (point) => change(point.lat, point.lng, deps.country.contains(point)),
    },
  });

export const statesMutants: Mutants = {
  "cancellation-sets-failure_reason": {
    fault: "a cancellation sets failure_reason too",
    breaks: breaking(["RECEIVED", "QUEUED"], "DLV-60"),
    caughtBy: ["states.open-deliveries-are-cancelled"],
    mutate: alterDelivery(({ cancelled_at, cancel_reason, failure_reason }) => ({
      failure_reason: cancelled_at ? cancel_reason : failure_reason,
    })),
  },
  ...forEachElement(
    ["delivered_at", "returned_at"],
    (time) => `cancellation-sets-${time}`,
    (time) => ({
      fault: `a cancellation sets ${time} too`,
      breaks: breaking(["RECEIVED", "QUEUED"], "DLV-48"),
      caughtBy: ["states.open-deliveries-are-cancelled"],
      mutate: alterDelivery((shown) => ({ [time]: shown.cancelled_at ?? shown[time] })),
    }),
  ),
  "located-order-waits-as-received": {
    fault: "an order with coordinates is first RECEIVED",
    breaks: [{ clause: "STATE-1" }],
    mutate: alterOpening("located", "RECEIVED"),
  },
  "far-coordinates-are-ignored": {
    fault: "the east of the country counts as outside the country",
    breaks: breaking(["Kars", "Van"], "STATE-1", "QUOTE-29"),
    mutate: alterCountry((_, lng, inside) => inside && lng < 40),
  },
  "order-that-is-ready-later-waits-as-received": {
    fault: "an order with coordinates and ready_at is RECEIVED",
    breaks: [{ clause: "STATE-1", case: "ready in half an hour" }],
    mutate: alterCreation(async (call, create) => {
      const created = await create(call);
      return call.body.ready_at ? { ...created, body: { ...created.body, status: "RECEIVED" } } : created;
    }),
  },
  "order-without-point-is-queued": {
    fault: "an order without coordinates is QUEUED",
    breaks: [{ clause: "STATE-2" }],
    mutate: alterOpening("unlocated", "QUEUED"),
  },
  "coordinates-0-0-are-accepted": {
    fault: "the coordinates 0,0 aren't ignored",
    breaks: [{ clause: "STATE-3", case: "0,0" }],
    mutate: alterCountry((lat, lng, inside) => inside || (lat === 0 && lng === 0)),
  },
  "coordinates-abroad-are-accepted": {
    fault: "coordinates outside the country aren't ignored",
    breaks: breaking(["the opposite side of the globe", "Berlin"], "STATE-4"),
    mutate: alterCountry((lat, lng) => lat !== 0 || lng !== 0),
  },
  "ignored-coordinates-are-queued": {
    fault: "an order with ignored coordinates is QUEUED",
    breaks: [{ clause: "STATE-3" }, { clause: "STATE-4" }],
    mutate: alterCreation(async (call, create) => {
      const created = await create(call);
      if (call.body.dropoff.lat === undefined) return created;
      return { ...created, body: { ...created.body, status: "QUEUED" } };
    }),
  },
  "located-order-stays-received": {
    fault: "adding coordinates leaves a delivery RECEIVED",
    breaks: [{ clause: "STATE-7" }, { clause: "PATCH-1" }],
    caughtBy: ["models.life-without-a-courier", "states.located-by-patch"],
    mutate: alterTransition("locate", { to: "RECEIVED" }),
  },
  "changed-order-stays-received": {
    fault: "adding coordinates leaves a delivery RECEIVED if its address was changed before",
    breaks: [{ clause: "STATE-7", case: "a delivery whose address was changed before" }],
    caughtBy: ["states.located-by-patch"],
    mutate: alterUpdate((after, { status, version }) =>
      status === "RECEIVED" && version > 1 && after.status === "QUEUED" ? { status } : {},
    ),
  },
  "located-order-has-no-distance": {
    fault: "adding coordinates to a delivery doesn't compute its distance",
    breaks: [{ clause: "STATE-8" }],
    mutate: alterUpdate((after, before) => ({
      distance_m: before.dropoff.point === null ? null : after.distance_m,
    })),
  },
  "located-order-keeps-its-address": {
    fault: "a PATCH that adds coordinates to a delivery keeps the old address",
    breaks: [{ clause: "PATCH-2" }],
    caughtBy: ["states.located-by-patch"],
    mutate: alterUpdate(({ dropoff }, before) => ({
      dropoff: before.dropoff.point === null ? { ...dropoff, address: before.dropoff.address } : dropoff,
    })),
  },
  "located-order-loses-its-pin": {
    fault: "a PATCH that adds coordinates to a delivery removes its delivery_pin",
    breaks: [{ clause: "PATCH-18" }],
    caughtBy: ["states.located-by-patch"],
    mutate: alterUpdate((after, before) =>
      before.status === "RECEIVED" && after.status === "QUEUED" ? { delivery_pin: null } : {},
    ),
  },
  "located-order-loses-its-schedule": {
    fault: "a PATCH that adds coordinates to a delivery removes its scheduled_for",
    breaks: [{ clause: "PATCH-28" }],
    mutate: alterUpdate((after, before) =>
      before.status === "RECEIVED" && after.status === "QUEUED" ? { scheduled_for: null } : {},
    ),
  },
  "located-order-hides-its-coordinates": {
    fault: "coordinates that a PATCH adds to a delivery aren't shown",
    breaks: [{ clause: "PATCH-2" }],
    caughtBy: ["states.located-by-patch"],
    mutate: (deps) => {
      const added = new Set<string>();
      const hide = alterDelivery(({ dropoff }, { id }) =>
        added.has(id) ? { dropoff: { ...dropoff, lat: null, lng: null } } : {},
      );
      return alterUpdate((after, before) => {
        if (before.dropoff.point === null && after.dropoff.point !== null) added.add(after.id);
        return {};
      })(hide(deps));
    },
  },
  "any-patch-queues-a-received-delivery": {
    fault: "any change of a delivery without coordinates makes it QUEUED",
    breaks: [{ clause: "STATE-47" }],
    mutate: alterUpdate(({ status }, before) =>
      before.status === "RECEIVED" && status === "RECEIVED" ? { status: "QUEUED" } : {},
    ),
  },
  "address-without-point-queues-a-received-delivery": {
    fault: "a new address without coordinates makes a RECEIVED delivery QUEUED",
    breaks: [{ clause: "STATE-47" }],
    mutate: alterUpdate(({ status, dropoff }, before) =>
      status === "RECEIVED" && dropoff.address !== before.dropoff.address ? { status: "QUEUED" } : {},
    ),
  },
  "received-is-not-cancelled": {
    fault: "a RECEIVED delivery can't be cancelled",
    breaks: [{ clause: "STATE-18", case: "RECEIVED" }],
    mutate: (deps) =>
      alterTransition("cancel", { from: ["QUEUED", "OFFERED", "ASSIGNED", "AT_PICKUP"] })(
        alterOpening("test", "QUEUED")(deps),
      ),
  },
  "queued-is-not-cancelled": {
    fault: "a QUEUED delivery can't be cancelled",
    breaks: [{ clause: "STATE-19", case: "QUEUED" }],
    mutate: alterTransition("cancel", { from: ["RECEIVED", "ASSIGNED", "AT_PICKUP"] }),
  },
  "test-delivery-has-its-own-status": {
    fault: "a test delivery's final status differs from that of a cancelled one",
    breaks: [{ clause: "STATE-22" }],
    mutate: alterDelivery(({ test, status, cancelled_at }) => ({
      status: test && cancelled_at ? "TEST" : status,
    })),
  },
  "cancelled-delivery-is-patched": {
    fault: "a cancelled delivery can still be changed",
    breaks: [{ clause: "STATE-31" }],
    caughtBy: ["models.life-without-a-courier", "states.cancelled-takes-no-patch"],
    mutate: alterLifecycle(({ states }) => ({
      states: { ...states, CANCELLED: { ...states.CANCELLED, final: false } },
    })),
  },
  "patch-of-cancelled-answers-404": {
    fault: "changing a cancelled delivery returns 404",
    breaks: [{ clause: "STATE-31" }],
    caughtBy: ["states.cancelled-takes-no-patch"],
    mutate: alterRefusalCode("updateDelivery", "SON_DURUM", "BULUNAMADI"),
  },
  "patch-of-cancelled-returns-kurye-aldi": {
    fault: "changing a cancelled delivery returns KURYE_ALDI",
    breaks: [{ clause: "STATE-32" }],
    mutate: alterRefusalCode("updateDelivery", "SON_DURUM", "KURYE_ALDI"),
  },
  "new-address-revives-a-cancelled-delivery": {
    fault: "a new address for a cancelled delivery is refused, but makes it QUEUED",
    breaks: [{ clause: "STATE-36" }],
    caughtBy: ["states.cancelled-is-final"],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      onRefusal("SON_DURUM", original(call), async (refusal) => {
        if (call.body.dropoff) await overwriteDelivery(call, call.path.id, { status: "QUEUED" });
        throw refusal;
      }),
    ),
  },
  "cancelled-falls-back-to-received": {
    fault: "a cancelled delivery has the status RECEIVED",
    breaks: [{ clause: "STATE-39" }],
    mutate: alterTransition("cancel", { to: "RECEIVED" }),
  },
};
