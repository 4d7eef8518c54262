/**
 * What the desk can do with a sandbox that runs, under `/sandbox`, with the control token.
 *
 * | Request | Answer |
 * |---|---|
 * | POST `/triggers` `Trigger` | 202 `{ events: TriggeredEvent[] }`: what is being sent |
 *
 * Errors are the service's own; a bad body is 400, an unknown client_id 404.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import type { FastifyInstance } from "fastify";
import { DomainError, rejected } from "../../reference-server/errors.ts";
import { mediaTypeOf } from "../../reference-server/http/bodies.ts";
import { controlTokenCheck } from "../../reference-server/http/control.ts";
import type { Parts } from "../../reference-server/parts.ts";
import type { Sandbox } from "../state.ts";
import { type Trigger, trigger } from "./trigger.ts";

export const deskPath = "/sandbox";

/** More than anybody looks at. */
const most = 100;
const count = { type: "integer", minimum: 1, maximum: most } as const;
const flag = { type: "boolean" } as const;

/** Adds the desk's interface; `tokenHash` is the control token as `parts.credentials` hashes it. */
export function addDesk(app: FastifyInstance, parts: Parts, sandbox: Sandbox, tokenHash: string): void {
  const isTrigger = new Ajv2020().compile<Trigger>({
    type: "object",
    required: ["type"],
    additionalProperties: false,
    properties: {
      type: { enum: Object.keys(parts.document.webhooks ?? {}) },
      client_id: { type: "string", minLength: 1, maxLength: 200 },
      deliveries: count,
      copies: count,
      alone: flag,
      reversed: flag,
      at_once: flag,
    },
  });
  const closing = new AbortController();
  app.addHook("onClose", async () => closing.abort());
  app.addHook("onRequest", controlTokenCheck(parts, tokenHash));
  app.setNotFoundHandler(() => {
    throw new DomainError("BULUNAMADI");
  });
  app.post("/triggers", async (request, reply) => {
    if (mediaTypeOf(request.headers) !== "application/json") throw new DomainError("ICERIK_TURU");
    const body = parsed(request.body);
    if (!isTrigger(body)) {
      throw rejected(isTrigger.errors?.[0]?.instancePath.slice(1) || "body", "geçersiz");
    }
    return reply.code(202).send({ events: await trigger(parts, sandbox, body, closing.signal) });
  });
}

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    throw rejected("body", "geçerli JSON değil");
  }
}
