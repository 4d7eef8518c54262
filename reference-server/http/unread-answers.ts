/**
 * Limits the responses that clients haven't read yet, because an unread response stays in memory while its connection is
 * open.
 */
import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Dependencies } from "../dependencies.ts";
import { DomainError } from "../errors.ts";

/** Unread bytes by client: an integrator, or the IP address of requests without a token. */
export class UnreadAnswers {
  readonly #waiting = new Map<string, number>();
  /** Bytes counted for each response. */
  readonly #held = new WeakMap<ServerResponse, number>();
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Reserves room for a response before it is built, so that concurrent requests are all counted. Throws
   * HIZ_SINIRI if too many bytes are unread.
   */
  reserve(request: FastifyRequest, reply: FastifyReply, bytes: number): void {
    const who = readerOf(request);
    if (this.of(who) + bytes > this.#deps.limits.unreadBytes) throw new DomainError("HIZ_SINIRI");
    this.#hold(who, reply, bytes);
  }

  /**
   * Replaces the reservation with the response's size, which counts until the response is read or its
   * connection closes.
   */
  count(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    if (typeof payload !== "string" && !Buffer.isBuffer(payload)) return;
    this.#hold(readerOf(request), reply, Buffer.byteLength(payload));
  }

  of(who: string): number {
    return this.#waiting.get(who) ?? 0;
  }

  #hold(who: string, { raw }: FastifyReply, bytes: number): void {
    const before = this.#held.get(raw) ?? 0;
    this.#held.set(raw, bytes);
    this.#add(who, bytes - before);
    if (before === 0) raw.once("close", () => this.#add(who, -(this.#held.get(raw) ?? 0)));
  }

  #add(who: string, bytes: number): void {
    const waiting = this.of(who) + bytes;
    if (waiting > 0) this.#waiting.set(who, waiting);
    else this.#waiting.delete(who);
  }
}

function readerOf({ identity, ip }: FastifyRequest): string {
  return identity === null || "refusal" in identity
    ? `address ${ip}`
    : `integrator ${identity.integrator.id}`;
}
