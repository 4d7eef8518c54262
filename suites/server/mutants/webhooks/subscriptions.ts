import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { DomainError } from "../../../../reference-server/errors.ts";
import type { Webhook } from "../../../../reference-server/records/webhooks.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { DEFAULT_KINDS, LOCATION_KIND } from "../../../core/contract/event-kinds.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { shiftInstant, withoutMembers } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { alterProperty, makeOptional } from "../operators/documents.ts";
import { onRefusal, replaceOperation } from "../operators/operations.ts";
import { alterWebhookLimits, alterWebhookRecords } from "../operators/webhooks.ts";

type WebhookView = ReturnType<Dependencies["views"]["webhook"]>;

/** A copy whose types don't show the wrong types of the new members. */
function mistype<T extends object>(original: T, members: object): T {
  const copy = { ...original };
  Object.assign(copy, members);
  return copy;
}

const alterViews =
  (change: (view: WebhookView, webhook: Webhook) => WebhookView): Mutate =>
  (deps) => ({
    ...deps,
    views: { ...deps.views, webhook: (webhook) => change(deps.views.webhook(webhook), webhook) },
  });

type CreateCall = Parameters<Dependencies["operations"]["createWebhook"]>[0];

const alterRequests = (change: (body: CreateCall["body"]) => Partial<CreateCall["body"]>) =>
  replaceOperation("createWebhook", (call, original) =>
    original({ ...call, body: { ...call.body, ...change(call.body) } }),
  );

/** A server that takes parts of the first registration of a URL for all later ones. */
function keepFirstRequest(kept: (first: CreateCall["body"]) => Partial<CreateCall["body"]>): Mutate {
  return (deps) => {
    const requests = new Map<string, CreateCall["body"]>();
    return alterRequests((body) => {
      const first = requests.get(body.url) ?? body;
      requests.set(body.url, first);
      return kept(first);
    })(deps);
  };
}

const alterSecrets =
  (make: (secret: string) => string): Mutate =>
  (deps) => ({
    ...deps,
    ids: { ...deps.ids, webhookSecret: () => make(deps.ids.webhookSecret()) },
  });

/** A server that accepts URLs with other schemes than https. */
const anyScheme: Mutate = compose(
  alterProperty("NewWebhook", "url", { pattern: undefined, format: undefined }),
  (deps) => ({
    ...deps,
    addressGuard: {
      ...deps.addressGuard,
      refusal(guard, url, trusted) {
        const asHttps = URL.parse(url.href.replace(/^[a-z]+:/, "https:")) ?? url;
        return deps.addressGuard.refusal(guard, asHttps, trusted);
      },
    },
  }),
);

const withDefaultKinds = (kinds: readonly string[]) =>
  alterProperty("NewWebhook", "event_types", { default: kinds });

export const subscriptionsMutants: Mutants = {
  "webhook-url-loses-its-path": {
    fault: "a subscription's url is shown as only its host",
    breaks: [{ clause: "HOOK-3" }],
    caughtBy: ["subscriptions.creation"],
    mutate: alterViews((view) => ({ ...view, url: new URL(view.url).origin })),
  },
  "webhook-description-in-capitals": {
    fault: "descriptions are stored in upper case",
    breaks: [{ clause: "HOOK-4" }],
    caughtBy: ["subscriptions.creation"],
    mutate: alterRequests(({ description = "" }) => ({ description: description.toLocaleUpperCase("tr") })),
  },
  "webhook-event-types-ignored-on-creation": {
    fault: "a new subscription ignores event_types and gets the default event types",
    breaks: [{ clause: "HOOK-5" }],
    caughtBy: ["subscriptions.creation"],
    mutate: alterRequests(() => ({ event_types: [...DEFAULT_KINDS] })),
  },
  "deleted-url-keeps-its-description": {
    fault: "a URL that is registered again after its deletion keeps its earlier description",
    breaks: [{ clause: "HOOK-4" }],
    caughtBy: ["subscriptions.registered-again"],
    mutate: keepFirstRequest(({ description = "" }) => ({ description })),
  },
  "deleted-url-keeps-its-event-types": {
    fault: "a URL that is registered again after its deletion keeps its earlier event_types",
    breaks: [{ clause: "HOOK-5" }, { clause: "HOOK-41" }],
    caughtBy: ["subscriptions.registered-again", "subscriptions.registered-again-gets-events"],
    mutate: keepFirstRequest(({ event_types = [] }) => ({ event_types })),
  },
  "webhook-has-at-most-ten-event-types": {
    fault: "a subscription keeps only the first ten of its event_types",
    breaks: [{ clause: "HOOK-5" }],
    caughtBy: ["subscriptions.creation"],
    mutate: alterRequests(({ event_types = [] }) => ({ event_types: event_types.slice(0, 10) })),
  },
  "webhook-fails-from-the-start": {
    fault: "failing_since of a new subscription is its creation time",
    breaks: [{ clause: "HOOK-7" }],
    mutate: alterViews((view) => ({ ...view, failing_since: view.failing_since ?? view.created_at })),
  },
  "subscription-created-at-is-local-time": {
    fault: "created_at of subscriptions is local time marked as UTC (Z)",
    breaks: [{ clause: "HOOK-42" }],
    mutate: alterViews((view) => ({ ...view, created_at: shiftInstant(view.created_at, 3 * 3_600_000) })),
  },
  "webhook-secret-without-prefix": {
    fault: "secrets have a prefix other than whsec_",
    breaks: [{ clause: "HOOK-10" }],
    mutate: alterSecrets((secret) => secret.replace("whsec_", "secret_")),
  },
  "webhook-secret-is-not-base64": {
    fault: "secrets contain dots, so they aren't base64",
    breaks: [{ clause: "HOOK-10" }],
    mutate: alterSecrets((secret) => secret.replaceAll(/(.{10})/g, "$1.")),
  },
  "webhook-creation-answers-200": {
    fault: "creating a subscription returns 200",
    breaks: [{ clause: "HOOK-12" }],
    mutate: replaceOperation("createWebhook", async (call, original) => {
      const reply = await original(call);
      Object.assign(reply, { status: 200 });
      return reply;
    }),
  },
  "webhook-creation-without-secret": {
    fault: "only a rotation returns a subscription's secret",
    breaks: [{ clause: "HOOK-13" }],
    mutate: replaceOperation("createWebhook", async (call, original) => {
      const { status, body } = await original(call);
      return { status, body: withoutMembers(body, "secret") };
    }),
  },
  "fresh-webhook-is-pending": {
    fault: "an active subscription has the status PENDING",
    breaks: [{ clause: "HOOK-6" }],
    mutate: alterViews((view) => ({ ...view, status: view.status === "ACTIVE" ? "PENDING" : view.status })),
  },
  "default-kinds-with-positions": {
    fault: "delivery.courier_location is among the default event types",
    breaks: [{ clause: "HOOK-17" }],
    mutate: withDefaultKinds([...DEFAULT_KINDS, LOCATION_KIND]),
  },
  ...forEachElement(
    elementsOf("default-event-kinds"),
    (kind) => `default-kinds-without-${kind}`,
    (kind) => ({
      fault: `${kind} is missing from the default event types`,
      breaks: breaking(kind, "HOOK-16"),
      mutate: withDefaultKinds(DEFAULT_KINDS.filter((other) => other !== kind)),
    }),
  ),
  "webhook-description-of-201-accepted": {
    fault: "a description may have 201 characters",
    breaks: [{ clause: "HOOK-18" }],
    mutate: alterProperty("NewWebhook", "description", { maxLength: 201 }),
  },
  "webhook-description-of-200-refused": {
    fault: "a description must have fewer than 200 characters",
    breaks: [{ clause: "LIMIT-25" }],
    mutate: alterProperty("NewWebhook", "description", { maxLength: 199 }),
  },
  "webhook-description-counted-in-bytes": {
    fault: "a description must have at most 200 bytes",
    breaks: [{ clause: "LIMIT-25" }],
    mutate: replaceOperation("createWebhook", async (call, original) => {
      if (Buffer.byteLength(call.body.description ?? "") > 200) throw new DomainError("DOGRULAMA");
      return original(call);
    }),
  },
  "webhook-description-cut-short": {
    fault: "a description is cut at 100 characters",
    breaks: [{ clause: "LIMIT-25" }],
    mutate: alterRequests(({ description = "" }) => ({ description: description.slice(0, 100) })),
  },
  "http-webhook-accepted": {
    fault: "an http URL is accepted for a subscription",
    breaks: breaking(["http and a public host", "http and the receiver's host", "ftp"], "HOOK-14"),
    mutate: anyScheme,
  },
  "http-webhook-refused-but-kept": {
    fault: "an http URL is refused, but the subscription is created",
    breaks: [{ clause: "HOOK-14" }],
    mutate: compose(
      anyScheme,
      replaceOperation("createWebhook", async (call, original) => {
        const reply = await original(call);
        if (call.body.url.startsWith("https:")) return reply;
        throw new DomainError("DOGRULAMA");
      }),
    ),
  },
  "refused-webhook-takes-a-slot": {
    fault: "a subscription that is refused because of its url counts towards the limit of five",
    breaks: [{ clause: "LIMIT-14" }],
    caughtBy: ["subscriptions.five-active"],
    mutate: (deps) => {
      const refused = new Map<string, number>();
      return compose(
        anyScheme,
        replaceOperation("createWebhook", async (call, original) => {
          const { id } = call.integrator;
          const count = refused.get(id) ?? 0;
          if (!call.body.url.startsWith("https:")) {
            refused.set(id, count + 1);
            throw new DomainError("DOGRULAMA");
          }
          const narrowed = alterWebhookLimits(({ active }) => ({ active: active - count }))(call.deps);
          return original({ ...call, deps: narrowed });
        }),
      )(deps);
    },
  },
  "webhook-without-url-accepted": {
    fault: "a subscription without url is accepted",
    breaks: [{ clause: "HOOK-15" }],
    mutate: compose(
      makeOptional("NewWebhook", "url"),
      alterRequests(({ url }) => ({ url: url ?? "https://example.com/later" })),
    ),
  },
  "fifth-webhook-refused": {
    fault: "at most four subscriptions may be active",
    breaks: [{ clause: "LIMIT-14" }],
    caughtBy: ["subscriptions.five-active"],
    mutate: alterWebhookLimits(() => ({ active: 4 })),
  },
  "webhook-limit-for-all-integrators": {
    fault: "the limit of five active subscriptions is shared by all integrators",
    breaks: [{ clause: "LIMIT-14" }],
    caughtBy: ["subscriptions.five-each"],
    mutate: replaceOperation("createWebhook", async (call, original) => {
      const { deps } = call;
      const active = await deps.database
        .selectFrom("webhooks")
        .select("id")
        .where("status", "=", "ACTIVE")
        .execute();
      if (active.length >= deps.limits.webhooks.active) throw new DomainError("ABONELIK_SINIRI");
      return original(call);
    }),
  },
  "sixth-webhook-accepted": {
    fault: "six subscriptions may be active",
    breaks: [{ clause: "HOOK-19" }, { clause: "ERR-24" }],
    mutate: alterWebhookLimits(() => ({ active: 6 })),
  },
  "sixth-webhook-refused-but-kept": {
    fault: "a sixth subscription is refused, but created",
    breaks: [{ clause: "HOOK-20" }, { clause: "HOOK-43" }],
    mutate: replaceOperation("createWebhook", (call, original) =>
      onRefusal("ABONELIK_SINIRI", original(call), async (refusal) => {
        const { limits } = call.deps;
        const raised = { ...limits, webhooks: { ...limits.webhooks, active: 100 } };
        await original({ ...call, deps: { ...call.deps, limits: raised } });
        throw refusal;
      }),
    ),
  },
  "sixth-webhook-answers-422": {
    fault: "ABONELIK_SINIRI is returned with 422",
    breaks: [{ clause: "HOOK-19" }, { clause: "ERR-24" }],
    mutate: (deps) => ({
      ...deps,
      errors: { ...deps.errors, ABONELIK_SINIRI: { ...deps.errors.ABONELIK_SINIRI, status: 422 } },
    }),
  },
  "sixth-webhook-accepted-after-a-deletion": {
    fault: "an integrator that has deleted a subscription may have six",
    breaks: [{ clause: "HOOK-19" }, { clause: "ERR-24" }],
    mutate: (deps) => {
      const integratorsWithDeletion = new Set<string>();
      return compose(
        replaceOperation("deleteWebhook", (call, original) => {
          integratorsWithDeletion.add(call.integrator.id);
          return original(call);
        }),
        replaceOperation("createWebhook", (call, original) => {
          const { webhooks, ...limits } = call.deps.limits;
          const active = webhooks.active + (integratorsWithDeletion.has(call.integrator.id) ? 1 : 0);
          return original({
            ...call,
            deps: { ...call.deps, limits: { ...limits, webhooks: { ...webhooks, active } } },
          });
        }),
      )(deps);
    },
  },
  "rotation-takes-a-slot": {
    fault: "each rotation counts towards the limit of five, like a further subscription",
    breaks: [{ clause: "LIMIT-14" }],
    caughtBy: ["subscriptions.five-active"],
    mutate: (deps) => {
      const rotations = new Map<string, number>();
      const counted = replaceOperation("rotateWebhookSecret", (call, original) => {
        const { id } = call.integrator;
        rotations.set(id, (rotations.get(id) ?? 0) + 1);
        return original(call);
      })(deps);
      return replaceOperation("createWebhook", (call, original) => {
        const taken = rotations.get(call.integrator.id) ?? 0;
        const narrowed = alterWebhookLimits(({ active }) => ({ active: active - taken }))(call.deps);
        return original({ ...call, deps: narrowed });
      })(counted);
    },
  },
  "second-deletion-makes-room-again": {
    fault: "each further deletion of a deleted subscription makes room for one more",
    breaks: [{ clause: "HOOK-19" }, { clause: "ERR-24" }],
    mutate: (deps) => {
      const additional = new Map<string, number>();
      const counted = replaceOperation("deleteWebhook", (call, original) =>
        onRefusal("BULUNAMADI", original(call), async (refusal) => {
          const { id } = call.integrator;
          additional.set(id, (additional.get(id) ?? 0) + 1);
          throw refusal;
        }),
      )(deps);
      return replaceOperation("createWebhook", async (call, original) => {
        const more = additional.get(call.integrator.id) ?? 0;
        const widened = alterWebhookLimits(({ active }) => ({ active: active + more }))(call.deps);
        return original({ ...call, deps: widened });
      })(counted);
    },
  },
  "deleted-webhooks-count": {
    fault: "deleted subscriptions count towards the limit of five",
    breaks: [{ clause: "HOOK-21" }],
    mutate: (deps) => {
      const deleted = new Map<string, Webhook>();
      return alterWebhookRecords(({ find, list }) => ({
        async find(db, integratorId, id) {
          const webhook = await find(db, integratorId, id);
          if (webhook) deleted.set(id, webhook);
          return webhook;
        },
        async list(db, integratorId) {
          const webhooks = await list(db, integratorId);
          const removed = [...deleted.values()].filter(({ integrator_id }) => integrator_id === integratorId);
          return [...webhooks, ...removed.filter(({ id }) => !webhooks.some((webhook) => webhook.id === id))];
        },
      }))(deps);
    },
  },
  "webhook-status-is-a-number": {
    fault: "the status of a subscription is a number",
    breaks: [{ clause: "HOOK-1" }],
    mutate: alterViews((view) => mistype(view, { status: 1 })),
  },
  "webhook-kinds-are-text": {
    fault: "event_types is a comma-separated string",
    breaks: [{ clause: "HOOK-1" }],
    mutate: alterViews((view) => mistype(view, { event_types: String(view.event_types) })),
  },
  "listed-webhook-created-at-is-a-number": {
    fault: "created_at is in milliseconds in the list of subscriptions",
    breaks: [{ clause: "HOOK-1", case: "listWebhooks" }],
    mutate: replaceOperation("listWebhooks", async (call, original, deps) => {
      const webhooks = await deps.records.webhooks.list(deps.database, call.integrator.id);
      const items = webhooks.map((webhook) =>
        mistype(deps.views.webhook(webhook), { created_at: webhook.created_at }),
      );
      return { ...(await original(call)), body: { items } };
    }),
  },
};
