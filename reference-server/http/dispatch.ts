/** Validates a request of the API or of the control interface, and runs its operation. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AnyReply, Operations, RawInput } from "../contract/calls.ts";
import type { OpenApiDocument } from "../contract/documents.ts";
import type { Route } from "../contract/routes.ts";
import type { Dependencies } from "../dependencies.ts";
import { DomainError } from "../errors.ts";
import { mediaTypeOf } from "./bodies.ts";
import { refuseUnstorable } from "./texts.ts";
import { checkInput } from "./validation.ts";

/** True if there is an operation with this id. */
export function isOffered<Api>(operations: Operations<Api, never>, id: string): id is keyof Api & string {
  return Object.hasOwn(operations, id);
}

/** Validates the request at the time `now`, and runs its operation. */
export async function run<Api, Context extends { readonly deps: Dependencies }, Id extends keyof Api>(
  operations: Operations<Api, Context>,
  id: Id,
  context: Context,
  checked: { document: OpenApiDocument; route: Route; request: FastifyRequest; now: number; depth: number },
): Promise<AnyReply> {
  const operation = operations[id];
  if (operation === undefined) throw new DomainError("BULUNAMADI");
  const input = rawInput(context.deps, checked.route, checked.request);
  // The schema comes first, so that only valid shapes are searched for values that can't be stored.
  checkInput<Api[Id]>(checked.document, checked.route, input, { now: checked.now });
  refuseUnstorable(input.body, checked.depth);
  return operation({ ...input, ...context });
}

export function send(reply: FastifyReply, { status, body, type }: AnyReply): FastifyReply {
  // Stops browsers from guessing another type from a photo's bytes.
  if (type !== undefined) reply.type(type).header("x-content-type-options", "nosniff");
  return reply.code(status).send(body);
}

/** A copy of the request's input, because validation changes it: it fills in defaults and converts types. */
function rawInput(deps: Dependencies, route: Route, request: FastifyRequest): RawInput {
  const headers: Record<string, unknown> = {};
  for (const { name, location } of route.parameters) {
    const value = location === "header" ? request.headers[name.toLowerCase()] : undefined;
    if (value !== undefined) headers[name] = value;
  }
  return {
    path: { ...Object(request.params) },
    query: { ...Object(request.query) },
    headers,
    mediaType: mediaTypeOf(request.headers),
    body: deps.bodyOf(route, request.body),
  };
}
