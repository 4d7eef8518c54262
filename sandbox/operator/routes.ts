/**
 * The operator's routes of a running sandbox, under `/sandbox`, with the control token:
 *
 * - POST `/triggers` `Trigger`: 202 `{ events: TriggeredEvent[] }`, the events that will be sent
 * - POST `/redeliveries` `Redelivery`: 202 `{ events: TriggeredEvent[] }`. Sends a past event again to the endpoints that got it.
 *
 * Errors are the service's own: 400 for a bad body, 404 for an unknown client_id.
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { integratorOf } from "../../reference-server/control/integrators.ts";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { DomainError, rejected } from "../../reference-server/errors.ts";
import { mediaTypeOf } from "../../reference-server/http/bodies.ts";
import { controlTokenCheck } from "../../reference-server/http/control.ts";
import { refuseUnstorable } from "../../reference-server/http/texts.ts";
import { redeliver } from "../console/commands.ts";
import { eventSearch } from "../records/search/event-search.ts";
import type { Sandbox } from "../state.ts";
import { clientIdOf } from "./client-id.ts";
import { type Trigger, type TriggeredEvent, trigger } from "./trigger.ts";

interface EventAgain {
  /** The event's webhook-id. */
  readonly event_id: string;
  /** The integrator. Defaults to the first one. */
  readonly client_id?: string;
}

/** A limit above the number of endpoints that an integrator may have. */
const everyEndpoint = { limit: 100, offset: 0 };

/**
 * Sends a past event again, with the same webhook-id, to each active endpoint that it went to. Throws
 * BULUNAMADI.
 */
async function sendAgain(
  deps: Dependencies,
  sandbox: Sandbox,
  wanted: EventAgain,
): Promise<TriggeredEvent[]> {
  const clientId = clientIdOf(sandbox, wanted.client_id);
  const { id } = await integratorOf(deps, clientId);
  const { items } = await eventSearch.find(deps.database, id, { eventId: wanted.event_id }, everyEndpoint);
  if (items.length === 0) throw new DomainError("BULUNAMADI");
  const webhooks = await deps.records.webhooks.list(deps.database, id);
  const sent: TriggeredEvent[] = [];
  for (const { event_id, webhook_id, type, external_ref } of items) {
    const webhook = webhooks.find((one) => one.id === webhook_id && one.status === "ACTIVE");
    if (webhook === undefined) continue;
    await redeliver(deps, clientId, { webhook_id, event_id });
    sent.push({ id: event_id, type, external_ref, url: webhook.url });
  }
  return sent;
}

export const operatorPath = "/sandbox";

/** The maximum number of deliveries or copies that a request may ask for. */
const most = 100;
const count = { type: "integer", minimum: 1, maximum: most } as const;
const flag = { type: "boolean" } as const;
const text = { type: "string", minLength: 1, maxLength: 200 } as const;

/** Adds the operator's routes; `tokenHash` is the control token's hash by `deps.credentials`. */
export function addOperatorRoutes(
  app: FastifyInstance,
  deps: Dependencies,
  sandbox: Sandbox,
  tokenHash: string,
): void {
  const ajv = new Ajv2020();
  const isTrigger = ajv.compile<Trigger>({
    type: "object",
    required: ["type"],
    additionalProperties: false,
    properties: {
      type: { enum: Object.keys(deps.document.webhooks ?? {}) },
      client_id: text,
      deliveries: count,
      copies: count,
      single: flag,
      reversed: flag,
      parallel: flag,
      order: text,
      data: { type: "object" },
      set: { type: "object", additionalProperties: { type: "string", maxLength: 2000 } },
    },
  });
  const isRedelivery = ajv.compile<EventAgain>({
    type: "object",
    required: ["event_id"],
    additionalProperties: false,
    properties: { event_id: text, client_id: text },
  });
  const closing = new AbortController();
  app.addHook("onClose", async () => closing.abort());
  app.addHook("onRequest", controlTokenCheck(deps, tokenHash));
  app.setNotFoundHandler(() => {
    throw new DomainError("BULUNAMADI");
  });
  app.post("/triggers", async (request, reply) => {
    const wanted = bodyOf(request, isTrigger);
    return reply.code(202).send({ events: await trigger(deps, sandbox, wanted, closing.signal) });
  });
  app.post("/redeliveries", async (request, reply) => {
    const wanted = bodyOf(request, isRedelivery);
    return reply.code(202).send({ events: await sendAgain(deps, sandbox, wanted) });
  });
}

/** Throws 415 or 400 with the field. */
function bodyOf<T>(request: FastifyRequest, check: ValidateFunction<T>): T {
  if (mediaTypeOf(request.headers) !== "application/json") throw new DomainError("ICERIK_TURU");
  const body = parsed(request.body);
  refuseUnstorable(body, 8);
  if (check(body)) return body;
  const [error] = check.errors ?? [];
  const name: unknown = error?.params.additionalProperty;
  throw rejected(error?.instancePath.slice(1) || (typeof name === "string" ? name : "body"), "geçersiz");
}

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    throw rejected("body", "geçerli JSON değil");
  }
}
