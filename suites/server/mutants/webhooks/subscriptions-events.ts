import { randomUUID } from "node:crypto";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { recordEvent } from "../../../../reference-server/dispatcher/emit.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import { isoInstant } from "../../../core/clock.ts";
import { DEFAULT_KINDS, LOCATION_KIND } from "../../../core/contract/event-kinds.ts";
import type { Mutants } from "../mutant.ts";
import { compose } from "../operators/compose.ts";
import { onRefusal, replaceOperation, respondWith } from "../operators/operations.ts";
import {
  alsoSendTo,
  alterAddresses,
  alterAttemptRequests,
  alterOutbox,
  alterWebhookRecords,
  keepFirstSecretFor,
  rememberFirst,
} from "../operators/webhooks.ts";

/** A webhook.test event for these subscriptions. */
const testEvent = (integratorId: string, at: number, webhookIds: readonly string[]) => ({
  integrator_id: integratorId,
  delivery_id: null,
  kind: "webhook.test" as const,
  version: null,
  at,
  data: null,
  webhookIds: [...webhookIds],
});

/** All events of a delivery go to the endpoints that were active at its creation, and to later ones. */
function sendToEndpointsOfTheCreation(deps: Dependencies): Dependencies {
  const atCreation = new Map<string, Awaited<ReturnType<typeof deps.records.webhooks.active>>>();
  return {
    ...deps,
    async emit(current, tx, delivery, kind) {
      const { records } = current;
      const { webhooks } = records;
      const active = await webhooks.active(tx, delivery.integrator_id);
      if (!atCreation.has(delivery.id)) atCreation.set(delivery.id, active);
      const earlier = atCreation.get(delivery.id) ?? [];
      const later = active.filter(({ id }) => earlier.every((known) => known.id !== id));
      const all = { ...webhooks, active: async () => [...earlier, ...later] };
      await deps.emit({ ...current, records: { ...records, webhooks: all } }, tx, delivery, kind);
    },
  };
}

export const subscriptionsEventsMutants: Mutants = {
  "webhook-test-answers-200": {
    fault: "a test request returns 200",
    breaks: [{ clause: "HOOK-32" }],
    mutate: replaceOperation("testWebhook", async (call, original) => {
      const reply = await original(call);
      Object.assign(reply, { status: 200 });
      return reply;
    }),
  },
  "webhook-test-not-with-a-description": {
    fault: "a test of an endpoint with a description is refused with 404",
    breaks: [{ clause: "HOOK-32", case: "with a description" }],
    mutate: replaceOperation("testWebhook", async (call, original, { records, database }) => {
      const webhook = await records.webhooks.find(database, call.integrator.id, call.path.id);
      if (webhook?.description) throw new DomainError("BULUNAMADI");
      return original(call);
    }),
  },
  "webhook-test-only-for-default-event-types": {
    fault: "a test event is sent only to subscriptions with all default event types",
    breaks: [{ clause: "HOOK-33", case: "delivery.delivered" }, { clause: "HOOK-34" }],
    mutate: replaceOperation("testWebhook", async (call, original, { records, database }) => {
      const webhook = await records.webhooks.find(database, call.integrator.id, call.path.id);
      const isSkipped = webhook && webhook.event_types.length < DEFAULT_KINDS.length;
      return isSkipped ? respondWith(202, { event_id: randomUUID() }) : original(call);
    }),
  },
  "webhook-test-answers-another-id": {
    fault: "event_id isn't the id of the event",
    breaks: [{ clause: "HOOK-35" }],
    mutate: replaceOperation("testWebhook", async (call, original) => {
      await original(call);
      return respondWith(202, { event_id: randomUUID() });
    }),
  },
  "webhook-test-repeats-the-first-id": {
    fault:
      "every test event of an endpoint has the id of the first, so that receivers drop it as a repetition",
    breaks: [{ clause: "EVENT-34" }],
    caughtBy: ["subscriptions.test-event"],
    mutate: (deps) => {
      const first = new Map<string, string>();
      const idOf = (webhook_id: string, event_id: string): string => {
        const id = first.get(webhook_id) ?? event_id;
        first.set(webhook_id, id);
        return id;
      };
      return compose(
        replaceOperation("testWebhook", async (call, original) => {
          const { body } = await original(call);
          return respondWith(202, { event_id: idOf(call.path.id, body.event_id) });
        }),
        alterAttemptRequests(({ request }) => ({
          request: (current, dispatch, now) => {
            const { event_id: sent, webhook_id, type, body } = dispatch;
            if (type !== "webhook.test") return request(current, dispatch, now);
            const event_id = idOf(webhook_id, sent);
            return request(current, { ...dispatch, event_id, body: body.replace(sent, event_id) }, now);
          },
        })),
      )(deps);
    },
  },
  "webhook-url-loses-its-query": {
    fault: "events are sent to the URL without its query",
    breaks: [{ clause: "EVENT-3" }],
    caughtBy: ["subscriptions.query-of-the-url"],
    mutate: alterAddresses((url) => url.replace(/\?.*/, "")),
  },
  "webhook-url-ends-at-an-ampersand": {
    fault: "events are sent to the URL with only the first query parameter",
    breaks: [{ clause: "EVENT-3" }],
    caughtBy: ["subscriptions.query-of-the-url"],
    mutate: alterAddresses((url) => url.replace(/&.*/, "")),
  },
  "webhook-url-encoded-twice": {
    fault: "the percent signs of a URL are encoded again when events are sent",
    breaks: [{ clause: "EVENT-3" }],
    caughtBy: ["subscriptions.query-of-the-url"],
    mutate: alterAddresses((url) => url.replaceAll("%", "%25")),
  },
  "webhook-url-with-a-bare-plus": {
    fault: "an encoded plus sign in a URL's query is sent as a bare plus sign, which means a space",
    breaks: [{ clause: "EVENT-3" }],
    caughtBy: ["subscriptions.query-of-the-url"],
    mutate: alterAddresses((url) => url.replaceAll("%2B", "+")),
  },
  "webhook-url-in-lower-case": {
    fault: "events are sent to the URL with its path in lower case",
    breaks: [{ clause: "EVENT-3" }],
    caughtBy: ["subscriptions.query-of-the-url"],
    mutate: alterAddresses((text) => {
      const url = new URL(text);
      url.pathname = url.pathname.toLowerCase();
      return url.href;
    }),
  },
  "webhook-test-goes-to-all": {
    fault: "a test event is sent to all endpoints of the integrator",
    breaks: [{ clause: "HOOK-36" }],
    mutate: replaceOperation("testWebhook", ({ deps, integrator, now }) =>
      deps.transaction(async (tx) => {
        await deps.records.changeSequence.takeNext(tx, integrator.id, now);
        const active = await deps.records.webhooks.active(tx, integrator.id);
        const webhookIds = active.map(({ id }) => id);
        const event_id = await recordEvent(deps, tx, testEvent(integrator.id, now, webhookIds));
        return respondWith(202, { event_id });
      }),
    ),
  },
  "deleted-webhook-still-gets-events": {
    fault: "events are sent to deleted subscriptions too",
    breaks: [{ clause: "HOOK-26" }, { clause: "EVENT-50" }],
    mutate: alterWebhookRecords(() => ({
      async active(tx, integratorId) {
        const rows = await tx
          .selectFrom("webhooks")
          .select(["id", "event_types"])
          .where("integrator_id", "=", integratorId)
          .execute();
        return rows.map(({ id, event_types }) => ({ id, event_types: JSON.parse(event_types) }));
      },
    })),
  },
  "deleted-webhook-still-gets-courier-events": {
    fault: "a deleted subscription still gets the events of couriers",
    breaks: [{ clause: "EVENT-50" }],
    mutate: alsoSendTo("DELETED"),
  },
  "deleted-webhook-still-gets-positions": {
    fault: "a deleted subscription to delivery.courier_location still gets the positions of couriers",
    breaks: [{ clause: "EVENT-31" }],
    mutate: alsoSendTo("DELETED", (kind) => kind === LOCATION_KIND),
  },
  "deleted-webhook-still-gets-events-of-its-deliveries": {
    fault: "a deleted subscription still gets the events of deliveries that were created before its deletion",
    breaks: [{ clause: "HOOK-26" }, { clause: "RETRY-38" }],
    mutate: sendToEndpointsOfTheCreation,
  },
  "deleted-webhook-can-be-tested": {
    fault: "a test of a deleted subscription returns 404, but sends the test event",
    breaks: [{ clause: "HOOK-26" }],
    mutate: replaceOperation("testWebhook", async (call, original) =>
      onRefusal("BULUNAMADI", original(call), async (refusal) => {
        const { deps, integrator, now, path } = call;
        await deps.transaction((tx) => recordEvent(deps, tx, testEvent(integrator.id, now, [path.id])));
        throw refusal;
      }),
    ),
  },
  "rotation-revives-a-deleted-webhook": {
    fault: "rotating the secret of a deleted subscription returns 404, but makes the subscription active",
    breaks: [{ clause: "HOOK-26" }],
    mutate: replaceOperation("rotateWebhookSecret", async (call, original) =>
      onRefusal("BULUNAMADI", original(call), async (refusal) => {
        const { deps, path } = call;
        await deps.transaction((tx) => deps.records.webhooks.setStatus(tx, path.id, "ACTIVE"));
        throw refusal;
      }),
    ),
  },
  "deleted-url-keeps-failing-since": {
    fault: "a URL that is registered again after its deletion keeps its earlier failing_since",
    breaks: [{ clause: "HOOK-8" }],
    caughtBy: ["subscriptions.deletion-ends-retries"],
    mutate: replaceOperation("createWebhook", async (call, original, { transaction }) => {
      const { status, body } = await original(call);
      return transaction(async (tx) => {
        const deleted = await tx
          .selectFrom("webhooks")
          .select("failing_since")
          .where("url", "=", body.url)
          .where("status", "=", "DELETED")
          .where("failing_since", "is not", null)
          .executeTakeFirst();
        if (deleted === undefined) return { status, body };
        const { failing_since } = deleted;
        await tx.updateTable("webhooks").set({ failing_since }).where("id", "=", body.id).execute();
        return { status, body: { ...body, failing_since: isoInstant(Number(failing_since)) } };
      });
    }),
  },
  "pending-attempts-go-on-when-the-url-returns": {
    fault: "pending events of a deleted subscription are sent once its url is registered again",
    breaks: [{ clause: "HOOK-27" }],
    caughtBy: ["subscriptions.deletion-ends-retries"],
    mutate: replaceOperation("createWebhook", async (call, original, { transaction }) => {
      const reply = await original(call);
      const { id, url } = reply.body;
      await transaction(async (tx) => {
        const deleted = tx
          .selectFrom("webhooks")
          .select("id")
          .where("integrator_id", "=", call.integrator.id)
          .where("url", "=", url)
          .where("status", "=", "DELETED");
        await tx
          .updateTable("outbox")
          .set({ webhook_id: id, state: "PENDING" })
          .where("webhook_id", "in", deleted)
          .where("state", "=", "CANCELLED")
          .execute();
      });
      return reply;
    }),
  },
  "pending-attempts-survive-deletion": {
    fault: "pending events are sent to a deleted subscription",
    breaks: [{ clause: "HOOK-27" }],
    mutate: alterOutbox(() => ({ cancel: async () => {} })),
  },
  "deleted-url-stays-deaf": {
    fault: "a url that was deleted and is registered again gets no events",
    breaks: [{ clause: "HOOK-41" }],
    mutate: (deps) => {
      const deletedUrls = new Set<string>();
      const deafIds = new Set<string>();
      const note = replaceOperation("deleteWebhook", async (call, original) => {
        const { records, database } = call.deps;
        const webhook = await records.webhooks.find(database, call.integrator.id, call.path.id);
        if (webhook) deletedUrls.add(webhook.url);
        return original(call);
      });
      return alterWebhookRecords(({ put, active }) => ({
        async put(tx, webhook) {
          if (deletedUrls.has(webhook.url)) deafIds.add(webhook.id);
          await put(tx, webhook);
        },
        active: async (tx, integratorId) =>
          (await active(tx, integratorId)).filter(({ id }) => !deafIds.has(id)),
      }))(note(deps));
    },
  },
  "deletion-cancels-the-events-of-all-endpoints": {
    fault: "deleting a subscription cancels the pending events of the integrator's other subscriptions",
    breaks: [{ clause: "RETRY-10" }, { clause: "RETRY-11" }],
    caughtBy: [
      "retries.second-attempts",
      "subscriptions.deletion-ends-retries",
      "subscriptions.deletion-ends-second-attempts",
    ],
    mutate: replaceOperation("deleteWebhook", async (call, original, { records, transaction }) => {
      const reply = await original(call);
      await transaction(async (tx) => {
        for (const { id } of await records.webhooks.list(tx, call.integrator.id))
          await records.outbox.cancel(tx, id);
      });
      return reply;
    }),
  },
  "rotation-is-not-kept": {
    fault: "a rotation returns a new secret, but events are signed with the old one",
    breaks: [{ clause: "HOOK-29" }],
    mutate: alterWebhookRecords(() => ({ setSecret: async () => {} })),
  },
  "rotation-affects-all-endpoints": {
    fault: "a rotation changes the secrets of all endpoints of the integrator",
    breaks: [{ clause: "SIGN-6" }],
    caughtBy: ["subscriptions.rotation-takes-over"],
    mutate: replaceOperation("rotateWebhookSecret", async (call, original) => {
      const reply = await original(call);
      const { records, database, secretEncryption } = call.deps;
      for (const { id } of await records.webhooks.list(database, call.integrator.id)) {
        const secret = secretEncryption.encrypt(reply.body.secret, id);
        await call.deps.transaction((tx) => records.webhooks.setSecret(tx, id, secret));
      }
      return reply;
    }),
  },
  "old-secret-also-signs-after-rotation": {
    fault: "after a rotation, events are also signed with the old secret",
    breaks: [{ clause: "HOOK-30" }],
    mutate: (deps) => {
      const previousSecrets = new Map<string, string>();
      const withPreviousSecrets = replaceOperation("rotateWebhookSecret", async (call, original) => {
        const { records, database, secretEncryption } = call.deps;
        const webhook = await records.webhooks.find(database, call.integrator.id, call.path.id);
        if (webhook) previousSecrets.set(webhook.id, secretEncryption.decrypt(webhook.secret, webhook.id));
        return original(call);
      })(deps);
      return alterAttemptRequests(({ headers }) => ({
        headers(current, dispatch, secret, now) {
          const signed = headers(current, dispatch, secret, now);
          const old = previousSecrets.get(dispatch.webhook_id);
          if (old === undefined) return signed;
          const oldSignature = headers(current, dispatch, old, now)["webhook-signature"];
          return { ...signed, "webhook-signature": `${signed["webhook-signature"]} ${oldSignature}` };
        },
      }))(withPreviousSecrets);
    },
  },
  "test-events-keep-the-first-secret": {
    fault: "test events are signed with the subscription's first secret",
    breaks: [{ clause: "HOOK-29" }],
    mutate: keepFirstSecretFor("webhook.test"),
  },
  "second-rotation-is-not-kept": {
    fault: "a second rotation returns a new secret, but events are signed with the previous one",
    breaks: [{ clause: "HOOK-29", case: "the second" }],
    mutate: (deps) => {
      const rotatedIds = new Set<string>();
      return alterWebhookRecords(({ setSecret }) => ({
        async setSecret(tx, id, secret) {
          if (!rotatedIds.has(id)) await setSecret(tx, id, secret);
          rotatedIds.add(id);
        },
      }))(deps);
    },
  },
  "retries-keep-their-secret": {
    fault: "an event is signed with the secret of its first attempt",
    breaks: [{ clause: "HOOK-31" }],
    mutate: alterAttemptRequests(({ headers }) => {
      const first = rememberFirst<string>();
      return {
        headers: (deps, dispatch, secret, now) => headers(deps, dispatch, first(dispatch, secret), now),
      };
    }),
  },
};
