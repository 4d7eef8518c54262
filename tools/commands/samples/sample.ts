import { keyOf } from "../../../suites/core/signing/webhook-signing.ts";
import { type Attempt, headersOf, signedWith } from "../../../suites/receiver/session/attempt.ts";

/** One file: an event as it comes in, and what it is verified with. */
export interface Sample {
  /** The kind of the event. */
  readonly type: string;
  /** `whsec_` and base64. */
  readonly secret: string;
  /** By name in small letters: the three of the specification among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body's text; what is signed is its UTF-8. */
  readonly body: string;
  /** The body's bytes, for readers that don't want to encode a string. */
  readonly body_base64: string;
}

/** An event as the service sent it. */
export interface SentEvent {
  readonly id: string;
  readonly type: string;
  /** The body's text. */
  readonly body: string;
}

/** @param at when this attempt was made, in milliseconds since 1970 */
export function sampleOf({ id, type, body }: SentEvent, secret: string, at: number): Sample {
  const bytes = Buffer.from(body);
  const timestamp = String(Math.floor(at / 1000));
  const attempt: Attempt = { kind: type, id, timestamp, signature: undefined, body: bytes };
  return {
    type,
    secret,
    headers: headersOf(signedWith(keyOf(secret), attempt)),
    body,
    body_base64: bytes.toString("base64"),
  };
}
