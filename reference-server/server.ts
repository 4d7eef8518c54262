/** Puts the parts together to a server that isn't listening yet. */
import fastify, { type FastifyInstance } from "fastify";
import { readBodiesAsBytes } from "./http/bodies.ts";
import { addControl, controlPath } from "./http/control.ts";
import { failureHandler } from "./http/failures.ts";
import { addService } from "./http/service.ts";
import type { Parts } from "./parts.ts";

/**
 * Builds the server.
 *
 * Everything that can vary is in `parts`, and looked up there at each use. Without a control token there is no control
 * interface. The database's tables must be there before the first request.
 */
export function buildServer(parts: Parts): FastifyInstance {
  const app = fastify({
    bodyLimit: parts.limits.bodyBytes,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1000 },
    // The router would answer these by itself, outside of all hooks; so they go where unknown paths go.
    rewriteUrl: ({ url = "/" }) => (isDecodable(url) ? url : "/not-a-path"),
  });
  app.setErrorHandler(failureHandler(parts));
  readBodiesAsBytes(app);
  const { controlTokenHash } = parts;
  if (controlTokenHash !== null) {
    app.register(async (control) => addControl(control, parts, controlTokenHash), { prefix: controlPath });
  }
  app.register(async (service) => addService(service, parts));
  return app;
}

function isDecodable(url: string): boolean {
  if (!url.includes("%")) return true;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
