import type { Tx } from "../../../../reference-server/database/schema.ts";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Delivery, EventKind } from "../../../../reference-server/domain/model.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterWebhookRecords } from "../operators/webhooks.ts";

const OTHER_SUBSCRIPTIONS = [
  "the subscription to delivery.created",
  "the subscription to delivery.queued and delivery.cancelled",
  "the subscription to delivery.updated and delivery.courier_location",
  "the subscription to delivery.cancelled",
];

/** Sends the events of some deliveries to every endpoint. */
const ignoreEventTypesIf =
  (applies: (delivery: Delivery) => boolean): Mutate =>
  (deps) => ({
    ...deps,
    emit: (current, tx, delivery, kind) => {
      const eventRules = { ...current.eventRules, wants: () => true };
      return deps.emit(applies(delivery) ? { ...current, eventRules } : current, tx, delivery, kind);
    },
  });

type ActiveSubscription = Awaited<ReturnType<Dependencies["records"]["webhooks"]["active"]>>[number];

/** Also sends some events to subscriptions of other integrators. */
const sendToAllIntegrators =
  (
    isAffected: (kind: EventKind) => boolean,
    isIncluded: (webhook: ActiveSubscription) => boolean = () => true,
    integratorsFor: (tx: Tx, delivery: Delivery) => Promise<readonly { readonly id: string }[]> = (tx) =>
      tx.selectFrom("integrators").select("id").execute(),
  ): Mutate =>
  (deps) => ({
    ...deps,
    emit: async (current, tx, delivery, kind) => {
      const { webhooks } = current.records;
      const active: typeof webhooks.active = async () => {
        const integrators = await integratorsFor(tx, delivery);
        const subscriptions = await Promise.all(
          integrators.map(async ({ id }) =>
            (await webhooks.active(tx, id)).filter(
              (webhook) => id === delivery.integrator_id || isIncluded(webhook),
            ),
          ),
        );
        return subscriptions.flat();
      };
      const toAll = { ...current, records: { ...current.records, webhooks: { ...webhooks, active } } };
      await deps.emit(isAffected(kind) ? toAll : current, tx, delivery, kind);
    },
  });

/** The integrators that have linked a store with the delivery's external_store_id. */
const integratorsOfTheStoreId = (tx: Tx, { store_id }: Delivery) =>
  tx
    .selectFrom("stores as own")
    .innerJoin("stores as other", "other.external_store_id", "own.external_store_id")
    .select("other.integrator_id as id")
    .distinct()
    .where("own.id", "=", store_id)
    .execute();

/** Faults of which endpoints get which events. */
export const envelopeRecipientsMutants: Mutants = {
  "only-the-first-endpoint-gets-events": {
    fault: "only one of an integrator's endpoints gets events",
    breaks: breaking(OTHER_SUBSCRIPTIONS, "EVENT-3"),
    caughtBy: ["envelope.subscribed-kinds"],
    mutate: alterWebhookRecords(({ active }) => ({
      active: async (tx, integratorId) => (await active(tx, integratorId)).slice(0, 1),
    })),
  },
  "only-four-endpoints-get-events": {
    fault: "only four of an integrator's five endpoints get events",
    breaks: [{ clause: "EVENT-3", case: "the subscription to delivery.cancelled" }],
    caughtBy: ["envelope.subscribed-kinds"],
    mutate: alterWebhookRecords(({ active }) => ({
      active: async (tx, integratorId) => (await active(tx, integratorId)).slice(0, 4),
    })),
  },
  "each-event-type-goes-to-one-endpoint": {
    fault: "an event is sent to only one of the endpoints that subscribe to its type",
    breaks: breaking(OTHER_SUBSCRIPTIONS, "EVENT-3"),
    caughtBy: ["envelope.subscribed-kinds"],
    mutate: (deps) => ({
      ...deps,
      emit: async (current, tx, delivery, kind) => {
        const { webhooks } = current.records;
        const active: typeof webhooks.active = async (...args) =>
          (await webhooks.active(...args))
            .filter(({ event_types }) => event_types.includes(kind))
            .slice(0, 1);
        const toOne = { ...current, records: { ...current.records, webhooks: { ...webhooks, active } } };
        await deps.emit(toOne, tx, delivery, kind);
      },
    }),
  },
  "event-types-are-ignored": {
    fault: "every endpoint gets all event types",
    breaks: breaking(OTHER_SUBSCRIPTIONS, "EVENT-4"),
    mutate: ignoreEventTypesIf(() => true),
  },
  "event-types-are-ignored-for-test-deliveries": {
    fault: "every endpoint gets the events of test deliveries",
    breaks: breaking(OTHER_SUBSCRIPTIONS, "EVENT-4"),
    mutate: ignoreEventTypesIf(({ test }) => test),
  },
  "event-types-are-ignored-without-coordinates": {
    fault: "every endpoint gets the events of deliveries without coordinates",
    breaks: breaking(OTHER_SUBSCRIPTIONS, "EVENT-4"),
    mutate: ignoreEventTypesIf(({ dropoff }) => dropoff.point === null),
  },
  "events-go-to-every-integrator": {
    fault: "events are sent to the endpoints of all integrators",
    breaks: [{ clause: "ISO-17" }],
    mutate: sendToAllIntegrators(() => true),
  },
  "events-go-to-any-endpoint-with-event-types": {
    fault: "events are sent to all integrators' endpoints that list exactly one event type",
    breaks: [{ clause: "ISO-17", case: "a subscription to delivery.cancelled" }],
    caughtBy: ["envelope.of-another"],
    mutate: sendToAllIntegrators(
      () => true,
      ({ event_types }) => event_types.length === 1,
    ),
  },
  "events-go-to-every-store-of-the-same-id": {
    fault: "events are sent to all integrators that have a store with the same external_store_id",
    breaks: [{ clause: "ISO-17" }],
    caughtBy: ["envelope.of-another-with-the-same-store-id"],
    mutate: sendToAllIntegrators(
      () => true,
      () => true,
      integratorsOfTheStoreId,
    ),
  },
  "courier-events-go-to-every-integrator": {
    fault: "delivery.assigned is sent to the endpoints of all integrators",
    breaks: [{ clause: "ISO-23" }],
    mutate: sendToAllIntegrators((kind) => kind === "delivery.assigned"),
  },
  "positions-go-to-every-integrator": {
    fault: "delivery.courier_location is sent to the endpoints of all integrators",
    breaks: [{ clause: "ISO-23" }],
    mutate: sendToAllIntegrators((kind) => kind === "delivery.courier_location"),
  },
  "cancellations-go-to-every-integrator": {
    fault: "delivery.cancelled is sent to the endpoints of all integrators",
    breaks: [{ clause: "ISO-17" }],
    caughtBy: ["envelope.of-another"],
    mutate: sendToAllIntegrators((kind) => kind === "delivery.cancelled"),
  },
};
