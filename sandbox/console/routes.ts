/**
 * The console's API under `/console/api`, with the control interface's token. The console uses the control interface itself for
 * couriers, clocks and pairing codes. The requests and their responses:
 *
 * - POST `/sign-in` `{ key }`: `{ control_token }`. Exchanges the key of a sign-in link, once; needs no token.
 * - GET `/overview`: `Overview`
 * - PUT `/faults` `FaultChange`: 204; 404 for a sandbox without fault injection
 * - GET `/pairing-codes`: `{ items: PairingCodeSummary[] }`, the issued codes without their text
 * - POST `/integrators` `{ name?, simulated? }`: 201 `IntegratorCreated`
 * - PATCH `/integrators/{client_id}` `{ name?, simulated? }`: 204
 * - POST `/integrators/{client_id}/inbox` `{ answer? }`: 201 `{ id }`. Subscribes the inbox, which responds with `answer`.
 * - GET `/integrators/{client_id}/webhooks`: `{ items: SubscriptionSummary[] }`
 * - POST `/integrators/{client_id}/webhooks` `NewSubscription`: 201 `SubscriptionSecret`
 * - DELETE `/integrators/{client_id}/webhooks/{webhook_id}`: 204
 * - POST `/integrators/{client_id}/webhooks/{webhook_id}/rotate`: `SubscriptionSecret`
 * - POST `/integrators/{client_id}/webhooks/{webhook_id}/test`: 202 `{ event_id }`
 * - GET `/integrators/{client_id}/sent` with a `SentEventFilter`: `Page<SentEventSummary>`
 * - GET `/integrators/{client_id}/sent/{event_id}/{webhook_id}`: `SentEventDetail`
 * - POST `/integrators/{client_id}/redeliveries` `{ webhook_id, event_id }` or `{ webhook_id, since }`: 202 `{ events }`
 * - GET `/deliveries` with a `DeliveryFilter`: `Page<DeliverySummary>`
 * - GET `/deliveries/{id}`: `DeliveryDetail`
 * - GET `/requests` with a `RequestFilter`: `RequestPage`
 * - GET `/requests/{id}`: `RequestDetail`
 *
 * Errors are the service's own: 400 for a bad body, 404 for an unknown id.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { formatInstant, formatInstantOrNull } from "../../reference-server/domain/instants.ts";
import { DomainError, rejected } from "../../reference-server/errors.ts";
import { mediaTypeOf } from "../../reference-server/http/bodies.ts";
import { controlTokenCheck } from "../../reference-server/http/control.ts";
import { refuseUnstorable } from "../../reference-server/http/texts.ts";
import { WrongTokens } from "../../reference-server/http/wrong-tokens.ts";
import { longestDelayMs } from "../faults/prefer.ts";
import { sandboxRecords } from "../records/sandbox.ts";
import type { Sandbox } from "../state.ts";
import { addInbox, addIntegrator, changeIntegrator, redeliver } from "./commands.ts";
import { readDeliveries } from "./delivery-list.ts";
import {
  addSubscription,
  deleteSubscription,
  readSubscriptions,
  rotateSecret,
  testSubscription,
} from "./endpoints.ts";
import { readDelivery, readOverview } from "./queries.ts";
import { readRequest, readRequests } from "./request-list.ts";
import { readAttempts, readSentEvents } from "./sent-events.ts";
import type {
  DeliveryFilter,
  FaultChange,
  IntegratorChange,
  PairingCodeSummary,
  Redelivery,
  RequestFilter,
  SentEventFilter,
} from "./types.ts";

async function readPairingCodes(deps: Dependencies): Promise<PairingCodeSummary[]> {
  const codes = await sandboxRecords.pairingCodes(deps.database);
  return codes.map(({ company, restaurant, issued_at, expires_in_ms, used_at }) => ({
    company,
    restaurant,
    issued_at: formatInstant(issued_at),
    expires_in_s: expires_in_ms === null ? null : expires_in_ms / 1000,
    used_at: formatInstantOrNull(used_at),
  }));
}

export const consoleApiPath = "/console/api";
const signInPath = "/sign-in";

const ajv = new Ajv2020({ allErrors: false, validateSchema: false });
const shortText = { type: "string", minLength: 1, maxLength: 200 } as const;

const integratorChange = ajv.compile<IntegratorChange>({
  type: "object",
  properties: { name: shortText, simulated: { type: "boolean" } },
});
const newInbox = ajv.compile<{ answer?: string }>({
  type: "object",
  properties: { answer: { type: "string", pattern: "^([2-5][0-9][0-9]|silence)$" } },
});
const redelivery = ajv.compile<Redelivery>({
  type: "object",
  required: ["webhook_id"],
  properties: { webhook_id: shortText, event_id: shortText, since: shortText },
  oneOf: [{ required: ["event_id"] }, { required: ["since"] }],
});
const faultChange = ajv.compile<FaultChange>({
  type: "object",
  required: ["latency_ms", "error_rate", "for_s"],
  properties: {
    latency_ms: { type: "integer", minimum: 0, maximum: longestDelayMs },
    error_rate: { type: "number", minimum: 0, maximum: 1 },
    for_s: { type: "integer", minimum: 0, maximum: 86_400 },
  },
});
const signIn = ajv.compile<{ key: string }>({
  type: "object",
  required: ["key"],
  properties: { key: shortText },
});
const list = ["text", "from", "to", "limit", "offset"];
const query = {
  deliveries: ajv.compile<DeliveryFilter>(texts(...list, "client_id", "status")),
  sent: ajv.compile<SentEventFilter>(
    texts(...list, "webhook_id", "event_id", "delivery_id", "type", "state"),
  ),
  requests: ajv.compile<RequestFilter>(texts(...list, "client_id", "method", "status", "delivery_id")),
};

function texts(...names: string[]) {
  return { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) };
}

interface Path {
  client_id: string;
  event_id: string;
  webhook_id: string;
  id: string;
}
type Routed = FastifyRequest<{ Params: Path }>;

/** Adds the console's interface; `tokenHash` is the control token's hash by `deps.credentials`. */
export function addConsoleApi(
  app: FastifyInstance,
  deps: Dependencies,
  sandbox: Sandbox,
  tokenHash: string,
): void {
  app.addHook("onRequest", authorizing(deps, tokenHash));
  app.addHook("onSend", async (_request, reply) => {
    reply.header("cache-control", "no-store");
  });
  app.setNotFoundHandler(() => {
    throw new DomainError("BULUNAMADI");
  });

  const wrongKeys = new WrongTokens(deps);
  app.post(signInPath, async (request) => {
    const { key } = bodyOf(request, signIn);
    const control_token = sandbox.signIn(key);
    if (control_token !== undefined) return { control_token };
    await wrongKeys.count(request.ip);
    throw new DomainError("GECERSIZ");
  });
  app.get("/overview", () => readOverview(deps, sandbox));
  app.put("/faults", async (request, reply) => {
    const { latency_ms: latencyMs, error_rate: errorRate, for_s } = bodyOf(request, faultChange);
    if (sandbox.faults === undefined) throw new DomainError("BULUNAMADI");
    if (for_s === 0) sandbox.faults.reset();
    else sandbox.faults.set({ latencyMs, errorRate }, deps.clock.now() + for_s * 1000);
    return reply.code(204).send();
  });
  app.get("/pairing-codes", async () => ({ items: await readPairingCodes(deps) }));
  app.post("/integrators", async (request, reply) =>
    reply.code(201).send(await addIntegrator(deps, bodyOf(request, integratorChange))),
  );
  app.patch("/integrators/:client_id", async (request: Routed, reply) => {
    await changeIntegrator(deps, sandbox, request.params.client_id, bodyOf(request, integratorChange));
    return reply.code(204).send();
  });
  app.post("/integrators/:client_id/inbox", async (request: Routed, reply) => {
    const { answer } = bodyOf(request, newInbox);
    return reply.code(201).send(await addInbox(deps, request.params.client_id, answer));
  });
  app.get("/integrators/:client_id/webhooks", async ({ params }: Routed) => ({
    items: await readSubscriptions(deps, params.client_id),
  }));
  app.post("/integrators/:client_id/webhooks", async (request: Routed, reply) => {
    const body = bodyOf(request, isAnything);
    return reply.code(201).send(await addSubscription(deps, request.params.client_id, body));
  });
  app.delete("/integrators/:client_id/webhooks/:webhook_id", async ({ params }: Routed, reply) => {
    await deleteSubscription(deps, params.client_id, params.webhook_id);
    return reply.code(204).send();
  });
  app.post("/integrators/:client_id/webhooks/:webhook_id/rotate", ({ params }: Routed) =>
    rotateSecret(deps, params.client_id, params.webhook_id),
  );
  app.post("/integrators/:client_id/webhooks/:webhook_id/test", async ({ params }: Routed, reply) =>
    reply.code(202).send(await testSubscription(deps, params.client_id, params.webhook_id)),
  );
  app.get("/integrators/:client_id/sent", (request: Routed) =>
    readSentEvents(deps, request.params.client_id, fitting(request.query, query.sent)),
  );
  app.get("/integrators/:client_id/sent/:event_id/:webhook_id", ({ params }: Routed) =>
    readAttempts(deps, params.client_id, params.event_id, params.webhook_id),
  );
  app.post("/integrators/:client_id/redeliveries", async (request: Routed, reply) =>
    reply.code(202).send(await redeliver(deps, request.params.client_id, bodyOf(request, redelivery))),
  );
  app.get("/deliveries", (request) => readDeliveries(deps, fitting(request.query, query.deliveries)));
  app.get("/deliveries/:id", ({ params }: Routed) => readDelivery(deps, params.id));
  app.get("/requests", (request) => readRequests(deps, sandbox, fitting(request.query, query.requests)));
  app.get("/requests/:id", ({ params }: Routed) => readRequest(deps, sandbox, params.id));
}

/** Checks the control token, except for signing in. */
function authorizing(deps: Dependencies, tokenHash: string) {
  const authorize = controlTokenCheck(deps, tokenHash);
  const path = `${consoleApiPath}${signInPath}`;
  return async (request: FastifyRequest): Promise<void> => {
    if (request.method === "POST" && request.routeOptions.url === path) return;
    await authorize(request);
  };
}

/** Accepts any body, because the operation validates it. */
const isAnything = (value: unknown): value is unknown => value !== undefined;

interface Check<T> {
  (value: unknown): value is T;
  errors?: { instancePath: string }[] | null;
}

/** The validated body. Throws 415 or 400. */
function bodyOf<T>(request: FastifyRequest, check: Check<T>): T {
  if (mediaTypeOf(request.headers) !== "application/json") throw new DomainError("ICERIK_TURU");
  return fitting(parsed(request.body), check);
}

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    throw rejected("body", "geçerli JSON değil");
  }
}

function fitting<T>(value: unknown, check: Check<T>): T {
  refuseUnstorable(value, 4);
  if (check(value)) return value;
  throw rejected(check.errors?.[0]?.instancePath.slice(1) || "body", "geçersiz");
}
