/** Puts the parts together to a server that isn't listening yet. */
import fastify, { type FastifyInstance } from "fastify";
import { readBodiesAsBytes } from "./http/bodies.ts";
import { brokenRequestHandler } from "./http/broken-requests.ts";
import { limitConnectionsPerAddress } from "./http/connections-per-address.ts";
import { addControl, controlPath } from "./http/control.ts";
import { failureHandler } from "./http/failures.ts";
import { openAnswersOf } from "./http/open-answers.ts";
import { addService } from "./http/service.ts";
import type { Parts } from "./parts.ts";

/**
 * Builds the server.
 *
 * Everything that can vary is in `parts`, and looked up there at each use. Without a control token there is no control
 * interface. The database's tables must be there before the first request.
 */
export function buildServer(parts: Parts): FastifyInstance {
  const { connections } = parts.limits;
  const app = fastify({
    bodyLimit: parts.limits.bodyBytes.small,
    // Limits count by the address of whoever asks, which only these are believed to know better.
    trustProxy: parts.trustedProxies.length > 0 && [...parts.trustedProxies],
    // What comes in by an open connection while the server stops is answered like everything before.
    return503OnClosing: false,
    http: {
      headersTimeout: connections.headersMs,
      connectionsCheckingInterval: connections.checkMs,
      maxHeaderSize: connections.headerBytes,
      // What lacks a host is refused like everything else that is wrong with a request, with an error body.
      requireHostHeader: false,
    },
    requestTimeout: connections.requestMs,
    connectionTimeout: connections.idleMs,
    clientErrorHandler: (fault, socket) => refuseBroken(fault, socket),
    exposeHeadRoutes: false,
    // Longer ones aren't read at all.
    routerOptions: { maxParamLength: connections.headerBytes },
    // The router would answer these by itself, outside of all hooks; so they go where unknown paths go.
    rewriteUrl: ({ url = "/" }) => (isDecodable(url) ? url : "/not-a-path"),
  });
  const refuseBroken = brokenRequestHandler(parts, openAnswersOf(app.server));
  app.server.maxConnections = connections.maxOpen;
  limitConnectionsPerAddress(app.server, parts);
  // Node would answer these 417 by itself; nothing is expected of a server that says nothing of it.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.setErrorHandler(failureHandler(parts));
  readBodiesAsBytes(app);
  const { controlTokenHash, extensions } = parts;
  if (controlTokenHash !== null) {
    app.register(async (control) => addControl(control, parts, controlTokenHash), { prefix: controlPath });
  }
  for (const extension of extensions) app.register(async (scope) => extension.addRoutes(scope, parts));
  app.register(async (service) => {
    for (const extension of extensions) extension.addHooks(service, parts);
    addService(service, parts);
  });
  return app;
}

function isDecodable(url: string): boolean {
  const [path = ""] = url.split("?", 1);
  if (!path.includes("%")) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
