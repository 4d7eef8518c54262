import { randomBytes, timingSafeEqual } from "node:crypto";
import { type Answer, Refusal } from "./answers.ts";
import { type Json, minute, now, second } from "./formats.ts";
import { BodyReader } from "./request-body.ts";
import type { Integrator, ServerState } from "./state.ts";

/** The integrator, or an error with an unusual choice among the four codes. */
export function identify(state: ServerState, authorization: string | undefined): Integrator | Refusal {
  const token = /^bearer (\S+)$/i.exec(authorization ?? "")?.[1];
  if (token === undefined) return new Refusal(401, "GECERSIZ");
  const session = state.tokens.get(token);
  if (session === undefined) return new Refusal(401, "OTURUM_GECERSIZ");
  if (session.owner.closed) return new Refusal(401, "SURESI_DOLDU");
  if (session.until <= now()) return new Refusal(401, "KIMLIK_YOK");
  return session.owner;
}

const isEqual = (left: string, right: string) => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};

export function obtainToken(state: ServerState, raw: Buffer): Answer {
  const body = BodyReader.ofBytes(raw);
  const owner = state.integrators.get(body.text("client_id") ?? "");
  const known =
    owner !== undefined && !owner.closed && isEqual(owner.secret, body.text("client_secret") ?? "");
  if (!known || body.text("grant_type") !== "client_credentials") throw new Refusal(401, "invalid_client");
  return { status: 200, headers: { "Cache-Control": "no-store" }, body: tokenOf(state, owner) };
}

/** The integrator's current token, if it remains valid for a while. */
export function tokenOf(state: ServerState, owner: Integrator): Json {
  const current = now();
  if (owner.token === undefined || owner.token.until < current + 5 * minute) {
    owner.token = { value: `~${randomBytes(450).toString("base64")}`, until: current + 30 * minute };
    state.tokens.set(owner.token.value, { owner, until: owner.token.until });
  }
  const expires = Math.round((owner.token.until - current) / second);
  return { scope: "kurye", expires_in: expires, token_type: "Bearer", access_token: owner.token.value };
}

const window = minute;

/** Sliding windows: each request counts for one minute. Refused requests don't count. */
export class Limiter {
  readonly #hits = new Map<string, number[]>();

  take(bucket: string, limit: number): { allowed: boolean; headers: Record<string, string> } {
    const current = now();
    const hits = (this.#hits.get(bucket) ?? []).filter((hit) => hit > current - window);
    const allowed = hits.length < limit;
    if (allowed) hits.push(current);
    this.#hits.set(bucket, hits);
    const free = Math.ceil(((hits[0] ?? current) + window) / second);
    const headers: Record<string, string> = {
      "X-RateLimit-Limit": String(limit),
      "X-RateLimit-Remaining": String(limit - hits.length),
      "X-RateLimit-Reset": String(free),
    };
    // One second more, so that a client with a slower clock is not too early.
    if (!allowed) headers["Retry-After"] = new Date((free + 1) * 1000).toUTCString();
    return { allowed, headers };
  }
}
