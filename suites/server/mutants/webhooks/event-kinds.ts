import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { pause } from "../../../core/clock.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { LOCATION_KIND } from "../../../core/contract/event-kinds.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { isObject } from "../../../core/json.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import { COURIER_KINDS } from "../../support/webhooks/delivery-events.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterEventData, withEnvelopes } from "../operators/envelopes.ts";
import { alterEventKinds, replaceEventKind } from "../operators/events.ts";
import { alterOutbox, alterWebhookRecords } from "../operators/webhooks.ts";

/** The time that a slow machine takes to process a position. */
const SLOW_POSITION_MS = 300;

const alterRules =
  (change: (rules: Dependencies["eventRules"]) => Partial<Dependencies["eventRules"]>): Mutate =>
  (deps) => ({ ...deps, eventRules: { ...deps.eventRules, ...change(deps.eventRules) } });

const ACTION_CLAUSES = {
  assigned: ["EVENT-16", "STATE-14"],
  at_pickup: ["EVENT-17"],
  picked_up: ["EVENT-18"],
  en_route: ["EVENT-19"],
  arrived: ["EVENT-20"],
  delivered: ["EVENT-21"],
} as const;

/** A server that forgets when it last reported a position once an event of such a type occurs. */
const restartPositionLimit =
  (restarts: (kind: string) => boolean): Mutate =>
  (deps) => {
    const lastMs = new Map<string, number>();
    return {
      ...alterRules(() => ({ reportsPosition: () => true }))(deps),
      emit: async (current, tx, delivery, kind) => {
        if (kind === LOCATION_KIND) {
          const sinceLastMs = delivery.updated_at - (lastMs.get(delivery.id) ?? Number.NEGATIVE_INFINITY);
          if (sinceLastMs < 30_000) return;
          lastMs.set(delivery.id, delivery.updated_at);
        } else if (restarts(kind)) lastMs.delete(delivery.id);
        await deps.emit(current, tx, delivery, kind);
      },
    };
  };

/** The actions after which a random life of a delivery always emits an event. */
const ON_THE_WAY: readonly string[] = ["at_pickup", "picked_up", "en_route", "arrived"];

export const eventKindsMutants: Mutants = {
  "offer-unreported": {
    fault: "an offer to a courier emits no event",
    breaks: [{ clause: "EVENT-15" }, { clause: "STATE-15" }],
    caughtBy: ["event-kinds.offered", "models.life-with-a-courier"],
    mutate: replaceEventKind("delivery.offered"),
  },
  "change-during-an-offer-unreported": {
    fault: "a change of a delivery that a courier is offered emits no event",
    breaks: [{ clause: "EMIT-14" }],
    mutate: alterEventKinds((kind, { status }) =>
      kind === "delivery.updated" && status === "OFFERED" ? [] : [kind],
    ),
  },
  "cancellation-during-an-offer-unreported": {
    fault: "the cancellation of a delivery that a courier is offered emits no event",
    breaks: [{ clause: "EMIT-14" }],
    mutate: alterEventKinds((kind, { offered_at, assigned_at }) =>
      kind === "delivery.cancelled" && offered_at !== null && assigned_at === null ? [] : [kind],
    ),
  },
  ...forEachElement(
    elementsOf("courier-actions-until-delivery"),
    (action) => `move-${action}-unreported`,
    (action) => ({
      fault: `the courier action ${action} emits no event`,
      breaks: breaking(action, "EMIT-9", ...ACTION_CLAUSES[action]),
      caughtBy: [
        "event-kinds.until-delivery",
        ...(ON_THE_WAY.includes(action) ? ["models.life-with-a-courier"] : []),
      ],
      mutate: replaceEventKind(`delivery.${action}`),
    }),
  ),
  "assignment-reported-as-an-offer": {
    fault: "an assignment emits delivery.offered",
    breaks: breaking("assigned", "EMIT-9", "EVENT-16", "STATE-14"),
    caughtBy: ["event-kinds.until-delivery"],
    mutate: replaceEventKind("delivery.assigned", "delivery.offered"),
  },
  "pick-up-reported-as-en-route": {
    fault: "a pick-up emits delivery.en_route",
    breaks: [
      { clause: "EMIT-9", case: "picked_up" },
      { clause: "EVENT-18", case: "picked_up" },
    ],
    caughtBy: ["event-kinds.until-delivery"],
    mutate: replaceEventKind("delivery.picked_up", "delivery.en_route"),
  },
  "pick-up-reported-as-two-actions": {
    fault: "a pick-up also emits delivery.en_route, which is emitted again later",
    breaks: [{ clause: "EMIT-9" }],
    caughtBy: ["event-kinds.until-delivery"],
    mutate: replaceEventKind("delivery.picked_up", "delivery.picked_up", "delivery.en_route"),
  },
  "failure-reported-as-returning": {
    fault: "a failed delivery emits delivery.returning",
    breaks: [{ clause: "EVENT-22" }],
    mutate: replaceEventKind("delivery.failed", "delivery.returning"),
  },
  "returning-unreported": {
    fault: "the way back to the restaurant emits no event",
    breaks: [{ clause: "EVENT-24" }],
    mutate: replaceEventKind("delivery.returning"),
  },
  "return-unreported": {
    fault: "a return emits delivery.returning instead of delivery.returned",
    breaks: [{ clause: "EVENT-25" }],
    mutate: replaceEventKind("delivery.returned", "delivery.returning"),
  },
  "lapse-unreported": {
    fault: "a lapsed offer emits no event",
    breaks: [{ clause: "EVENT-14" }, { clause: "STATE-16" }],
    mutate: alterEventKinds((kind, { offered_at }) =>
      kind === "delivery.queued" && offered_at !== null ? [] : [kind],
    ),
  },
  "second-lapse-unreported": {
    fault: "only the first lapsed offer of a delivery emits an event",
    breaks: breaking("the second", "EVENT-14", "STATE-16"),
    caughtBy: ["event-kinds.lapsed-offer"],
    mutate: (deps) => {
      const lapsed = new Set<string>();
      return alterEventKinds((kind, { id, offered_at }) => {
        if (kind !== "delivery.queued" || offered_at === null) return [kind];
        if (lapsed.has(id)) return [];
        lapsed.add(id);
        return [kind];
      })(deps);
    },
  },
  "second-offer-unreported": {
    fault: "only the first offer of a delivery emits an event",
    breaks: breaking("the second", "EVENT-15"),
    caughtBy: ["event-kinds.lapsed-offer"],
    mutate: (deps) => {
      const offered = new Set<string>();
      return alterEventKinds((kind, { id }) => {
        if (kind !== "delivery.offered") return [kind];
        if (offered.has(id)) return [];
        offered.add(id);
        return [kind];
      })(deps);
    },
  },
  "lapse-reported-twice": {
    fault: "a lapsed offer emits delivery.queued twice",
    breaks: [{ clause: "EVENT-46" }],
    mutate: alterEventKinds((kind, { offered_at }) =>
      kind === "delivery.queued" && offered_at !== null ? [kind, kind] : [kind],
    ),
  },
  "lapse-repeats-the-webhook-id": {
    fault: "every delivery.queued of a delivery has the same webhook-id",
    breaks: [{ clause: "EVENT-14" }, { clause: "STATE-16" }],
    caughtBy: ["event-kinds.lapsed-offer"],
    mutate: (deps) => ({
      ...deps,
      attemptRequests: {
        ...deps.attemptRequests,
        headers: (current, dispatch, secret, now) => {
          const event: unknown = JSON.parse(dispatch.body);
          const data = isObject(event) && event.type === "delivery.queued" ? event.data : undefined;
          const event_id = isObject(data) ? String(data.id) : dispatch.event_id;
          return deps.attemptRequests.headers(current, { ...dispatch, event_id }, secret, now);
        },
      },
    }),
  },
  "first-position-unreported": {
    fault: "the first position of a courier emits no event",
    breaks: [{ clause: "EVENT-30" }],
    mutate: alterEventKinds((kind, { updated_at, picked_up_at }) =>
      kind === LOCATION_KIND && updated_at - (picked_up_at ?? 0) < 60_000 ? [] : [kind],
    ),
  },
  "position-without-a-heading-is-not-json": {
    fault: "the heading of a position without one is NaN in the event",
    breaks: [{ clause: "EVENT-30" }],
    mutate: withEnvelopes(({ encode }) => ({
      encode(envelope) {
        const text = encode(envelope);
        return envelope.type === LOCATION_KIND ? text.replace('"heading":null', '"heading":NaN') : text;
      },
    })),
  },
  "courier-events-go-to-every-endpoint": {
    fault: "the events of courier actions are sent to every endpoint",
    breaks: [{ clause: "EVENT-50" }],
    mutate: alterRules(({ wants }) => ({
      wants: (types, kind) => COURIER_KINDS.some((one) => one === kind) || wants(types, kind),
    })),
  },
  "positions-go-to-one-endpoint": {
    fault: "delivery.courier_location is sent only to one of the endpoints that list it",
    breaks: [{ clause: "EVENT-30" }],
    mutate: alterOutbox(({ insert }) => {
      const sent = new Set<string>();
      return {
        async insert(tx, sending, dueAt) {
          const event = tx.selectFrom("events").select("type").where("id", "=", sending.event_id);
          const { type } = await event.executeTakeFirstOrThrow();
          if (type === LOCATION_KIND && sent.has(sending.event_id)) return;
          sent.add(sending.event_id);
          await insert(tx, sending, dueAt);
        },
      };
    }),
  },
  "positions-go-to-all": {
    fault: "delivery.courier_location is sent to every endpoint",
    breaks: [{ clause: "EVENT-31" }],
    mutate: alterRules(({ wants }) => ({
      wants: (types, kind) => kind === LOCATION_KIND || wants(types, kind),
    })),
  },
  "positions-go-to-all-once-one-endpoint-lists-them": {
    fault:
      "delivery.courier_location is sent to every endpoint of an integrator of whose endpoints one lists it",
    breaks: [{ clause: "EVENT-31" }],
    mutate: alterWebhookRecords(({ active }) => ({
      async active(tx, integratorId) {
        const endpoints = await active(tx, integratorId);
        if (!endpoints.some(({ event_types }) => event_types.includes(LOCATION_KIND))) return endpoints;
        return endpoints.map(({ id, event_types }) => ({ id, event_types: [...event_types, LOCATION_KIND] }));
      },
    })),
  },
  "positions-go-to-the-default-kinds": {
    fault: "delivery.courier_location is among the default event types",
    breaks: [{ clause: "EVENT-31", case: "a subscription to the default event types" }],
    mutate: alterRules(({ wants }) => ({
      wants: (types, kind) => (kind === LOCATION_KIND && types.length >= 14) || wants(types, kind),
    })),
  },
  "positions-unlimited": {
    fault: "every position emits an event",
    breaks: [{ clause: "LIMIT-32" }, { clause: "LIMIT-42" }],
    mutate: alterRules(() => ({ reportsPosition: () => true })),
  },
  "positions-share-one-limit-for-all-deliveries": {
    fault: "the limit of one position event per 30 s applies to all deliveries together",
    breaks: [{ clause: "LIMIT-34" }],
    mutate: (deps) => {
      let lastMs = Number.NEGATIVE_INFINITY;
      return {
        ...deps,
        emit: async (current, tx, delivery, kind) => {
          if (kind === LOCATION_KIND && delivery.updated_at - lastMs < 30_000) return;
          if (kind === LOCATION_KIND) lastMs = delivery.updated_at;
          await deps.emit(current, tx, delivery, kind);
        },
      };
    },
  },
  "position-limit-is-only-that-of-the-last-delivery": {
    fault: "the limit of one position event per 30 s is forgotten when another delivery's position is sent",
    breaks: [{ clause: "LIMIT-32" }],
    mutate: (deps) => {
      let last = { id: "", ms: 0 };
      return {
        ...alterRules(() => ({ reportsPosition: () => true }))(deps),
        emit: async (current, tx, delivery, kind) => {
          const { id, updated_at: ms } = delivery;
          if (kind === LOCATION_KIND && last.id === id && ms - last.ms < 30_000) return;
          if (kind === LOCATION_KIND) last = { id, ms };
          await deps.emit(current, tx, delivery, kind);
        },
      };
    },
  },
  "position-limit-restarts-with-each-action": {
    fault: "each courier action resets the limit of one position event per 30 s",
    breaks: [{ clause: "LIMIT-32" }],
    mutate: restartPositionLimit(() => true),
  },
  "position-limit-restarts-at-the-pick-up": {
    fault: "the pick-up resets the limit of one position event per 30 s",
    breaks: [{ clause: "LIMIT-32" }],
    mutate: restartPositionLimit((kind) => kind === "delivery.picked_up"),
  },
  "position-limit-restarts-with-each-position": {
    fault: "the 30 s between position events count from the last position, although it wasn't sent",
    breaks: [{ clause: "LIMIT-33" }],
    caughtBy: ["event-kinds.position-rate"],
    mutate: (deps) => {
      const lastMs = new Map<string, number>();
      return {
        ...alterRules(() => ({ reportsPosition: () => true }))(deps),
        emit: async (current, tx, delivery, kind) => {
          const last = lastMs.get(delivery.id) ?? Number.NEGATIVE_INFINITY;
          if (kind === LOCATION_KIND) {
            lastMs.set(delivery.id, delivery.updated_at);
            if (delivery.updated_at - last < 30_000) return;
          }
          await deps.emit(current, tx, delivery, kind);
        },
      };
    },
  },
  "position-once-in-10-minutes": {
    fault: "position events are at least ten minutes apart",
    breaks: [{ clause: "LIMIT-33" }],
    caughtBy: ["event-kinds.position-again"],
    mutate: alterRules(() => ({ reportsPosition: (_limits, sinceLastMs) => sinceLastMs >= 600_000 })),
  },
  "positions-every-26-seconds": {
    fault: "position events may be less than 30 s apart",
    breaks: [{ clause: "LIMIT-42" }],
    mutate: alterRules(() => ({ reportsPosition: (_limits, sinceLastMs) => sinceLastMs >= 26_000 })),
  },
  "positions-every-25-seconds-on-a-slow-machine": {
    fault: "position events may be less than 30 s apart, and reporting a position takes long",
    breaks: [{ clause: "LIMIT-42" }],
    mutate: (deps) => ({
      ...alterRules(() => ({ reportsPosition: (_limits, sinceLastMs) => sinceLastMs >= 25_000 }))(deps),
      emit: async (current, tx, delivery, kind) => {
        if (kind === LOCATION_KIND) await pause(SLOW_POSITION_MS);
        await deps.emit(current, tx, delivery, kind);
      },
    }),
  },
  "position-event-shows-the-previous-position": {
    fault: "delivery.courier_location shows the position before the new one",
    breaks: [{ clause: "EVENT-56" }],
    mutate: (deps) => {
      const previous = new Map<unknown, unknown>();
      return alterEventData((data, { type }) => {
        if (type !== LOCATION_KIND) return data;
        const courier = previous.get(data.id) ?? data.courier;
        previous.set(data.id, data.courier);
        return { ...data, courier };
      })(deps);
    },
  },
  "heading-north-is-null": {
    fault: "courier.heading is null if it is 0, which is north",
    breaks: [{ clause: "EVENT-56" }],
    mutate: alterEventData(({ courier, ...data }) => ({
      ...data,
      courier: isObject(courier) && courier.heading === 0 ? { ...courier, heading: null } : courier,
    })),
  },
  "one-position-per-delivery": {
    fault: "only the first position of a delivery emits an event",
    breaks: [{ clause: "LIMIT-33" }],
    caughtBy: ["event-kinds.position-again"],
    mutate: alterRules(() => ({ reportsPosition: () => false })),
  },
};
