import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Delivery, DeliveryEventKind } from "../../../../reference-server/domain/model.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { withoutMembers } from "../operators/answers.ts";
import { alterEventKinds, replaceEventKind } from "../operators/events.ts";
import { replaceOperation, respondWith } from "../operators/operations.ts";
import { alterOutbox, alterPost, alterWebhookRecords } from "../operators/webhooks.ts";

/** A server whose events show a different delivery. */
export const alterReportedDelivery =
  (change: (delivery: Delivery, kind: DeliveryEventKind) => Partial<Delivery>): Mutate =>
  (deps) => ({
    ...deps,
    emit: (current, tx, delivery, kind) =>
      deps.emit(current, tx, { ...delivery, ...change(delivery, kind) }, kind),
  });

/**
 * Sends an event to one endpoint after another, and not to the endpoints after one whose first attempt fails, as
 * a loop without error handling does.
 * @param status undefined without a response
 */
const stopAtFirstEndpoint =
  (isFailure: (status: number | undefined) => boolean): Mutate =>
  (deps) => {
    /** The endpoints of each event, in order. */
    const endpoints = new Map<string, string[]>();
    /** Resolve to true if the endpoint accepted the event, by event and endpoint. */
    const turns = new Map<string, PromiseWithResolvers<boolean>>();
    const turnOf = (event: string, endpoint: string) => {
      const key = `${event} ${endpoint}`;
      const turn = turns.get(key) ?? Promise.withResolvers<boolean>();
      turns.set(key, turn);
      return turn;
    };
    const ordered = alterOutbox(({ insert }) => ({
      insert(tx, sending, dueAt) {
        endpoints.set(sending.event_id, [...(endpoints.get(sending.event_id) ?? []), sending.webhook_id]);
        return insert(tx, sending, dueAt);
      },
    }))(deps);
    return alterPost((post) => async (all, outgoing, signal) => {
      const event = outgoing.headers["webhook-id"] ?? "";
      const order = endpoints.get(event) ?? [];
      const earlier = order[order.indexOf(outgoing.webhookId) - 1];
      const turn = turnOf(event, outgoing.webhookId);
      if (earlier !== undefined && !(await turnOf(event, earlier).promise)) {
        turn.resolve(false);
        return { status: 204, location: undefined, headers: {}, body: Buffer.alloc(0) };
      }
      try {
        const response = await post(all, outgoing, signal);
        turn.resolve(!isFailure(response.status));
        return response;
      } catch (error) {
        turn.resolve(!isFailure(undefined));
        throw error;
      }
    })(ordered);
  };

const BESIDE_A_FAILING_ENDPOINT = "an endpoint that is newer than the failing one";

export const emissionMutants: Mutants = {
  "event-ends-at-the-first-endpoint-that-fails": {
    fault: "an event isn't sent to the endpoints after one that responds with an error",
    breaks: [{ clause: "EVENT-3", case: BESIDE_A_FAILING_ENDPOINT }],
    caughtBy: ["emission.missed"],
    mutate: stopAtFirstEndpoint((status) => status !== undefined && status >= 300),
  },
  "event-ends-at-the-first-broken-connection": {
    fault: "an event isn't sent to the endpoints after one that breaks the connection",
    breaks: [{ clause: "EVENT-3", case: BESIDE_A_FAILING_ENDPOINT }],
    caughtBy: ["emission.missed"],
    mutate: stopAtFirstEndpoint((status) => status === undefined),
  },
  "creation-unreported": {
    fault: "a creation with coordinates emits only delivery.queued",
    breaks: [{ clause: "EMIT-1" }],
    caughtBy: ["emission.creation-with-coordinates"],
    mutate: alterEventKinds((kind, { dropoff }) =>
      kind === "delivery.created" && dropoff.point !== null ? [] : [kind],
    ),
  },
  "scheduled-creation-unreported": {
    fault: "a scheduled delivery emits no delivery.created",
    breaks: [{ clause: "EMIT-1" }],
    caughtBy: ["emission.creation-scheduled"],
    mutate: alterEventKinds((kind, { scheduled_for }) =>
      kind === "delivery.created" && scheduled_for !== null ? [] : [kind],
    ),
  },
  "scheduled-creation-reported-twice": {
    fault: "a scheduled delivery emits delivery.created twice",
    breaks: [{ clause: "EVENT-12" }],
    caughtBy: ["emission.creation-scheduled"],
    mutate: alterEventKinds((kind, { scheduled_for }) =>
      kind === "delivery.created" && scheduled_for !== null ? [kind, kind] : [kind],
    ),
  },
  "events-of-the-first-store-only": {
    fault: "events are emitted only for the store that the integrator linked first",
    breaks: [
      { clause: "EMIT-1", case: "of the second store" },
      { clause: "EVENT-3", case: "of the second store" },
    ],
    caughtBy: ["emission.of-another-store"],
    mutate: (deps) => ({
      ...deps,
      async emit(current, tx, delivery, kind) {
        const [first] = await current.records.stores.list(tx, delivery.integrator_id);
        if (first?.id === delivery.store_id) await deps.emit(current, tx, delivery, kind);
      },
    }),
  },
  "search-unreported": {
    fault: "a creation with coordinates emits no delivery.queued",
    breaks: [{ clause: "EMIT-2" }, { clause: "EVENT-13" }],
    mutate: alterEventKinds((kind, { offered_at }) =>
      kind === "delivery.queued" && offered_at === null ? [] : [kind],
    ),
  },
  "creation-reported-twice": {
    fault: "a creation emits delivery.created twice",
    breaks: [{ clause: "EVENT-12" }],
    caughtBy: ["emission.creation-with-coordinates"],
    mutate: replaceEventKind("delivery.created", "delivery.created", "delivery.created"),
  },
  "search-reported-twice": {
    fault: "a creation emits delivery.queued twice",
    breaks: [{ clause: "EVENT-45" }],
    caughtBy: ["emission.creation-with-coordinates"],
    mutate: alterEventKinds((kind, { offered_at }) =>
      kind === "delivery.queued" && offered_at === null ? [kind, kind] : [kind],
    ),
  },
  "change-of-a-queued-delivery-sends-queued": {
    fault: "each change of a delivery with coordinates emits delivery.queued again",
    breaks: [{ clause: "EVENT-45" }],
    caughtBy: ["emission.refused-change"],
    mutate: alterEventKinds((kind, { status }) =>
      kind === "delivery.updated" && status === "QUEUED" ? [kind, "delivery.queued"] : [kind],
    ),
  },
  "cancellation-sends-failed": {
    fault: "a cancellation emits delivery.failed too",
    breaks: [{ clause: "EMIT-7" }],
    caughtBy: ["emission.refused-change"],
    mutate: alterEventKinds((kind, { test }) =>
      kind === "delivery.cancelled" && !test ? [kind, "delivery.failed"] : [kind],
    ),
  },
  "unlocated-creation-sends-queued": {
    fault: "a delivery without coordinates emits delivery.queued",
    breaks: [{ clause: "EMIT-3" }, { clause: "STATE-6" }],
    mutate: alterEventKinds((kind, { status, test }) =>
      kind === "delivery.created" && status === "RECEIVED" && !test ? [kind, "delivery.queued"] : [kind],
    ),
  },
  "unlocated-change-sends-offered": {
    fault: "each change of a delivery without coordinates emits delivery.offered",
    breaks: [{ clause: "EMIT-3" }, { clause: "STATE-6" }],
    mutate: alterEventKinds((kind, { status }) =>
      kind === "delivery.updated" && status === "RECEIVED" ? [kind, "delivery.offered"] : [kind],
    ),
  },
  "test-delivery-queued": {
    fault: "a test delivery with coordinates emits delivery.queued",
    breaks: [{ clause: "EMIT-4" }],
    mutate: alterEventKinds((kind, { test }) =>
      kind === "delivery.created" && test ? [kind, "delivery.queued"] : [kind],
    ),
  },
  "test-delivery-offered": {
    fault: "a test delivery emits delivery.offered before delivery.cancelled",
    breaks: [{ clause: "TESTD-4" }, { clause: "EMIT-4" }],
    mutate: alterEventKinds((kind, { test }) =>
      kind === "delivery.cancelled" && test ? ["delivery.offered", kind] : [kind],
    ),
  },
  "test-delivery-creation-unreported": {
    fault: "a test delivery emits only delivery.cancelled",
    breaks: [{ clause: "TESTD-2" }],
    mutate: alterEventKinds((kind, { test }) => (kind === "delivery.created" && test ? [] : [kind])),
  },
  "test-delivery-cancellation-unreported": {
    fault: "a test delivery emits no delivery.cancelled",
    breaks: [{ clause: "TESTD-3" }],
    mutate: alterEventKinds((kind, { test }) => (kind === "delivery.cancelled" && test ? [] : [kind])),
  },
  "test-without-coordinates-is-not-reported-as-cancelled": {
    fault: "a test delivery without coordinates emits no delivery.cancelled",
    breaks: [{ clause: "TESTD-3" }],
    mutate: alterEventKinds((kind, { test, dropoff }) =>
      kind === "delivery.cancelled" && test && dropoff.point === null ? [] : [kind],
    ),
  },
  "cancellation-with-a-courier-unreported": {
    fault: "a cancellation emits no event if a courier was assigned",
    breaks: [{ clause: "EMIT-13" }],
    mutate: alterEventKinds((kind, { assigned_at }) =>
      kind === "delivery.cancelled" && assigned_at !== null ? [] : [kind],
    ),
  },
  "cancellation-unreported": {
    fault: "a cancellation by the integrator emits no event",
    breaks: [{ clause: "EMIT-7" }, { clause: "STATE-21" }],
    caughtBy: ["emission.cancellation"],
    mutate: alterEventKinds((kind, { test }) => (kind === "delivery.cancelled" && !test ? [] : [kind])),
  },
  "cancellation-without-coordinates-unreported": {
    fault: "the cancellation of a delivery without coordinates emits no event",
    breaks: breaking("without coordinates", "EMIT-7", "STATE-21"),
    caughtBy: ["emission.cancellation"],
    mutate: alterEventKinds((kind, { dropoff, test }) =>
      kind === "delivery.cancelled" && dropoff.point === null && !test ? [] : [kind],
    ),
  },
  "newer-endpoint-gets-no-event-of-a-delivery": {
    fault: "an endpoint gets no event of a delivery that was created before it",
    breaks: breaking("created before the endpoint", "EMIT-7", "STATE-21"),
    caughtBy: ["emission.cancellation"],
    mutate: (deps) => ({
      ...deps,
      emit(current, tx, delivery, kind) {
        const { active, find } = current.records.webhooks;
        const older = alterWebhookRecords(() => ({
          async active(db, integratorId) {
            const webhooks = await active(db, integratorId);
            const stored = await Promise.all(webhooks.map(({ id }) => find(db, integratorId, id)));
            return webhooks.filter((_, index) => (stored[index]?.created_at ?? 0) <= delivery.created_at);
          },
        }));
        return deps.emit(older(current), tx, delivery, kind);
      },
    }),
  },
  "cancellation-reported-twice": {
    fault: "a cancellation emits delivery.cancelled twice",
    breaks: [{ clause: "EVENT-23" }],
    mutate: replaceEventKind("delivery.cancelled", "delivery.cancelled", "delivery.cancelled"),
  },
  "test-event-only-for-the-default-kinds": {
    fault: "webhook.test is sent only to endpoints with more than one event type",
    breaks: [
      { clause: "EMIT-8", case: "a subscription to delivery.cancelled" },
      { clause: "EVENT-32", case: "a subscription to delivery.cancelled" },
    ],
    caughtBy: ["emission.test-event"],
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
    mutate: alterReportedDelivery(() => ({ version: 1 })),
  },
  "cancellation-event-has-the-previous-version": {
    fault: "delivery.cancelled has the previous version",
    breaks: [{ clause: "RETRY-27" }],
    mutate: alterReportedDelivery(({ version }, kind) =>
      kind === "delivery.cancelled" ? { version: version - 1 } : {},
    ),
  },
  "webhook-without-collected-parts": {
    fault: "webhooks lack payment.collected_parts",
    breaks: [{ clause: "DLV-23" }],
    mutate: (deps) => ({
      ...deps,
      emit: (current, tx, delivery, kind) => {
        const withoutParts =
          (view: Dependencies["views"]["delivery"]): Dependencies["views"]["delivery"] =>
          (...args) => {
            const data = view(...args);
            return { ...data, payment: withoutMembers(data.payment, "collected_parts") };
          };
        const views = { ...current.views, delivery: withoutParts(current.views.delivery) };
        return deps.emit({ ...current, views }, tx, delivery, kind);
      },
    }),
  },
  "webhook-without-loss": {
    fault: "webhooks lack loss",
    breaks: [{ clause: "DLV-56" }],
    mutate: (deps) => ({
      ...deps,
      emit: (current, tx, delivery, kind) => {
        const { delivery: view } = current.views;
        const views = {
          ...current.views,
          delivery: (...args: Parameters<typeof view>) => withoutMembers(view(...args), "loss"),
        };
        return deps.emit({ ...current, views }, tx, delivery, kind);
      },
    }),
  },
};
