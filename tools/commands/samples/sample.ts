import { keyOf } from "../../../suites/core/signing/webhook-signing.ts";
import { type Attempt, headersOf, signedWith } from "../../../suites/receiver/session/attempt.ts";

/** The contents of a sample file: an event as a receiver gets it, and the data to verify its signature. */
export interface Sample {
  readonly type: string;
  /** The signing secret: `whsec_` and base64. */
  readonly secret: string;
  /** The headers, with names in lower case. They include the specification's three headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. The signature covers its UTF-8 bytes. */
  readonly body: string;
  /** The body's bytes in base64. */
  readonly body_base64: string;
}

/** An event as the service sent it. */
export interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/** @param at the time of the delivery attempt, as Unix time in milliseconds */
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
