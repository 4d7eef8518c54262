/**
 * Requests that Node's parser takes and that a proxy before this server may understand differently. What two readers
 * could take for two things is refused (RFC 9110, RFC 9112).
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { rejected } from "../errors.ts";

/** Of these Node would take the first and drop the others. */
const single = new Set(["host", "content-type", "authorization", "idempotency-key"]);

/** Throws the 400 where a request can be read in two ways, and has the connection closed after it. */
export function refuseAmbiguity({ raw }: FastifyRequest, reply: FastifyReply): void {
  const header = unclearFraming(raw) ?? repeated(raw.rawHeaders);
  if (header === undefined) return;
  reply.header("connection", "close");
  throw rejected(header, "istek belirsiz");
}

/** HTTP/1.0 knows no chunks, and HTTP/1.1 needs a host. */
function unclearFraming({ headers, httpVersion }: FastifyRequest["raw"]): string | undefined {
  if (httpVersion === "1.0") {
    return headers["transfer-encoding"] === undefined ? undefined : "transfer-encoding";
  }
  return headers.host === undefined ? "host" : undefined;
}

/** `rawHeaders` holds names and values in turn, as they were sent. */
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
