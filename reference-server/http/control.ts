/** The control interface under `/control`: its own document, its own token, and no rate limits. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Route, routesOf } from "../contract/routes.ts";
import type { Dependencies } from "../dependencies.ts";
import { DomainError } from "../errors.ts";
import type { ControlOperations } from "../operations/operation.ts";
import { checkContentType } from "./bodies.ts";
import { isOffered, run, send } from "./dispatch.ts";
import { WrongTokens } from "./wrong-tokens.ts";

/** The path of the control interface. */
export const controlPath = "/control";

/** A photo may have 1.5 MB. Reading a little more allows a precise error for a larger one. */
const bodyLimit = 2_097_152;

/** Refuses requests without the control token. `tokenHash` is its hash by `deps.credentials`. */
export function controlTokenCheck(deps: Dependencies, tokenHash: string) {
  const wrong = new WrongTokens(deps);
  return async (request: FastifyRequest): Promise<void> => {
    const read = deps.tokens.read(request.headers.authorization);
    if ("refusal" in read) throw new DomainError(read.refusal);
    if (deps.credentials.matches(read.token, tokenHash)) return;
    await wrong.count(request.ip);
    throw new DomainError("GECERSIZ");
  };
}

/** Adds the control operations. `tokenHash` is the control token's hash by `deps.credentials`. */
export function addControl(app: FastifyInstance, deps: Dependencies, tokenHash: string): void {
  const authorize = controlTokenCheck(deps, tokenHash);
  app.setNotFoundHandler(async (request) => {
    await authorize(request);
    throw new DomainError("BULUNAMADI");
  });
  for (const route of routesOf(deps.controlDocument)) addRoute(app, deps, route, authorize);
}

function addRoute(
  app: FastifyInstance,
  deps: Dependencies,
  route: Route,
  authorize: (request: FastifyRequest) => Promise<void>,
): void {
  const operations: ControlOperations = deps.controlOperations;
  const id = route.operationId;
  if (!isOffered(operations, id)) return;
  app.route({
    method: route.method,
    url: route.url,
    bodyLimit,
    onRequest: async (request) => {
      await authorize(request);
      checkContentType(route, request);
    },
    handler: async (request, reply) => {
      const { bodyDepth: depth } = deps.limits;
      const checked = { document: deps.controlDocument, route, request, now: deps.clock.now(), depth };
      return send(reply, await run(operations, id, { deps }, checked));
    },
  });
}
