import { randomBytes, randomUUID } from "node:crypto";
import { type Answer, notFound, Refusal } from "./answers.ts";
import { uuidParam } from "./change-delivery.ts";
import { type Json, now, utc, utcIfAny } from "./formats.ts";
import { isPublicHost, post } from "./outbox.ts";
import { BodyReader } from "./request-body.ts";
import type { Call, Webhook } from "./state.ts";

const hookView = (hook: Webhook, secret?: string): Json => ({
  secret,
  created_at: utc(hook.createdAt),
  failing_since: utcIfAny(hook.failingSince),
  status: hook.status,
  event_types: hook.kinds,
  description: hook.description,
  url: hook.url,
  id: hook.id,
  protocol: "standard-webhooks",
});

const defaultKinds =
  "created queued offered assigned at_pickup picked_up en_route arrived delivered failed cancelled returning returned updated"
    .split(" ")
    .map((name) => `delivery.${name}`);
const knownKinds = new Set([...defaultKinds, "delivery.courier_location", "webhook.test"]);

const newSecret = () => `whsec_${randomBytes(48).toString("base64")}`;

function readUrl({ state }: Call, body: BodyReader): string {
  const text = body.word("url", 2000);
  const url = URL.parse(text);
  if (url === null || url.protocol !== "https:") throw new Refusal(400, "ADRES_GECERSIZ", { alan: "url" });
  if (!state.trusted.has(url.origin) && !isPublicHost(url)) {
    throw new Refusal(400, "ADRES_GECERSIZ", { alan: "url", neden: "iç ağ" });
  }
  return text;
}

/** Unknown event types are ignored. */
function readKinds(body: BodyReader): string[] {
  const named = body
    .list("event_types", 100)
    ?.filter((kind) => typeof kind === "string" && knownKinds.has(kind));
  return named === undefined || named.length === 0 ? defaultKinds : [...new Set(named.map(String))];
}

export function createHook(call: Call): Answer {
  const body = BodyReader.ofBytes(call.raw).only("url event_types description");
  const hook: Webhook = {
    id: randomUUID(),
    url: readUrl(call, body),
    kinds: readKinds(body),
    description: body.text("description", 200),
    secret: newSecret(),
    status: "ACTIVE",
    failingSince: undefined,
    createdAt: now(),
  };
  const active = [...call.caller.hooks.values()].filter(({ status }) => status === "ACTIVE");
  if (active.length >= 5) throw new Refusal(409, "ABONELIK_SINIRI", { en_cok: 5 });
  call.caller.hooks.set(hook.id, hook);
  return { status: 201, body: hookView(hook, hook.secret) };
}

/** Closed subscriptions remain in the list. */
export const listHooks = ({ caller }: Call): Answer => ({
  status: 200,
  body: { toplam: caller.hooks.size, abonelikler: [...caller.hooks.values()].map((hook) => hookView(hook)) },
});

function own(call: Call): Webhook {
  const hook = call.caller.hooks.get(uuidParam(call));
  if (hook === undefined) throw notFound();
  return hook;
}

function ownActive(call: Call): Webhook {
  const hook = own(call);
  if (hook.status !== "ACTIVE") throw new Refusal(409, "ABONELIK_KAPALI");
  return hook;
}

export function deleteHook(call: Call): Answer {
  own(call).status = "SILINDI";
  return { status: 204 };
}

export function rotateHook(call: Call): Answer {
  const hook = ownActive(call);
  hook.secret = newSecret();
  return { status: 201, body: hookView(hook, hook.secret) };
}

export function testHook(call: Call): Answer {
  const hook = ownActive(call);
  const event = post(call.state, hook, "webhook.test", () => null);
  return { status: 202, body: { queued: true, event_id: event } };
}
