/** Parses request bodies: tests the declared type, then parses JSON strictly. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Route } from "../contract/routes.ts";
import { DomainError, rejected } from "../errors.ts";

export function checkContentType(route: Route, { headers }: Pick<FastifyRequest, "headers">): void {
  const sent = (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
  if (!sent && !route.body?.required) return;
  const type = mediaTypeOf(headers);
  const taken = route.body?.types ?? ["application/json"];
  if (type === undefined || !taken.includes(type)) throw new DomainError("ICERIK_TURU");
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (coding !== "identity") throw new DomainError("ICERIK_TURU", { content_encoding: coding });
}

/** The declared media type without parameters. */
export function mediaTypeOf(headers: FastifyRequest["headers"]): string | undefined {
  return headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
}

/** Reads all bodies as bytes. The operation decides about the body's type. */
export function readBodiesAsBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, bytes, done) => done(null, bytes));
}

/** The body in the operation's form: parsed JSON or bytes; undefined without a body. */
export function bodyOf(route: Route, bytes: unknown): unknown {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined;
  if (route.body !== undefined && route.body.jsonPointer === undefined) return bytes;
  return parseJson(bytes);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw rejected("body", "geçerli JSON değil");
  }
}
