import type { ClauseId } from "../../../../openapi/generated/clauses.ts";
import type { EventTable, Tx } from "../../../../reference-server/database/schema.ts";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";
import type { Webhook } from "../../../../reference-server/records/webhooks.ts";
import { type EventKind, LOCATION_KIND, TEST_KIND } from "../../../core/contract/event-kinds.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import type { Mutants } from "../mutant.ts";
import { replaceOperation } from "../operators/operations.ts";
import {
  alsoSendTo,
  alterOutbox,
  alterRetryPolicy,
  alterWebhookLimits,
  alterWebhookRecords,
} from "../operators/webhooks.ts";

/** Lists an endpoint as closed once an attempt has failed. */
const listAsClosed = (deps: Dependencies): Dependencies => ({
  ...deps,
  views: {
    ...deps.views,
    webhook: (webhook) => {
      const shown = deps.views.webhook(webhook);
      return shown.failing_since === null ? shown : { ...shown, status: "CLOSED" };
    },
  },
});

const withMoreSubscriptions = (deps: Dependencies, additional: number): Dependencies =>
  alterWebhookLimits(({ active }) => ({ active: active + additional }))(deps);

const closedSubscriptions = async ({ deps, integrator }: Call<"createWebhook">) =>
  (await deps.records.webhooks.list(deps.database, integrator.id)).filter(
    ({ status }) => status === "CLOSED",
  );

/** Keeps an endpoint open although it responds to an event of this type with 410. */
const keepOpenAfterGone =
  (kind: EventKind) =>
  (deps: Dependencies): Dependencies => {
    const eventIds = new Set<string>();
    const { events } = deps.records;
    const observed = {
      ...deps,
      records: {
        ...deps.records,
        events: {
          ...events,
          insert: (tx: Tx, row: EventTable) => {
            if (row.type === kind) eventIds.add(row.id);
            return events.insert(tx, row);
          },
        },
      },
    };
    const kept = new Set<string>();
    const settled = alterOutbox(({ settle }) => ({
      settle(db, sending, end) {
        if (end.outcome === "410" && eventIds.has(sending.event_id)) kept.add(sending.webhook_id);
        return settle(db, sending, end);
      },
    }))(observed);
    return alterWebhookRecords(({ setStatus }) => ({
      async setStatus(tx, id, status) {
        if (status === "CLOSED" && kept.delete(id)) return;
        await setStatus(tx, id, status);
      },
    }))(settled);
  };

/** A server that keeps some data of a closed subscription when its endpoint is registered again. */
export const keepAcrossClosing = (keep: (known: Webhook, renewed: Webhook) => Partial<Webhook>) =>
  alterWebhookRecords(({ list, put }) => ({
    async put(tx, webhook) {
      const known = (await list(tx, webhook.integrator_id)).find(
        ({ id, status }) => id === webhook.id && status === "CLOSED",
      );
      return put(tx, { ...webhook, ...(known && keep(known, webhook)) });
    },
  }));

type ChangeName = EventKind extends infer Kind
  ? Kind extends `delivery.${infer Name}`
    ? Name
    : never
  : never;

/** A mutant for each of these delivery events: 410 in response to it doesn't close the endpoint. */
const keptOpenAfter = (clause: ClauseId, changes: readonly ChangeName[], caughtBy?: readonly string[]) =>
  forEachElement(
    changes,
    (change) => `status-410-to-delivery.${change}-closes-nothing`,
    (change) => ({
      fault: `a 410 response to delivery.${change} doesn't close the endpoint`,
      breaks: [{ clause }],
      ...(caughtBy && { caughtBy }),
      mutate: keepOpenAfterGone(`delivery.${change}`),
    }),
  );

export const closingMutants: Mutants = {
  "reopened-endpoint-keeps-its-old-event-types": {
    fault: "an endpoint that is registered again after closing keeps its old event types",
    breaks: [{ clause: "RETRY-30" }],
    mutate: keepAcrossClosing(({ event_types }) => ({ event_types })),
  },
  "reopened-endpoint-signs-with-the-old-secret": {
    fault: "events to an endpoint that is registered again after closing are signed with its old secret",
    breaks: [{ clause: "SIGN-13" }],
    mutate: keepAcrossClosing(({ secret }) => ({ secret })),
  },
  "endpoint-closed-by-410-stays-closed": {
    fault: "an endpoint closed by a 410 stays closed when it is registered again",
    breaks: [{ clause: "RETRY-30" }],
    mutate: keepAcrossClosing(({ status }) => ({ status })),
  },
  "status-410-is-an-ordinary-failure": {
    fault: "a 410 response is retried like any failure, and doesn't close the endpoint",
    breaks: [{ clause: "RETRY-21" }, { clause: "RETRY-20" }],
    caughtBy: ["closing.gone", "closing.gone-event"],
    mutate: alterRetryPolicy(() => ({ closesEndpoint: () => false })),
  },
  "status-410-to-a-test-event-closes-nothing": {
    fault: "a 410 response to a test event doesn't close the endpoint",
    breaks: [{ clause: "RETRY-21" }],
    caughtBy: ["closing.gone"],
    mutate: keepOpenAfterGone(TEST_KIND),
  },
  ...keptOpenAfter("RETRY-21", ["updated", "cancelled"], ["closing.gone"]),
  ...keptOpenAfter("RETRY-34", ["delivered"]),
  ...keptOpenAfter("RETRY-35", ["failed"]),
  ...keptOpenAfter("RETRY-36", ["returning", "returned"]),
  ...keptOpenAfter("RETRY-38", ["assigned", "at_pickup", "picked_up", "en_route", "arrived"]),
  ...keptOpenAfter("RETRY-39", ["offered"]),
  "status-410-to-delivery.queued-closes-nothing": {
    fault: "a 410 response to delivery.queued doesn't close the endpoint",
    breaks: [{ clause: "RETRY-38" }, { clause: "RETRY-21" }],
    caughtBy: ["closing.gone-on-the-way", "closing.reopened-kinds"],
    mutate: keepOpenAfterGone("delivery.queued"),
  },
  "status-410-to-a-position-closes-nothing": {
    fault: "a 410 response to a courier's position doesn't close the endpoint",
    breaks: [{ clause: "RETRY-33" }],
    mutate: keepOpenAfterGone(LOCATION_KIND),
  },
  "endpoint-closed-by-410-still-gets-events": {
    fault: "an endpoint closed by a 410 is listed as closed, but still gets events",
    breaks: [{ clause: "RETRY-19" }],
    caughtBy: ["closing.gone"],
    mutate: (deps) => listAsClosed(alterRetryPolicy(() => ({ closesEndpoint: () => false }))(deps)),
  },
  "endpoint-closed-by-410-still-gets-courier-events": {
    fault: "an endpoint closed by a 410 still gets the events of couriers",
    breaks: [{ clause: "RETRY-38" }],
    mutate: alsoSendTo("CLOSED"),
  },
  "endpoint-closed-by-410-is-listed-as-active": {
    fault: "an endpoint closed by a 410 is listed as active",
    breaks: [{ clause: "RETRY-21" }],
    caughtBy: ["closing.gone"],
    mutate: (deps) => ({
      ...deps,
      views: {
        ...deps.views,
        webhook: (webhook) => ({ ...deps.views.webhook(webhook), status: "ACTIVE" }),
      },
    }),
  },
  "rotation-reopens-an-endpoint-closed-by-410": {
    fault: "rotating the secret of an endpoint closed by a 410 reopens the endpoint",
    breaks: [{ clause: "RETRY-19" }, { clause: "RETRY-22" }],
    caughtBy: ["closing.five-days", "closing.gone"],
    mutate: replaceOperation("rotateWebhookSecret", async (call, original) => {
      const reply = await original(call);
      const { deps, path } = call;
      await deps.transaction((tx) => deps.records.webhooks.setStatus(tx, path.id, "ACTIVE"));
      return reply;
    }),
  },
  "endpoint-closed-by-410-can-be-tested": {
    fault: "the test event of an endpoint closed by a 410 is sent",
    breaks: [{ clause: "RETRY-19" }, { clause: "RETRY-22" }],
    caughtBy: ["closing.five-days", "closing.gone"],
    mutate: replaceOperation("testWebhook", async ({ deps, ...call }, original) => {
      const { webhooks } = deps.records;
      const find: typeof webhooks.find = async (...query) => {
        const webhook = await webhooks.find(...query);
        return webhook && { ...webhook, status: "ACTIVE" };
      };
      return original({
        ...call,
        deps: { ...deps, records: { ...deps.records, webhooks: { ...webhooks, find } } },
      });
    }),
  },
  "status-410-closes-every-endpoint": {
    fault: "a 410 response closes all endpoints of the integrator",
    breaks: [{ clause: "RETRY-19" }],
    mutate: alterWebhookRecords(({ setStatus }) => ({
      async setStatus(tx, id, status) {
        await setStatus(tx, id, status);
        if (status !== "CLOSED") return;
        const closed = tx.selectFrom("webhooks").select("integrator_id").where("id", "=", id);
        await tx.updateTable("webhooks").set({ status }).where("integrator_id", "=", closed).execute();
      },
    })),
  },
  "closed-endpoint-counts-towards-the-limit": {
    fault: "closed endpoints count towards the limit of five",
    breaks: [{ clause: "HOOK-39" }],
    mutate: replaceOperation("createWebhook", async (call, original) => {
      const { deps, integrator } = call;
      const known = await deps.records.webhooks.list(deps.database, integrator.id);
      if (known.length >= deps.limits.webhooks.active) throw new DomainError("ABONELIK_SINIRI");
      return original(call);
    }),
  },
  "sixth-webhook-accepted-after-a-410": {
    fault: "each endpoint closed by a 410 makes room for two more",
    breaks: [{ clause: "HOOK-39", case: "a new endpoint" }],
    mutate: replaceOperation("createWebhook", async (call, original) =>
      original({ ...call, deps: withMoreSubscriptions(call.deps, (await closedSubscriptions(call)).length) }),
    ),
  },
  "closed-endpoint-reopened-beyond-the-limit": {
    fault: "a closed endpoint can be reopened beyond the limit of five",
    breaks: [{ clause: "HOOK-39", case: "the closed endpoint again" }],
    mutate: replaceOperation("createWebhook", async (call, original) => {
      const isKnown = (await closedSubscriptions(call)).some(({ url }) => url === call.body.url);
      return original({ ...call, deps: withMoreSubscriptions(call.deps, isKnown ? 1 : 0) });
    }),
  },
  "deletion-of-a-closed-endpoint-makes-room": {
    fault: "deleting a closed subscription makes room for one more",
    breaks: [{ clause: "HOOK-39" }],
    mutate: (deps) => {
      const additional = new Map<string, number>();
      const counted = replaceOperation("deleteWebhook", async (call, original) => {
        const { id } = call.integrator;
        const webhook = await call.deps.records.webhooks.find(call.deps.database, id, call.path.id);
        if (webhook?.status === "CLOSED") additional.set(id, (additional.get(id) ?? 0) + 1);
        return original(call);
      })(deps);
      return replaceOperation("createWebhook", async (call, original) =>
        original({
          ...call,
          deps: withMoreSubscriptions(call.deps, additional.get(call.integrator.id) ?? 0),
        }),
      )(counted);
    },
  },
  "reopened-endpoint-survives-a-further-410": {
    fault: "a 410 response closes an endpoint only once: registered again, it stays open",
    breaks: [{ clause: "RETRY-21" }],
    caughtBy: ["closing.reopened-kinds"],
    mutate: (deps) => {
      const closedIds = new Set<string>();
      return alterWebhookRecords(({ setStatus }) => ({
        async setStatus(tx, id, status) {
          if (status === "CLOSED" && closedIds.has(id)) return;
          if (status === "CLOSED") closedIds.add(id);
          await setStatus(tx, id, status);
        },
      }))(deps);
    },
  },
  "status-410-leaves-pending-attempts": {
    fault: "an endpoint closed by a 410 still gets its pending events",
    breaks: [{ clause: "RETRY-29" }, { clause: "RETRY-20" }],
    caughtBy: ["closing.gone-later", "closing.gone-with-others-pending"],
    mutate: alterOutbox(() => ({ cancel: async () => {} })),
  },
  "endpoint-closes-after-two-410": {
    fault: "an endpoint is closed only after two 410 responses",
    breaks: [{ clause: "RETRY-20" }],
    caughtBy: ["closing.gone-event"],
    mutate: (deps) => {
      let times = 0;
      return alterRetryPolicy(({ closesEndpoint }) => ({
        closesEndpoint: (status) => {
          if (closesEndpoint(status)) times += 1;
          return times === 2;
        },
      }))(deps);
    },
  },
  "status-410-only-counts-at-the-first-attempt": {
    fault: "a 410 response to a retry doesn't close the endpoint",
    breaks: [{ clause: "RETRY-20" }],
    caughtBy: ["closing.gone-later"],
    mutate: (deps) => {
      let failures = 0;
      return alterRetryPolicy(({ closesEndpoint, isSuccess }) => ({
        closesEndpoint(status) {
          if (!closesEndpoint(status)) failures += isSuccess(status) ? 0 : 1;
          return closesEndpoint(status) && failures === 0;
        },
      }))(deps);
    },
  },
};
