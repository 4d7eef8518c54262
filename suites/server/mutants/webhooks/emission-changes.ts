import type { Delivery } from "../../../../reference-server/domain/model.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { findDelivery } from "../operators/deliveries.ts";
import { alterEventKinds } from "../operators/events.ts";
import { replaceOperation } from "../operators/operations.ts";
import { alterReportedDelivery } from "./emission.ts";

type Update = Call<"updateDelivery">["body"];

const omitEventsOf = (isOmitted: (body: Update) => boolean): Mutate =>
  replaceOperation("updateDelivery", (call, original) =>
    original(isOmitted(call.body) ? { ...call, deps: { ...call.deps, emit: async () => {} } } : call),
  );

const omitEventsOfAssigned = (isOmitted: (body: Update) => boolean): Mutate =>
  replaceOperation("updateDelivery", async (call, original) => {
    const isAssigned = (await findDelivery(call))?.status === "ASSIGNED";
    const deps = { ...call.deps, emit: async () => {} };
    return original(isAssigned && isOmitted(call.body) ? { ...call, deps } : call);
  });

export const emissionChangesMutants: Mutants = {
  "address-change-unreported": {
    fault: "a new address emits no event",
    breaks: [{ clause: "EVENT-26" }, { clause: "EMIT-5" }],
    caughtBy: ["emission.changes"],
    mutate: omitEventsOf(({ dropoff }) => dropoff !== undefined),
  },
  "address-change-without-coordinates-unreported": {
    fault: "a new address without coordinates emits no event",
    breaks: [{ clause: "EVENT-26" }, { clause: "EMIT-5" }],
    caughtBy: ["emission.changes"],
    mutate: omitEventsOf(({ dropoff }) => dropoff !== undefined && dropoff.lat === undefined),
  },
  "ready-time-change-unreported": {
    fault: "a new ready_at emits no event",
    breaks: [{ clause: "EVENT-27" }, { clause: "EMIT-5" }],
    caughtBy: ["emission.changes"],
    mutate: omitEventsOf(({ ready_at, notes }) => ready_at !== undefined && notes === undefined),
  },
  "note-change-unreported": {
    fault: "new notes emit no event",
    breaks: [{ clause: "EVENT-28" }, { clause: "EMIT-5" }],
    caughtBy: ["emission.changes"],
    mutate: omitEventsOf(({ ready_at, notes }) => notes !== undefined && ready_at === undefined),
  },
  "note-removal-unreported": {
    fault: "removing the notes emits no event",
    breaks: [{ clause: "EVENT-28" }, { clause: "EMIT-5" }],
    caughtBy: ["emission.changes"],
    mutate: omitEventsOf(({ notes }) => notes === null),
  },
  "ready-time-removal-unreported": {
    fault: "removing ready_at emits no event",
    breaks: [{ clause: "EVENT-27" }, { clause: "EMIT-5" }],
    caughtBy: ["emission.changes"],
    mutate: omitEventsOf(({ ready_at }) => ready_at === null),
  },
  "schedule-removal-unreported": {
    fault: "removing scheduled_for emits no event",
    breaks: [{ clause: "EVENT-29" }, { clause: "EMIT-5" }],
    caughtBy: ["emission.changes"],
    mutate: omitEventsOf(({ scheduled_for }) => scheduled_for === null),
  },
  "assigned-change-unreported": {
    fault: "changes emit no event once a courier is assigned",
    breaks: [{ clause: "EMIT-12", case: "assigned" }],
    mutate: alterEventKinds((kind, { status }) =>
      kind === "delivery.updated" && status === "ASSIGNED" ? [] : [kind],
    ),
  },
  "address-change-of-an-assigned-delivery-unreported": {
    fault: "a new address emits no event once a courier is assigned",
    breaks: [{ clause: "EMIT-12", case: "assigned" }],
    mutate: omitEventsOfAssigned(({ dropoff }) => dropoff !== undefined),
  },
  "ready-time-change-of-an-assigned-delivery-unreported": {
    fault: "a new ready_at emits no event once a courier is assigned",
    breaks: [{ clause: "EMIT-12", case: "assigned" }],
    mutate: omitEventsOfAssigned(({ ready_at }) => ready_at !== undefined),
  },
  "change-at-the-restaurant-unreported": {
    fault: "changes emit no event while the courier is at the restaurant",
    breaks: [{ clause: "EMIT-12", case: "at_pickup" }],
    mutate: alterEventKinds((kind, { status }) =>
      kind === "delivery.updated" && status === "AT_PICKUP" ? [] : [kind],
    ),
  },
  "schedule-change-unreported": {
    fault: "a new scheduled_for emits no event",
    breaks: [{ clause: "EVENT-29" }, { clause: "EMIT-5" }],
    caughtBy: ["emission.changes"],
    mutate: omitEventsOf(({ scheduled_for }) => scheduled_for !== undefined),
  },
  "update-event-has-the-previous-delivery": {
    fault: "delivery.updated has the data before the change, with the new version",
    breaks: [{ clause: "EVENT-29" }, { clause: "EMIT-5" }],
    caughtBy: ["emission.changes"],
    mutate: (deps) => {
      const reported = new Map<string, Delivery>();
      return alterReportedDelivery((delivery, kind) => {
        const previous = reported.get(delivery.id) ?? delivery;
        reported.set(delivery.id, delivery);
        return kind === "delivery.updated" ? { ...previous, version: delivery.version } : {};
      })(deps);
    },
  },
  "added-coordinates-reported-as-queued": {
    fault: "adding coordinates emits only delivery.queued instead of delivery.updated",
    breaks: [{ clause: "STATE-10" }],
    mutate: (deps) => {
      const { transitions } = deps.lifecycle;
      const locate = { ...transitions.locate, event: "delivery.queued" } as const;
      return { ...deps, lifecycle: { ...deps.lifecycle, transitions: { ...transitions, locate } } };
    },
  },
};
