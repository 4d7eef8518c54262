import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Delivery, DeliveryEventKind } from "../../../../reference-server/domain/model.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";
import type { Mutant, Mutate } from "../mutant.ts";
import { withoutMembers } from "../operators/answers.ts";
import { alterEventKinds, replaceEventKind } from "../operators/events.ts";
import { replaceOperation, respondWith } from "../operators/operations.ts";

type Update = Call<"updateDelivery">["body"];

/** A server that doesn't report some changes. */
const keepsQuietOn = (changed: (body: Update) => boolean): Mutate =>
  replaceOperation("updateDelivery", (call, original) =>
    original(changed(call.body) ? { ...call, deps: { ...call.deps, emit: async () => {} } } : call),
  );

/** A server whose events show a different delivery. */
const telling =
  (change: (delivery: Delivery, kind: DeliveryEventKind) => Partial<Delivery>): Mutate =>
  (deps) => ({
    ...deps,
    emit: (current, tx, delivery, kind) =>
      deps.emit(current, tx, { ...delivery, ...change(delivery, kind) }, kind),
  });

export const emissionMutants = {
  "creation-unreported": {
    fault: "an opening with coordinates is reported as queued only",
    breaks: [{ clause: "EMIT-1" }],
    mutate: alterEventKinds((kind, { dropoff }) =>
      kind === "delivery.created" && dropoff.point !== null ? [] : [kind],
    ),
  },
  "scheduled-creation-unreported": {
    fault: "a scheduled delivery is first reported when its search begins",
    breaks: [{ clause: "EMIT-1" }],
    mutate: alterEventKinds((kind, { scheduled_for }) =>
      kind === "delivery.created" && scheduled_for !== null ? [] : [kind],
    ),
  },
  "scheduled-creation-reported-twice": {
    fault: "the opening of a scheduled delivery is reported by two events",
    breaks: [{ clause: "EVENT-12" }],
    mutate: alterEventKinds((kind, { scheduled_for }) =>
      kind === "delivery.created" && scheduled_for !== null ? [kind, kind] : [kind],
    ),
  },
  "events-of-the-first-store-only": {
    fault: "only deliveries of the store that an integrator linked first are reported",
    breaks: [
      { clause: "EMIT-1", case: "of the second store" },
      { clause: "EVENT-3", case: "of the second store" },
    ],
    mutate: (deps) => ({
      ...deps,
      async emit(current, tx, delivery, kind) {
        const [first] = await current.records.stores.list(tx, delivery.integrator_id);
        if (first?.id === delivery.store_id) await deps.emit(current, tx, delivery, kind);
      },
    }),
  },
  "search-unreported": {
    fault: "the search for a courier isn't reported at the opening",
    breaks: [{ clause: "EMIT-2" }, { clause: "EVENT-13" }],
    mutate: alterEventKinds((kind, { offered_at }) =>
      kind === "delivery.queued" && offered_at === null ? [] : [kind],
    ),
  },
  "creation-reported-twice": {
    fault: "an opening is reported by two events",
    breaks: [{ clause: "EVENT-12" }],
    mutate: replaceEventKind("delivery.created", "delivery.created", "delivery.created"),
  },
  "search-reported-twice": {
    fault: "the search that begins with the opening is reported by two events",
    breaks: [{ clause: "EVENT-45" }],
    mutate: alterEventKinds((kind, { offered_at }) =>
      kind === "delivery.queued" && offered_at === null ? [kind, kind] : [kind],
    ),
  },
  "unlocated-creation-sends-queued": {
    fault: "a delivery without coordinates is reported as queued",
    breaks: [{ clause: "EMIT-3" }, { clause: "STATE-6" }],
    mutate: alterEventKinds((kind, { status, test }) =>
      kind === "delivery.created" && status === "RECEIVED" && !test ? [kind, "delivery.queued"] : [kind],
    ),
  },
  "unlocated-change-sends-offered": {
    fault: "a delivery without coordinates is reported as offered with each change",
    breaks: [{ clause: "EMIT-3" }, { clause: "STATE-6" }],
    mutate: alterEventKinds((kind, { status }) =>
      kind === "delivery.updated" && status === "RECEIVED" ? [kind, "delivery.offered"] : [kind],
    ),
  },
  "test-delivery-queued": {
    fault: "a test delivery with coordinates is reported as queued",
    breaks: [{ clause: "EMIT-4" }],
    mutate: alterEventKinds((kind, { test }) =>
      kind === "delivery.created" && test ? [kind, "delivery.queued"] : [kind],
    ),
  },
  "test-delivery-offered": {
    fault: "a test delivery is offered to a courier before it is cancelled",
    breaks: [{ clause: "TESTD-4" }, { clause: "EMIT-4" }],
    mutate: alterEventKinds((kind, { test }) =>
      kind === "delivery.cancelled" && test ? ["delivery.offered", kind] : [kind],
    ),
  },
  "test-delivery-creation-unreported": {
    fault: "a test delivery is reported only as cancelled",
    breaks: [{ clause: "TESTD-2" }],
    mutate: alterEventKinds((kind, { test }) => (kind === "delivery.created" && test ? [] : [kind])),
  },
  "test-delivery-cancellation-unreported": {
    fault: "a test delivery's cancellation isn't reported",
    breaks: [{ clause: "TESTD-3" }],
    mutate: alterEventKinds((kind, { test }) => (kind === "delivery.cancelled" && test ? [] : [kind])),
  },
  "address-change-unreported": {
    fault: "a new address without coordinates isn't reported",
    breaks: [{ clause: "EVENT-26" }, { clause: "EMIT-5" }],
    mutate: keepsQuietOn(({ dropoff }) => dropoff !== undefined),
  },
  "ready-time-change-unreported": {
    fault: "a new ready time isn't reported",
    breaks: [{ clause: "EVENT-27" }, { clause: "EMIT-5" }],
    mutate: keepsQuietOn(({ ready_at, notes }) => ready_at !== undefined && notes === undefined),
  },
  "note-change-unreported": {
    fault: "a new note isn't reported",
    breaks: [{ clause: "EVENT-28" }, { clause: "EMIT-5" }],
    mutate: keepsQuietOn(({ ready_at, notes }) => notes !== undefined && ready_at === undefined),
  },
  "note-removal-unreported": {
    fault: "a note that is taken away isn't reported",
    breaks: [{ clause: "EVENT-28" }, { clause: "EMIT-5" }],
    mutate: keepsQuietOn(({ notes }) => notes === null),
  },
  "assigned-change-unreported": {
    fault: "changes of a delivery aren't reported any more once a courier is assigned",
    breaks: [{ clause: "EMIT-12", case: "assigned" }],
    mutate: alterEventKinds((kind, { status }) =>
      kind === "delivery.updated" && status === "ASSIGNED" ? [] : [kind],
    ),
  },
  "change-at-the-restaurant-unreported": {
    fault: "changes of a delivery aren't reported while the courier is at the restaurant",
    breaks: [{ clause: "EMIT-12", case: "at_pickup" }],
    mutate: alterEventKinds((kind, { status }) =>
      kind === "delivery.updated" && status === "AT_PICKUP" ? [] : [kind],
    ),
  },
  "schedule-change-unreported": {
    fault: "a new schedule isn't reported",
    breaks: [{ clause: "EVENT-29" }, { clause: "EMIT-5" }],
    mutate: keepsQuietOn(({ scheduled_for }) => scheduled_for !== undefined),
  },
  "update-event-has-the-previous-delivery": {
    fault: "the data of delivery.updated is the earlier data with the new version",
    breaks: [{ clause: "EVENT-29" }, { clause: "EMIT-5" }],
    mutate: (deps) => {
      const told = new Map<string, Delivery>();
      return telling((delivery, kind) => {
        const before = told.get(delivery.id) ?? delivery;
        told.set(delivery.id, delivery);
        return kind === "delivery.updated" ? { ...before, version: delivery.version } : {};
      })(deps);
    },
  },
  "added-coordinates-reported-as-queued": {
    fault: "coordinates for a delivery that waits for them are reported as its search, and not as a change",
    breaks: [{ clause: "STATE-10" }],
    mutate: (deps) => {
      const { transitions } = deps.lifecycle;
      const locate = { ...transitions.locate, event: "delivery.queued" } as const;
      return { ...deps, lifecycle: { ...deps.lifecycle, transitions: { ...transitions, locate } } };
    },
  },
  "cancellation-unreported": {
    fault: "a cancellation that the integrator asked for isn't reported",
    breaks: [{ clause: "EMIT-7" }, { clause: "STATE-21" }],
    mutate: alterEventKinds((kind, { test }) => (kind === "delivery.cancelled" && !test ? [] : [kind])),
  },
  "cancellation-reported-twice": {
    fault: "a cancellation is reported by two events",
    breaks: [{ clause: "EVENT-23" }],
    mutate: replaceEventKind("delivery.cancelled", "delivery.cancelled", "delivery.cancelled"),
  },
  "test-event-only-for-the-default-kinds": {
    fault: "webhook.test goes only to addresses that take more than one kind of event",
    breaks: [
      { clause: "EMIT-8", case: "a subscription to delivery.cancelled" },
      { clause: "EVENT-32", case: "a subscription to delivery.cancelled" },
    ],
    mutate: replaceOperation("testWebhook", async (call, original) => {
      const { integrator, deps, path } = call;
      const webhook = await deps.records.webhooks.find(deps.database, integrator.id, path.id);
      return webhook && webhook.event_types.length < 2
        ? respondWith(202, { event_id: deps.ids.uuid() })
        : original(call);
    }),
  },
  "events-have-the-first-version": {
    fault: "data.version is 1 in every event",
    breaks: [{ clause: "RETRY-27" }],
    mutate: telling(() => ({ version: 1 })),
  },
  "cancellation-event-has-the-previous-version": {
    fault: "delivery.cancelled has the version from before the cancellation",
    breaks: [{ clause: "RETRY-27" }],
    mutate: telling(({ version }, kind) => (kind === "delivery.cancelled" ? { version: version - 1 } : {})),
  },
  "webhook-without-collected-parts": {
    fault: "payment.collected_parts is left out of webhooks",
    breaks: [{ clause: "DLV-23" }],
    mutate: (deps) => ({
      ...deps,
      emit: (current, tx, delivery, kind) => {
        const lacking =
          (view: Dependencies["views"]["delivery"]): Dependencies["views"]["delivery"] =>
          (...given) => {
            const shown = view(...given);
            return { ...shown, payment: withoutMembers(shown.payment, "collected_parts") };
          };
        const views = { ...current.views, delivery: lacking(current.views.delivery) };
        return deps.emit({ ...current, views }, tx, delivery, kind);
      },
    }),
  },
  "webhook-without-loss": {
    fault: "loss is left out of webhooks",
    breaks: [{ clause: "DLV-56" }],
    mutate: (deps) => ({
      ...deps,
      emit: (current, tx, delivery, kind) => {
        const { delivery: view } = current.views;
        const views = {
          ...current.views,
          delivery: (...given: Parameters<typeof view>) => withoutMembers(view(...given), "loss"),
        };
        return deps.emit({ ...current, views }, tx, delivery, kind);
      },
    }),
  },
} satisfies Record<string, Mutant>;
