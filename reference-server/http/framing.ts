/**
 * Refuses requests that Node's parser accepts and a proxy in front may parse differently (RFC 9110, RFC
 * 9112).
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { rejected } from "../errors.ts";

/** If one of these headers is repeated, Node uses its first value and drops the others. */
const single = new Set(["host", "content-type", "authorization", "idempotency-key"]);

/** Throws a 400 for an ambiguous request, and closes the connection afterwards. */
export function refuseAmbiguity({ raw }: FastifyRequest, reply: FastifyReply): void {
  const header = ambiguousHeader(raw) ?? repeated(raw.rawHeaders);
  if (header === undefined) return;
  reply.header("connection", "close");
  throw rejected(header, "istek belirsiz");
}

/** HTTP/1.0 has no chunked encoding, and HTTP/1.1 requires a Host header. */
function ambiguousHeader({ headers, httpVersion }: FastifyRequest["raw"]): string | undefined {
  if (httpVersion === "1.0") {
    return headers["transfer-encoding"] === undefined ? undefined : "transfer-encoding";
  }
  return headers.host === undefined ? "host" : undefined;
}

/** `rawHeaders` has names and values in turn, as sent. */
function repeated(rawHeaders: readonly string[]): string | undefined {
  const seen: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (!single.has(name)) continue;
    if (seen.includes(name)) return name;
    seen.push(name);
  }
  return undefined;
}
