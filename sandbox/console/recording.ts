/**
 * Logs the service's requests and responses for the console. Bodies are redacted, and cut after {@link
 * KEPT_CHARACTERS}.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { mediaTypeOf } from "../../reference-server/http/bodies.ts";
import type { KeptBody, RequestLog } from "../records/request-log.ts";
import { credentialsIn, redactHeaders, redactText } from "./redaction.ts";

/** The number of characters of a body that are kept: enough for an order, or the start of a long list. */
const KEPT_CHARACTERS = 32_768;

/** The bodies of responses that are being sent. */
const answers = new WeakMap<FastifyRequest, string | Buffer>();

/** Logs every request of these routes after its response. */
export function recordRequests(app: FastifyInstance, deps: Dependencies, log: RequestLog): void {
  app.addHook("onSend", (request, _reply, payload, done) => {
    if (typeof payload === "string" || Buffer.isBuffer(payload)) answers.set(request, payload);
    done();
  });
  app.addHook("onResponse", async (request, reply) => {
    try {
      await record(deps, log, request, reply);
    } catch (error) {
      // A failed recording only loses a log entry.
      deps.reportFault(error);
    }
  });
}

async function record(
  deps: Dependencies,
  log: RequestLog,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { authorization } = request.headers;
  const asked = Buffer.isBuffer(request.body) ? request.body : undefined;
  const answer = answers.get(request);
  const secrets = credentialsIn(authorization);
  const answered = parsed(answer);
  const error: unknown = member(answered, "error");
  log.add({
    at: deps.clock.now() - Math.round(reply.elapsedTime),
    integratorId: (await senderOf(deps, request, parsed(asked))) ?? null,
    method: request.method,
    path: redactText(request.originalUrl, secrets),
    status: reply.statusCode,
    code: text(member(error, "code")) ?? null,
    tookMs: Math.round(reply.elapsedTime * 10) / 10,
    deliveryId: deliveryOf(request, reply, answered) ?? null,
    requestHeaders: redactHeaders(request.headers, secrets),
    requestBody: keptBody(asked, mediaTypeOf(request.headers), secrets),
    responseHeaders: redactHeaders(reply.getHeaders(), secrets),
    responseBody: keptBody(answer, String(reply.getHeader("content-type") ?? ""), secrets),
  });
}

/** The request's integrator: by its token, which may have expired, or by the client_id of a token request. */
async function senderOf(
  deps: Dependencies,
  { identity, headers }: FastifyRequest,
  asked: unknown,
): Promise<string | undefined> {
  if (identity !== null && !("refusal" in identity)) return identity.integrator.id;
  const read = deps.tokens.read(headers.authorization);
  if ("token" in read) {
    const holder = await deps.records.tokens.find(deps.database, deps.credentials.hash(read.token));
    if (holder !== undefined) return holder.integrator.id;
  }
  const clientId = text(member(asked, "client_id"));
  if (clientId === undefined || clientId.includes("\0")) return undefined;
  return (await deps.records.integrators.findByClientId(deps.database, clientId))?.id;
}

/** The delivery in the path, in the response, or in an error. */
function deliveryOf(
  { params, routeOptions }: FastifyRequest,
  { statusCode }: FastifyReply,
  answered: unknown,
): string | undefined {
  const url = routeOptions.url ?? "";
  if (url.startsWith("/v1/deliveries/:")) return text(member(params, "id"));
  if (url !== "/v1/deliveries") return undefined;
  if (statusCode < 300) return text(member(answered, "id"));
  return text(member(member(member(answered, "error"), "details"), "delivery_id"));
}

/** Null without a body. */
function keptBody(
  body: string | Buffer | undefined,
  type: string | undefined,
  secrets: readonly string[],
): KeptBody | null {
  if (body === undefined || body.length === 0) return null;
  const bytes = Buffer.byteLength(body);
  if (type !== undefined && /^(image|audio|video|application\/octet-stream)/.test(type)) {
    return { text: "", bytes, isWhole: false };
  }
  const whole = typeof body === "string" ? body : body.toString("utf8");
  const kept = whole.slice(0, KEPT_CHARACTERS);
  return { text: redactText(kept, secrets), bytes, isWhole: kept.length === whole.length };
}

function parsed(body: string | Buffer | undefined): unknown {
  if (body === undefined || body.length > KEPT_CHARACTERS) return undefined;
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
