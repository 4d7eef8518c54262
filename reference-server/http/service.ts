/**
 * The service's interface: a route for each operation of the OpenAPI document. Each request passes the same steps: rate
 * limit, authentication, content type, validation, operation, response.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Route, routesOf } from "../contract/routes.ts";
import type { Dependencies, Identity, RateLimitStatus } from "../dependencies.ts";
import { DomainError } from "../errors.ts";
import type { AuthenticatedOperations, PublicOperations } from "../operations/operation.ts";
import { isOffered, run, send } from "./dispatch.ts";
import { refuseAmbiguity } from "./framing.ts";
import { countRequest } from "./rate-limits.ts";
import { UnreadAnswers } from "./unread-answers.ts";

/**
 * Looks up the sender of a request. An invalid token isn't an error yet, because public operations need no token.
 */
async function identify(deps: Dependencies, authorization: string | undefined): Promise<Identity> {
  const read = deps.tokens.read(authorization);
  if ("refusal" in read) return read;
  const tokenHash = deps.credentials.hash(read.token);
  const holder = await deps.records.tokens.find(deps.database, tokenHash);
  if (holder === undefined) return { refusal: "GECERSIZ" };
  const now = deps.clock.timeOf(holder.integrator, deps.clock.now());
  const refusal = deps.tokens.refusal(holder, now);
  return refusal === undefined ? { integrator: holder.integrator, tokenHash, now } : { refusal };
}

declare module "fastify" {
  interface FastifyRequest {
    /** The request's position in its rate window; null before the request is counted. */
    rateLimit: RateLimitStatus | null;
    /** The sender of the request; null before the sender is looked up. */
    identity: Identity | null;
  }
}

/** Adds every operation of the document that `deps.operations` implements. Other paths return 404. */
export function addService(app: FastifyInstance, deps: Dependencies): void {
  app.decorateRequest("rateLimit", null);
  app.decorateRequest("identity", null);
  // Limits the bytes of responses that a client hasn't read yet.
  const unreadResponses = new UnreadAnswers(deps);
  app.addHook("onSend", (request, reply, payload, done) => {
    unreadResponses.count(request, reply, payload);
    if (request.rateLimit !== null) reply.headers(deps.limitHeaders(request.rateLimit, reply.statusCode));
    done();
  });
  // Requests to unknown paths count towards the limits too.
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    admit(deps, undefined, request, reply).then(() => done(), done);
  });
  app.setNotFoundHandler(async () => {
    throw new DomainError("BULUNAMADI");
  });
  for (const route of routesOf(deps.document)) {
    if (route.isPublic) addPublic(app, deps, route);
    else addPrivate(app, deps, route, unreadResponses);
  }
}

function addPublic(app: FastifyInstance, deps: Dependencies, route: Route): void {
  const operations: PublicOperations = deps.operations;
  const id = route.operationId;
  if (!isOffered(operations, id)) return;
  app.route({
    method: route.method,
    url: route.url,
    bodyLimit: bodyLimitOf(deps, route),
    onRequest: async (request, reply) => {
      await admit(deps, id, request, reply);
      deps.checkContentType(route, request);
    },
    handler: async (request, reply) => {
      const { bodyDepth: depth } = deps.limits;
      const context = { deps, address: request.ip };
      const checked = { document: deps.document, route, request, now: deps.clock.now(), depth };
      return send(reply, await run(operations, id, context, checked));
    },
  });
}

function addPrivate(
  app: FastifyInstance,
  deps: Dependencies,
  route: Route,
  unreadResponses: UnreadAnswers,
): void {
  const operations: AuthenticatedOperations = deps.operations;
  const id = route.operationId;
  if (!isOffered(operations, id)) return;
  app.route({
    method: route.method,
    url: route.url,
    bodyLimit: bodyLimitOf(deps, route),
    onRequest: async (request, reply) => {
      await admit(deps, id, request, reply);
      admitted(request.identity);
      deps.checkContentType(route, request);
    },
    handler: async (request, reply) => {
      const { integrator, tokenHash, now } = admitted(request.identity);
      const { bodyDepth: depth, page, bodyBytes } = deps.limits;
      countKept(deps, integrator.id, request.body);
      unreadResponses.reserve(request, reply, id === "listDeliveries" ? page.bytes : bodyBytes.small);
      const context = { deps, address: request.ip, integrator, tokenHash, now };
      return send(
        reply,
        await run(operations, id, context, { document: deps.document, route, request, now, depth }),
      );
    },
  });
}

/** Counts the bytes that a request stores. Throws HIZ_SINIRI if the integrator's daily quota is used up. */
function countKept({ clock, storageQuota, limits }: Dependencies, integratorId: string, body: unknown): void {
  if (!Buffer.isBuffer(body) || body.length === 0) return;
  const now = clock.now();
  if (storageQuota.today(integratorId, now) + body.length > limits.dailyBytes)
    throw new DomainError("HIZ_SINIRI");
  storageQuota.add(integratorId, body.length, now);
}

/** Operations with an order as the body. All other bodies have a few fields. */
const ORDERS = ["createDelivery", "updateDelivery"];

const bodyLimitOf = ({ limits: { bodyBytes } }: Dependencies, { operationId }: Route): number =>
  ORDERS.includes(operationId) ? bodyBytes.order : bodyBytes.small;

/**
 * Identifies the sender and counts the request. Throws HIZ_SINIRI beyond the limit, and 400 for ambiguous
 * framing.
 */
async function admit(
  deps: Dependencies,
  operationId: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  request.identity = await identify(deps, request.headers.authorization);
  request.rateLimit = await countRequest(deps, {
    operationId,
    identity: request.identity,
    address: request.ip,
    realNow: deps.clock.now(),
  });
  if (request.rateLimit.exceeded) throw new DomainError("HIZ_SINIRI");
  refuseAmbiguity(request, reply);
}

/** The request's integrator. Throws 401, or 403 for another kind of credential. */
function admitted(identity: Identity | null): Exclude<Identity, { refusal: unknown }> {
  if (identity === null) throw new DomainError("KIMLIK_YOK");
  if ("refusal" in identity) throw new DomainError(identity.refusal);
  if (identity.integrator.kind === "other") throw new DomainError("YETKI_YOK");
  return identity;
}
