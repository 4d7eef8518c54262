/** Builds a server from its dependencies; it doesn't listen yet. */
import fastify, { type FastifyInstance } from "fastify";
import type { Dependencies } from "./dependencies.ts";
import { readBodiesAsBytes } from "./http/bodies.ts";
import { brokenRequestHandler } from "./http/broken-requests.ts";
import { limitConnectionsPerAddress } from "./http/connections-per-address.ts";
import { addControl, controlPath } from "./http/control.ts";
import { failureHandler } from "./http/failures.ts";
import { openAnswersOf } from "./http/open-answers.ts";
import { addService } from "./http/service.ts";

/**
 * Builds the server. It reads each dependency from `deps` at every use. Without a control token there is no
 * control interface. The database's tables must exist before the first request.
 */
export function buildServer(deps: Dependencies): FastifyInstance {
  const { connections } = deps.limits;
  const app = fastify({
    bodyLimit: deps.limits.bodyBytes.small,
    // Rate limits count requests by the client's address, which only these proxies may forward.
    trustProxy: deps.trustedProxies.length > 0 && [...deps.trustedProxies],
    // Requests on open connections are still answered while the server stops.
    return503OnClosing: false,
    http: {
      headersTimeout: connections.headersMs,
      connectionsCheckingInterval: connections.checkMs,
      maxHeaderSize: connections.headerBytes,
      // A request without a Host header gets the service's error body, like other invalid requests.
      requireHostHeader: false,
    },
    requestTimeout: connections.requestMs,
    connectionTimeout: connections.idleMs,
    clientErrorHandler: (fault, socket) => refuseBroken(fault, socket),
    exposeHeadRoutes: false,
    // The parser refuses longer paths.
    routerOptions: { maxParamLength: connections.headerBytes },
    // The router would respond to undecodable paths without running hooks, so undecodable paths are routed as unknown
    // paths.
    rewriteUrl: ({ url = "/" }) => (isDecodable(url) ? url : "/not-a-path"),
  });
  const refuseBroken = brokenRequestHandler(deps, openAnswersOf(app.server));
  app.server.maxConnections = connections.maxOpen;
  limitConnectionsPerAddress(app.server, deps);
  // Node would respond with 417. A server may ignore an unknown expectation.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.setErrorHandler(failureHandler(deps));
  readBodiesAsBytes(app);
  const { controlTokenHash, extensions } = deps;
  if (controlTokenHash !== null) {
    app.register(async (control) => addControl(control, deps, controlTokenHash), { prefix: controlPath });
  }
  for (const extension of extensions) app.register(async (scope) => extension.addRoutes(scope, deps));
  app.register(async (service) => {
    for (const extension of extensions) extension.addHooks(service, deps);
    addService(service, deps);
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
