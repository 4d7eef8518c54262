/** Answers that were given and that nobody has read yet: they stay in memory for as long as a connection is kept. */
import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DomainError } from "../errors.ts";
import type { Parts } from "../parts.ts";

/** Bytes that wait to be read, by who asked for them: an integrator, or an address without a token. */
export class UnreadAnswers {
  readonly #waiting = new Map<string, number>();
  /** What of it is one answer's. */
  readonly #held = new WeakMap<ServerResponse, number>();
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Makes room for an answer, before it is made: of several requests that come at once each is counted.
   * Throws HIZ_SINIRI where so much waits that there is none.
   */
  reserve(request: FastifyRequest, reply: FastifyReply, bytes: number): void {
    const who = readerOf(request);
    if (this.of(who) + bytes > this.#parts.limits.unreadBytes) throw new DomainError("HIZ_SINIRI");
    this.#hold(who, reply, bytes);
  }

  /** Counts an answer for as long as it isn't read, or its connection closed, in place of what was reserved. */
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
