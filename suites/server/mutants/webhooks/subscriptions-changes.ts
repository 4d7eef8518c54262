import type { AuthenticatedContext, Dependencies } from "../../../../reference-server/dependencies.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import type { Webhook } from "../../../../reference-server/records/webhooks.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterRefusal, withoutMembers } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { aroundOperation, onRefusal, replaceOperation, respondWith } from "../operators/operations.ts";
import { alterWebhookRecords } from "../operators/webhooks.ts";

/** The details of a refused test, which mark the refusal. */
const OF_A_TEST = {};

const secretOf = ({ secretEncryption }: Dependencies, { id, secret }: Webhook) =>
  secretEncryption.decrypt(secret, id);

const alterList = (change: (deps: Dependencies, webhooks: readonly Webhook[]) => readonly object[]): Mutate =>
  replaceOperation("listWebhooks", async (call, original, deps) => {
    const { status, body } = await original(call);
    const webhooks = await deps.records.webhooks.list(deps.database, call.integrator.id);
    return { status, body: Object.assign(body, { items: change(deps, webhooks) }) };
  });

/** The call as if the subscription's integrator had made it; unchanged for an unknown subscription. */
async function asOwner<Call extends AuthenticatedContext & { path: { id: string } }>(
  call: Call,
): Promise<Call> {
  const owner = await call.deps.database
    .selectFrom("webhooks")
    .select("integrator_id")
    .where("id", "=", call.path.id)
    .executeTakeFirst();
  return owner ? { ...call, integrator: { ...call.integrator, id: owner.integrator_id } } : call;
}

export const subscriptionsChangesMutants: Mutants = {
  "webhook-list-shows-the-newest": {
    fault: "only the newest subscription is listed",
    breaks: [{ clause: "HOOK-22" }],
    mutate: alterWebhookRecords(({ list }) => ({
      list: async (db, integratorId) => (await list(db, integratorId)).slice(-1),
    })),
  },
  ...forEachElement(
    ["url", "description", "event_types"] as const,
    (field) => `webhook-list-repeats-the-${field}-of-the-newest`,
    (field) => ({
      fault: `every entry of the list of subscriptions has the ${field} of the newest`,
      breaks: [{ clause: ({ url: "HOOK-3", description: "HOOK-4", event_types: "HOOK-5" } as const)[field] }],
      caughtBy: ["subscriptions.list"],
      mutate: alterList((deps, webhooks) =>
        webhooks.map((webhook) => ({
          ...deps.views.webhook(webhook),
          [field]: webhooks.at(-1)?.[field] ?? null,
        })),
      ),
    }),
  ),
  "webhook-list-shows-secrets": {
    fault: "the list of subscriptions contains their secrets",
    breaks: [{ clause: "HOOK-23" }, { clause: "HOOK-11", case: "listWebhooks" }],
    mutate: alterList((deps, webhooks) =>
      webhooks.map((webhook) => ({ ...deps.views.webhook(webhook), secret: secretOf(deps, webhook) })),
    ),
  },
  "webhook-list-shows-keys": {
    fault: "the list of subscriptions contains their secrets under another name",
    breaks: [{ clause: "HOOK-23" }],
    mutate: alterList((deps, webhooks) =>
      webhooks.map((webhook) => ({
        ...deps.views.webhook(webhook),
        signing_key: secretOf(deps, webhook).slice("whsec_".length),
      })),
    ),
  },
  "webhook-test-shows-the-secret": {
    fault: "the response to a test request contains the signing secret",
    breaks: [{ clause: "HOOK-11", case: "testWebhook" }],
    mutate: replaceOperation("testWebhook", async (call, original, deps) => {
      const { status, body } = await original(call);
      const webhook = await deps.records.webhooks.find(deps.database, call.integrator.id, call.path.id);
      return { status, body: Object.assign(body, { signed_with: webhook && secretOf(deps, webhook) }) };
    }),
  },
  "webhook-deletion-answers-200": {
    fault: "deleting a subscription returns 200",
    breaks: [{ clause: "HOOK-24" }],
    mutate: replaceOperation("deleteWebhook", async (call, original) => {
      const reply = await original(call);
      Object.assign(reply, { status: 200, body: {} });
      return reply;
    }),
  },
  "deleted-webhook-stays-active": {
    fault: "a deleted subscription stays ACTIVE",
    breaks: [{ clause: "HOOK-25" }],
    mutate: alterWebhookRecords(({ setStatus }) => ({
      setStatus: async (tx, id, status) => {
        if (status !== "DELETED") await setStatus(tx, id, status);
      },
    })),
  },
  "rotation-keeps-the-secret": {
    fault: "a rotation returns the existing secret",
    breaks: [{ clause: "HOOK-28" }],
    mutate: replaceOperation("rotateWebhookSecret", async (call, original, deps) => {
      const webhook = await deps.records.webhooks.find(deps.database, call.integrator.id, call.path.id);
      if (webhook === undefined) return original(call);
      return respondWith(200, { ...deps.views.webhook(webhook), secret: secretOf(deps, webhook) });
    }),
  },
  "second-rotation-returns-an-earlier-secret": {
    fault: "a second rotation returns and uses the secret of the first one",
    breaks: [{ clause: "HOOK-28" }],
    mutate: (deps) => {
      const rotated = new Map<string, Parameters<typeof deps.records.webhooks.setSecret>[2]>();
      const secrets = new Map<string, string>();
      const keepStored = alterWebhookRecords(({ setSecret }) => ({
        async setSecret(tx, id, secret) {
          rotated.set(id, rotated.get(id) ?? secret);
          await setSecret(tx, id, rotated.get(id) ?? secret);
        },
      }));
      const repeatAnswer = replaceOperation("rotateWebhookSecret", async (call, original) => {
        const { status, body } = await original(call);
        secrets.set(body.id, secrets.get(body.id) ?? body.secret);
        return { status, body: { ...body, secret: secrets.get(body.id) ?? body.secret } };
      });
      return compose(keepStored, repeatAnswer)(deps);
    },
  },
  "rotation-answers-without-secret": {
    fault: "the response to a rotation lacks the new secret",
    breaks: [{ clause: "HOOK-28" }],
    mutate: replaceOperation("rotateWebhookSecret", async (call, original) => {
      const { status, body } = await original(call);
      return { status, body: withoutMembers(body, "secret") };
    }),
  },
  "rotation-answers-the-secret-alone": {
    fault: "the response to a rotation contains only the new secret",
    breaks: [{ clause: "HOOK-28" }],
    mutate: replaceOperation("rotateWebhookSecret", async (call, original) => {
      const { status, body } = await original(call);
      return {
        status,
        body: withoutMembers(
          body,
          "id",
          "url",
          "description",
          "event_types",
          "status",
          "failing_since",
          "created_at",
        ),
      };
    }),
  },
  "rotation-deactivates": {
    fault: "a rotation closes the subscription",
    breaks: [{ clause: "HOOK-28" }],
    mutate: alterWebhookRecords(({ setSecret, setStatus }) => ({
      async setSecret(tx, id, secret) {
        await setSecret(tx, id, secret);
        await setStatus(tx, id, "CLOSED");
      },
    })),
  },
  "rotation-resets-the-kinds": {
    fault: "a rotation resets the event types to only delivery.created",
    breaks: [{ clause: "HOOK-28" }],
    mutate: alterWebhookRecords(({ find, put, setSecret }) => ({
      async setSecret(tx, id, secret) {
        await setSecret(tx, id, secret);
        const { integrator_id } = await tx
          .selectFrom("webhooks")
          .select("integrator_id")
          .where("id", "=", id)
          .executeTakeFirstOrThrow();
        const webhook = await find(tx, integrator_id, id);
        if (webhook) await put(tx, { ...webhook, event_types: ["delivery.created"] });
      },
    })),
  },
  "rotation-clears-the-description": {
    fault: "a rotation deletes the description",
    breaks: [{ clause: "HOOK-28" }],
    mutate: alterWebhookRecords(({ setSecret }) => ({
      async setSecret(tx, id, secret) {
        await setSecret(tx, id, secret);
        await tx.updateTable("webhooks").set({ description: null }).where("id", "=", id).execute();
      },
    })),
  },
  "rotation-answers-another-description": {
    fault: "the description in the response to a rotation is empty",
    breaks: [{ clause: "HOOK-28" }],
    mutate: replaceOperation("rotateWebhookSecret", async (call, original) => {
      const { status, body } = await original(call);
      return { status, body: { ...body, description: "" } };
    }),
  },
  ...forEachElement(
    elementsOf("operations-on-a-subscription"),
    (operation) => `${operation}-of-an-unknown-id-succeeds`,
    (operation) => ({
      fault: `${operation} with an unknown id returns a success`,
      breaks: breaking(operation, "HOOK-37"),
      mutate: aroundOperation(operation, (_, original) =>
        onRefusal("BULUNAMADI", original(), async () => ({ status: 204 })),
      ),
    }),
  ),
  "subscriptions-found-without-their-last-character": {
    fault: "the last character of a subscription's id isn't compared",
    breaks: [{ clause: "HOOK-37" }],
    mutate: alterWebhookRecords((webhooks) => ({
      async find(db, integratorId, webhookId) {
        const exact = await webhooks.find(db, integratorId, webhookId);
        const active = exact ? [exact] : await webhooks.list(db, integratorId);
        return active.find(({ id }) => id.slice(0, -1) === webhookId.slice(0, -1));
      },
    })),
  },
  "unknown-subscription-with-another-code": {
    fault: "testing an unknown subscription returns the code ABONELIK_YOK",
    breaks: [{ clause: "ERR-16", case: "testWebhook" }],
    caughtBy: ["subscriptions.unknown-id"],
    mutate: compose(
      replaceOperation("testWebhook", (call, original) =>
        onRefusal("BULUNAMADI", original(call), async () => {
          throw new DomainError("BULUNAMADI", OF_A_TEST);
        }),
      ),
      alterRefusal((failure, original) =>
        original(failure.details === OF_A_TEST ? { ...failure, code: "ABONELIK_YOK" } : failure),
      ),
    ),
  },
  "unknown-webhook-answers-403": {
    fault: "rotating the secret of an unknown subscription returns 403",
    breaks: [{ clause: "HOOK-37", case: "rotateWebhookSecret" }],
    mutate: replaceOperation("rotateWebhookSecret", (call, original) =>
      onRefusal("BULUNAMADI", original(call), async () => {
        throw new DomainError("YETKI_YOK");
      }),
    ),
  },
  "foreign-webhooks-listed": {
    fault: "the list of subscriptions contains those of all integrators",
    breaks: [{ clause: "ISO-16" }],
    mutate: replaceOperation("listWebhooks", async ({ deps }) => {
      const integrators = await deps.database.selectFrom("integrators").select("id").execute();
      const lists = await Promise.all(
        integrators.map(({ id }) => deps.records.webhooks.list(deps.database, id)),
      );
      return respondWith(200, { items: lists.flat().map(deps.views.webhook) });
    }),
  },
  "foreign-webhook-can-be-deleted": {
    fault: "any integrator can delete a subscription",
    breaks: [
      { clause: "ISO-16", case: "deleteWebhook" },
      { clause: "ISO-19", case: "deleteWebhook" },
    ],
    mutate: replaceOperation("deleteWebhook", async (call, original) => original(await asOwner(call))),
  },
  "foreign-webhook-deleted-though-refused": {
    fault: "deleting another integrator's subscription is refused, but it is deleted",
    breaks: [{ clause: "ISO-16" }, { clause: "ISO-19" }],
    mutate: replaceOperation("deleteWebhook", (call, original) =>
      onRefusal("BULUNAMADI", original(call), async (refusal) => {
        await original(await asOwner(call));
        throw refusal;
      }),
    ),
  },
  "webhooks-deleted-by-their-url": {
    fault: "deleting a subscription also deletes all others with its URL, including other integrators'",
    breaks: [{ clause: "ISO-16" }, { clause: "ISO-19" }],
    mutate: replaceOperation("deleteWebhook", async (call, original) => {
      const { deps, integrator, path } = call;
      const webhook = await deps.records.webhooks.find(deps.database, integrator.id, path.id);
      const subscriptions = await deps.database
        .selectFrom("webhooks")
        .select(["id", "integrator_id"])
        .where("url", "=", webhook?.url ?? "")
        .execute();
      for (const { id, integrator_id } of subscriptions) {
        if (id === path.id) continue;
        await original({ ...call, integrator: { ...integrator, id: integrator_id }, path: { id } });
      }
      return original(call);
    }),
  },
  "foreign-webhook-can-be-rotated": {
    fault: "any integrator can rotate a subscription's secret",
    breaks: [
      { clause: "ISO-16", case: "rotateWebhookSecret" },
      { clause: "ISO-19", case: "rotateWebhookSecret" },
      { clause: "SIGN-6" },
    ],
    caughtBy: ["envelope.of-another", "subscriptions.of-another"],
    mutate: replaceOperation("rotateWebhookSecret", async (call, original) => original(await asOwner(call))),
  },
  "foreign-webhook-rotated-though-refused": {
    fault: "rotating another integrator's subscription is refused, but its secret changes",
    breaks: [{ clause: "SIGN-6" }],
    caughtBy: ["envelope.of-another"],
    mutate: replaceOperation("rotateWebhookSecret", (call, original) =>
      onRefusal("BULUNAMADI", original(call), async (refusal) => {
        await original(await asOwner(call));
        throw refusal;
      }),
    ),
  },
  "foreign-webhook-can-be-tested": {
    fault: "any integrator can test a subscription",
    breaks: [
      { clause: "ISO-16", case: "testWebhook" },
      { clause: "ISO-19", case: "testWebhook" },
    ],
    mutate: replaceOperation("testWebhook", async (call, original) => original(await asOwner(call))),
  },
};
