import { wallClock } from "../../core/clock.ts";
import { digestOf, type SignedParts } from "../../core/signing/webhook-signing.ts";
import type { Event } from "./events.ts";

/** The specification says that bodies are JSON, and nothing of a charset (OPEN-197). */
export const CONTENT_TYPE = "application/json";

/** The content of a delivery attempt. Undefined members aren't sent. */
export interface Attempt {
  /** The kind of the event, for the report. */
  readonly kind: string;
  readonly id: string | undefined;
  /** The header's text: Unix seconds in a valid attempt. */
  readonly timestamp: string | undefined;
  /** The header's text: entries such as `v1,<base64>`, separated by spaces. */
  readonly signature: string | undefined;
  readonly body: Buffer;
  /** The position at which the body is cut into two pieces that arrive separately: the first byte of the second one. */
  readonly cutAt?: number;
}

/** The pieces in which the body is sent. */
export const piecesOf = ({ body, cutAt }: Attempt): readonly Buffer[] =>
  cutAt === undefined ? [body] : [body.subarray(0, cutAt), body.subarray(cutAt)];

/** The spelling of the three header names. HTTP ignores case. */
type HeaderNames = (name: string) => string;

/** The base64 of HMAC-SHA256 over `{id}.{timestamp}.{body}`. */
export const macOf = (key: string | Uint8Array, parts: SignedParts, algorithm?: string): string =>
  digestOf(key, parts, algorithm).toString("base64");

/** The same attempt, signed with this key. */
export const signedWith = (key: string | Uint8Array, attempt: Attempt): Attempt => ({
  ...attempt,
  signature: `v1,${macOf(key, attempt)}`,
});

export interface AttemptOptions {
  /** Seconds by which the timestamp is in the past; negative for the future. */
  readonly age?: number;
  /** The body's text, for JSON in a special form. */
  readonly body?: string;
}

/** An attempt to deliver the event, signed as the service signs it. */
export function newAttempt(key: Uint8Array, event: Event, { age = 0, body }: AttemptOptions = {}): Attempt {
  return signedWith(key, {
    kind: event.type,
    id: event.id,
    timestamp: String(Math.floor(wallClock() / 1000) - age),
    signature: undefined,
    body: Buffer.from(body ?? JSON.stringify(event)),
  });
}

/** How an attempt is sent. */
export interface DeliverOptions extends HeaderStyle {
  /** The deliberate mistake of the attempt. */
  readonly violates?: string;
  /**
   * True for a connection of its own: one that was kept open may be closed at any time, and the attempt is sent once
   * more then. Invalid requests always have their own.
   */
  readonly ownConnection?: boolean;
}

/** The default spelling of an attempt's headers. */
export interface HeaderStyle {
  readonly names?: HeaderNames | undefined;
  readonly contentType?: string | undefined;
}

/** The headers that carry the attempt. */
export function headersOf(
  attempt: Attempt,
  { names = (name) => name, contentType = CONTENT_TYPE }: HeaderStyle = {},
): Record<string, string> {
  const { id, timestamp, signature } = attempt;
  const carried = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  return {
    "content-type": contentType,
    "user-agent": "courier-dispatch-webhooks/1",
    ...Object.fromEntries(
      Object.entries(carried).flatMap(([name, value]) => (value === undefined ? [] : [[names(name), value]])),
    ),
  };
}
