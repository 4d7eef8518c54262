/**
 * The service's interface. Every request passes the same steps, derived from the document: route, rate limit,
 * authentication, content type, validation, operation, response.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Route, routesOf } from "../contract/routes.ts";
import { DomainError } from "../errors.ts";
import type { PrivateOperations, PublicOperations } from "../operations/operation.ts";
import type { Identity, Parts, RateLimitStatus } from "../parts.ts";
import { identify } from "./authentication.ts";
import { isOffered, run, send } from "./dispatch.ts";
import { refuseAmbiguity } from "./framing.ts";
import { countRequest } from "./rate-limits.ts";
import { UnreadAnswers } from "./unread-answers.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The request's position in its rate window; null before it is counted. */
    rateLimit: RateLimitStatus | null;
    /** Null before it is looked up. */
    identity: Identity | null;
  }
}

/** Adds every operation of the document that the parts implement. Other paths return 404. */
export function addService(app: FastifyInstance, parts: Parts): void {
  app.decorateRequest("rateLimit", null);
  app.decorateRequest("identity", null);
  const unread = new UnreadAnswers(parts);
  app.addHook("onSend", (request, reply, payload, done) => {
    unread.count(request, reply, payload);
    if (request.rateLimit !== null) reply.headers(parts.limitHeaders(request.rateLimit, reply.statusCode));
    done();
  });
  // Requests to unknown paths count towards the limits too.
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    admit(parts, undefined, request, reply).then(() => done(), done);
  });
  app.setNotFoundHandler(async () => {
    throw new DomainError("BULUNAMADI");
  });
  for (const route of routesOf(parts.document)) {
    if (route.isPublic) addPublic(app, parts, route);
    else addPrivate(app, parts, route, unread);
  }
}

function addPublic(app: FastifyInstance, parts: Parts, route: Route): void {
  const operations: PublicOperations = parts.operations;
  const id = route.operationId;
  if (!isOffered(operations, id)) return;
  app.route({
    method: route.method,
    url: route.url,
    bodyLimit: bodyLimitOf(parts, route),
    onRequest: async (request, reply) => {
      await admit(parts, id, request, reply);
      parts.checkContentType(route, request);
    },
    handler: async (request, reply) => {
      const { bodyDepth: depth } = parts.limits;
      const context = { parts, address: request.ip };
      const checked = { document: parts.document, route, request, now: parts.clock.now(), depth };
      return send(reply, await run(operations, id, context, checked));
    },
  });
}

function addPrivate(app: FastifyInstance, parts: Parts, route: Route, unread: UnreadAnswers): void {
  const operations: PrivateOperations = parts.operations;
  const id = route.operationId;
  if (!isOffered(operations, id)) return;
  app.route({
    method: route.method,
    url: route.url,
    bodyLimit: bodyLimitOf(parts, route),
    onRequest: async (request, reply) => {
      await admit(parts, id, request, reply);
      admitted(request.identity);
      parts.checkContentType(route, request);
    },
    handler: async (request, reply) => {
      const { integrator, tokenHash, now } = admitted(request.identity);
      const { bodyDepth: depth, page, bodyBytes } = parts.limits;
      countKept(parts, integrator.id, request.body);
      unread.reserve(request, reply, id === "listDeliveries" ? page.bytes : bodyBytes.small);
      const context = { parts, address: request.ip, integrator, tokenHash, now };
      return send(
        reply,
        await run(operations, id, context, { document: parts.document, route, request, now, depth }),
      );
    },
  });
}

/** Counts the bytes that a request stores. Throws HIZ_SINIRI if the integrator's daily quota is used up. */
function countKept({ clock, storageQuota, limits }: Parts, integratorId: string, body: unknown): void {
  if (!Buffer.isBuffer(body) || body.length === 0) return;
  const now = clock.now();
  if (storageQuota.today(integratorId, now) + body.length > limits.dailyBytes)
    throw new DomainError("HIZ_SINIRI");
  storageQuota.add(integratorId, body.length, now);
}

/** Operations with an order as the body. All other bodies have a few fields. */
const ORDERS = ["createDelivery", "updateDelivery"];

const bodyLimitOf = ({ limits: { bodyBytes } }: Parts, { operationId }: Route): number =>
  ORDERS.includes(operationId) ? bodyBytes.order : bodyBytes.small;

/**
 * Identifies the sender and counts the request. Throws HIZ_SINIRI beyond the limit, and 400 for ambiguous
 * framing.
 */
async function admit(
  parts: Parts,
  operationId: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  request.identity = await identify(parts, request.headers.authorization);
  request.rateLimit = await countRequest(parts, {
    operationId,
    identity: request.identity,
    address: request.ip,
    realNow: parts.clock.now(),
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
