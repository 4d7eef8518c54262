import type { ClauseId } from "../../../../openapi/generated/clauses.ts";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Delivery } from "../../../../reference-server/domain/model.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { isObject } from "../../../core/json.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { replaceOperation } from "../operators/operations.ts";

type Tracking = Dependencies["tracking"];

export const HOUR_MS = 3_600_000;

/** The clause on private data in a state. A failed delivery and a return have clauses of their own. */
function privacyClause<Clause extends ClauseId>(
  state: string,
  clause: Clause,
): Clause | "TRACK-18" | "TRACK-19" {
  if (state === "failed") return "TRACK-19";
  return state === "returning" || state === "returned" ? "TRACK-18" : clause;
}

export const alterRules =
  (change: (rules: Tracking) => Partial<Tracking>): Mutate =>
  (deps) => ({ ...deps, tracking: { ...deps.tracking, ...change(deps.tracking) } });

const addData =
  (addition: (delivery: Delivery) => object): Mutate =>
  (deps) => ({
    ...deps,
    views: {
      ...deps.views,
      tracking: (current, delivery, store) => ({
        ...deps.views.tracking(current, delivery, store),
        ...addition(delivery),
      }),
    },
  });

/** A server that adds data once a PATCH has changed the delivery. */
const addDataAfterAChange =
  (addition: (delivery: Delivery) => object): Mutate =>
  (deps) => {
    const changed = new Set<string>();
    const remembering = replaceOperation("updateDelivery", (call, original) => {
      changed.add(call.path.id);
      return original(call);
    })(deps);
    return addData((delivery) => (changed.has(delivery.id) ? addition(delivery) : {}))(remembering);
  };

const alterTrackedCourier =
  (change: (courier: NonNullable<Delivery["courier"]>) => object): Mutate =>
  (deps) => ({
    ...deps,
    views: {
      ...deps.views,
      trackedCourier: (current, delivery, courier) => ({
        ...deps.views.trackedCourier(current, delivery, courier),
        ...change(courier),
      }),
    },
  });

/**
 * A server that limits tracking to another number of requests than its headers say. The tracking limit is the
 * limit of 60 requests.
 */
const limitTrackingTo =
  (requests: number): Mutate =>
  (deps) => ({
    ...deps,
    rateLimitStatus: (limit, count, now) => {
      const rateLimit = deps.rateLimitStatus(limit, count, now);
      return limit.requests === 60 ? { ...rateLimit, exceeded: count > requests } : rateLimit;
    },
  });

/** The name of a status in the coverage sets. */
const stateOf = (status: Delivery["status"]): string => status.toLowerCase();

/** A server that also shows the courier's position in this state. */
const showPositionWhen = (status: Delivery["status"]): Mutate =>
  alterRules(({ showsPosition }) => ({
    showsPosition: (deps, delivery) => delivery.status === status || showsPosition(deps, delivery),
  }));

/** A server whose tracking pages expire `moreMs` later than 2 hours after this end of a delivery. */
const closeLater = (end: "delivered" | "cancelled", moreMs: number): Mutate =>
  alterRules(({ closed }) => ({
    closed: (deps, delivery, now) =>
      closed(deps, delivery, stateOf(delivery.status) === end ? now - moreMs : now),
  }));

/** States that are possible after an assignment. */
const ASSIGNED_STATES = [
  ...elementsOf("states-with-a-courier"),
  ...elementsOf("states-of-a-return"),
  "failed",
] as const;

/** The cases of the check `tracking.end` for each end of a delivery. */
const CASES_BY_END = {
  delivered: "a completed delivery",
  cancelled: [
    "a cancelled delivery",
    "a delivery cancelled after the assignment of a courier",
    "a cancelled delivery without coordinates",
    "a delivery cancelled before its scheduled time",
  ],
} as const;

export const trackingMutants: Mutants = {
  ...forEachElement(
    ASSIGNED_STATES,
    (state) => `tracking-shows-the-phone-when-${state}`,
    (state) => ({
      fault: `tracking data in the state ${state} contains a phone number`,
      breaks: breaking(state, privacyClause(state, "TRACK-2")),
      mutate: addData(({ status, customer }) =>
        stateOf(status) === state ? { contact: customer.phone } : {},
      ),
    }),
  ),
  ...forEachElement(
    ASSIGNED_STATES,
    (state) => `tracking-shows-the-name-when-${state}`,
    (state) => ({
      fault: `tracking data in the state ${state} contains the customer's name`,
      breaks: breaking(state, privacyClause(state, "TRACK-3")),
      mutate: addData(({ status, customer }) => (stateOf(status) === state ? { to: customer.name } : {})),
    }),
  ),
  ...forEachElement(
    ASSIGNED_STATES,
    (state) => `tracking-shows-the-address-when-${state}`,
    (state) => ({
      fault: `tracking data in the state ${state} contains the address`,
      breaks: breaking(state, privacyClause(state, "TRACK-4")),
      mutate: addData(({ status, dropoff }) => (stateOf(status) === state ? { to: dropoff.address } : {})),
    }),
  ),
  ...forEachElement(
    elementsOf("states-without-a-courier"),
    (state) => `tracking-shows-the-phone-at-first-when-${state}`,
    (state) => ({
      fault: `tracking data in the state ${state} without a courier contains a phone number`,
      breaks: breaking(state, "TRACK-15"),
      mutate: addData(({ status, courier, customer }) =>
        courier === null && stateOf(status) === state ? { contact: customer.phone } : {},
      ),
    }),
  ),
  ...forEachElement(
    elementsOf("states-without-a-courier"),
    (state) => `tracking-shows-the-address-at-first-when-${state}`,
    (state) => ({
      fault: `tracking data in the state ${state} without a courier contains the address`,
      breaks: breaking(state, "TRACK-15"),
      mutate: addData(({ status, courier, dropoff }) =>
        courier === null && stateOf(status) === state ? { to: dropoff.address } : {},
      ),
    }),
  ),
  "tracking-of-cancelled-holds-the-name": {
    fault: "tracking data of a cancelled delivery contains the customer's name",
    breaks: [{ clause: "TRACK-15", case: "cancelled" }],
    mutate: addData(({ cancelled_at, customer }) => (cancelled_at === null ? {} : { of: customer.name })),
  },
  "tracking-shows-a-changed-address": {
    fault: "tracking data contains an address that a PATCH has set",
    breaks: [{ clause: "TRACK-15" }],
    mutate: addDataAfterAChange(({ dropoff }) => ({ to: dropoff.address })),
  },
  "tracking-shows-a-changed-customer": {
    fault: "tracking data contains a customer's name that a PATCH has set",
    breaks: [{ clause: "TRACK-15" }],
    mutate: addDataAfterAChange(({ customer }) => ({ for: customer.name })),
  },
  "tracking-shows-the-restaurants-phone": {
    fault: "tracking data contains the restaurant's phone number",
    breaks: [{ clause: "TRACK-15" }, { clause: "TRACK-2" }],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        tracking: (current, delivery, store) => ({
          ...deps.views.tracking(current, delivery, store),
          restaurant_phone: store.phone,
        }),
      },
    }),
  },
  "position-shown-after-a-cancellation": {
    fault: "tracking shows the courier's position after a cancellation",
    breaks: [{ clause: "TRACK-16" }],
    mutate: showPositionWhen("CANCELLED"),
  },
  "position-shown-at-the-restaurant": {
    fault: "tracking shows the courier's position from the arrival at the restaurant",
    breaks: [{ clause: "TRACK-17" }],
    mutate: showPositionWhen("AT_PICKUP"),
  },
  "tracking-needs-a-token": {
    fault: "tracking requires a token",
    breaks: [{ clause: "TRACK-1" }, { clause: "AUTH-10" }],
    mutate: (deps) => {
      const document = structuredClone(deps.document);
      const get = document.paths["/v1/public/tracking/{key}"]?.get;
      if (!isObject(get)) throw new Error("the document has no operation for tracking data");
      Reflect.deleteProperty(get, "security");
      return { ...deps, document };
    },
  },
  "tracking-fails-without-a-courier": {
    fault: "tracking fails until a courier is assigned",
    breaks: [{ clause: "TRACK-1" }, { clause: "AUTH-10" }],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        tracking: (current, delivery, store) => {
          if (delivery.courier === null) throw new Error("no courier");
          return deps.views.tracking(current, delivery, store);
        },
      },
    }),
  },
  "unknown-tracking-key-answers-400": {
    fault: "an unknown tracking key gets a 400",
    breaks: [{ clause: "TRACK-14" }],
    mutate: replaceOperation("getTracking", async (call, original) => {
      const known = await call.deps.records.deliveries.findByTrackingKey(call.deps.database, call.path.key);
      if (known === undefined) throw new DomainError("DOGRULAMA");
      return original(call);
    }),
  },
  "tracking-shows-the-customers-phone": {
    fault: "tracking data contains the customer's phone number while the courier is en route",
    breaks: [{ clause: "TRACK-2", case: "en_route" }],
    mutate: addData(({ status, customer }) => (status === "EN_ROUTE" ? { contact: customer.phone } : {})),
  },
  "tracking-shows-the-couriers-phone": {
    fault: "tracking data contains the courier's phone number",
    breaks: [{ clause: "TRACK-2" }],
    mutate: alterTrackedCourier(({ phone }) => ({ phone })),
  },
  "tracking-greets-by-name": {
    fault: "tracking data contains the customer's first name",
    breaks: [{ clause: "TRACK-3" }],
    mutate: addData(({ customer }) => ({
      greeting: `Merhaba ${customer.name?.split(" ")[0] ?? ""}`,
    })),
  },
  "tracking-shows-the-address-at-the-end": {
    fault: "tracking data of a delivered package contains the address",
    breaks: [{ clause: "TRACK-4", case: "delivered" }],
    mutate: addData(({ status, dropoff }) =>
      status === "DELIVERED" ? { delivered_to: dropoff.address } : {},
    ),
  },
  "tracking-shows-the-address-at-first": {
    fault: "tracking data of an order without coordinates contains the address",
    breaks: [{ clause: "TRACK-15", case: "received" }],
    mutate: addData(({ status, dropoff }) => (status === "RECEIVED" ? { looked_up: dropoff.address } : {})),
  },
  "tracking-shows-the-directions-at-the-door": {
    fault: "tracking data contains the directions once the courier has arrived",
    breaks: [{ clause: "TRACK-4", case: "arrived" }],
    mutate: addData(({ status, dropoff }) => (status === "ARRIVED" ? { door: dropoff.directions } : {})),
  },
  "tracking-shows-the-extension": {
    fault: "tracking data contains the customer's phone extension",
    breaks: [{ clause: "TRACK-15" }, { clause: "TRACK-2" }],
    mutate: addData(({ customer }) => ({ extension: customer.phone_extension })),
  },
  "tracking-shows-the-couriers-surname": {
    fault: "tracking shows the courier's full name",
    breaks: [{ clause: "TRACK-5" }],
    mutate: alterRules(() => ({ firstName: (name) => name })),
  },
  "tracking-shows-the-surname-after-a-turkish-letter": {
    fault: "tracking shows the courier's full name if it begins with a letter that isn't in ASCII",
    breaks: [{ clause: "TRACK-5" }],
    mutate: alterRules(({ firstName }) => ({
      firstName: (name) => (/^[a-z]/i.test(name) ? firstName(name) : name),
    })),
  },
  "tracking-shows-the-surnames-initial": {
    fault: "tracking shows the courier's first name and the initial of the surname",
    breaks: [{ clause: "TRACK-5" }],
    mutate: alterRules(() => ({ firstName: (name) => name.replace(/(\S+ \S).*/, "$1.") })),
  },
  "position-shown-after-a-return": {
    fault: "tracking shows the courier's last position after the return",
    breaks: [{ clause: "TRACK-9" }],
    caughtBy: ["tracking.position-after-a-return"],
    mutate: showPositionWhen("RETURNED"),
  },
  "tracking-without-the-couriers-name": {
    fault: "tracking doesn't show the courier's name",
    breaks: [{ clause: "TRACK-6" }],
    mutate: alterRules(() => ({ firstName: () => "" })),
  },
  "tracking-without-the-couriers-name-at-the-door": {
    fault: "tracking doesn't show the courier's name once the courier is at the customer's door",
    breaks: [{ clause: "TRACK-6", case: "arrived" }],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        tracking: (current, delivery, store) => {
          const shown = deps.views.tracking(current, delivery, store);
          return delivery.status === "ARRIVED" && shown.courier
            ? { ...shown, courier: { ...shown.courier, name: "" } }
            : shown;
        },
      },
    }),
  },
  "position-shown-too-early": {
    fault: "tracking shows the courier's position from the assignment",
    breaks: [{ clause: "TRACK-7" }],
    mutate: showPositionWhen("ASSIGNED"),
  },
  "position-shown-at-the-door-only": {
    fault: "tracking shows the courier's position only at the door",
    breaks: [{ clause: "TRACK-8" }],
    mutate: alterRules(() => ({ showsPosition: (_deps, { status }) => status === "ARRIVED" })),
  },
  "position-shown-after-delivery": {
    fault: "tracking shows the courier's last position after the delivery",
    breaks: [{ clause: "TRACK-9" }],
    caughtBy: ["tracking.position"],
    mutate: showPositionWhen("DELIVERED"),
  },
  ...forEachElement(
    ["delivered", "cancelled"],
    (end) => `tracking-of-${end}-ends-90-seconds-early`,
    (end) => ({
      fault: `a ${end} delivery can be tracked for less than 2 hours`,
      breaks: breaking(CASES_BY_END[end], end === "delivered" ? "TRACK-10" : "TRACK-12"),
      mutate: closeLater(end, -90_000),
    }),
  ),
  ...forEachElement(
    ["delivered", "cancelled"],
    (end) => `tracking-of-${end}-ends-90-seconds-late`,
    (end) => ({
      fault: `a ${end} delivery can be tracked for more than 2 hours`,
      breaks: breaking(CASES_BY_END[end], end === "delivered" ? "TRACK-11" : "TRACK-13", "ERR-25"),
      mutate: closeLater(end, 90_000),
    }),
  ),
  "ended-tracking-answers-404": {
    fault: "ended tracking returns 404 like an unknown key",
    breaks: [{ clause: "TRACK-11" }, { clause: "TRACK-13" }, { clause: "ERR-25" }],
    mutate: (deps) => ({
      ...deps,
      errors: { ...deps.errors, TAKIP_KAPANDI: deps.errors.BULUNAMADI },
    }),
  },
  "ended-tracking-is-forgotten-after-a-day": {
    fault: "tracking that ended a day ago returns 404 like an unknown key",
    breaks: [{ clause: "TRACK-20" }],
    mutate: alterRules(({ closed }) => ({
      closed: (deps, delivery, now) => {
        const end = delivery.delivered_at ?? delivery.cancelled_at ?? now;
        if (now - end > 24 * HOUR_MS) throw new DomainError("BULUNAMADI");
        return closed(deps, delivery, now);
      },
    })),
  },
  "tracking-limit-of-55": {
    fault: "tracking is limited to fewer requests per minute, though the headers say 60",
    breaks: [{ clause: "LIMIT-13" }],
    mutate: limitTrackingTo(55),
  },
  "tracking-limit-of-210": {
    fault: "tracking is limited to more requests per minute, though the headers say 60",
    breaks: [{ clause: "LIMIT-12" }],
    mutate: limitTrackingTo(210),
  },
  "tracking-unlimited": {
    fault: "tracking requests are counted, but never limited",
    breaks: [{ clause: "LIMIT-12" }],
    mutate: limitTrackingTo(Number.POSITIVE_INFINITY),
  },
};
