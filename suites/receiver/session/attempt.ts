import { wallClock } from "../../core/clock.ts";
import { digestOf, type SignedParts } from "../../core/signing/webhook-signing.ts";
import type { Event } from "./events.ts";

/** JSON without a charset, which the specification doesn't mention (OPEN-197). */
export const CONTENT_TYPE = "application/json";

/** A delivery attempt. A header whose value is undefined isn't sent. */
export interface Attempt {
  /** The event's type, for the report. */
  readonly kind: string;
  readonly id: string | undefined;
  /** The value of the timestamp header: Unix seconds in a valid attempt. */
  readonly timestamp: string | undefined;
  /** The value of the signature header: entries such as `v1,<base64>`, separated by spaces. */
  readonly signature: string | undefined;
  readonly body: Buffer;
  /** The index at which the body is split into two separately sent chunks. */
  readonly cutAt?: number;
}

/** The chunks of the body. */
export const piecesOf = ({ body, cutAt }: Attempt): readonly Buffer[] =>
  cutAt === undefined ? [body] : [body.subarray(0, cutAt), body.subarray(cutAt)];

/** Changes the case of a header name. HTTP ignores the case. */
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
  /** The seconds by which the timestamp is in the past; negative for the future. */
  readonly age?: number;
  /** The body's text, if its JSON needs a particular notation. */
  readonly body?: string;
}

/** Creates a delivery attempt of the event, signed like an attempt of the service. */
export function newAttempt(key: Uint8Array, event: Event, { age = 0, body }: AttemptOptions = {}): Attempt {
  return signedWith(key, {
    kind: event.type,
    id: event.id,
    timestamp: String(Math.floor(wallClock() / 1000) - age),
    signature: undefined,
    body: Buffer.from(body ?? JSON.stringify(event)),
  });
}

/** How to send an attempt. */
export interface DeliverOptions extends HeaderStyle {
  /** The intentional fault of the attempt. */
  readonly violates?: string;
  /**
   * True to use a new connection. If a reused connection turns out to be closed, the attempt is sent again.
   * Invalid requests always use a new connection.
   */
  readonly ownConnection?: boolean;
}

/** How an attempt's header names and content type are written. */
interface HeaderStyle {
  readonly names?: HeaderNames | undefined;
  readonly contentType?: string | undefined;
}

/** The headers of an attempt. */
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
