import { keyOf } from "../../core/signing/webhook-signing.ts";
import type { Subscription } from "./events.ts";

/** The specification allows a receiver this long to answer (Events, Delivery, retry and closing). */
export const ANSWER_LIMIT_MS = 15_000;

/** The settings of a run on a receiver. */
export interface ReceiverTarget extends Subscription {
  /** The URL that events are sent to. It may have a query. */
  readonly url: string;
  /** `whsec_` and base64. */
  readonly secret: string;
  /** Address of the effects interface, without a last slash. */
  readonly effectsUrl: string | undefined;
  /** Milliseconds that one answer is waited for. */
  readonly answerMs: number;
  /** Milliseconds that an answer may take; shorter than the specification's only for trials of quick receivers. */
  readonly limitMs: number;
  /** Milliseconds that a receiver that went down is waited for. */
  readonly returnMs: number;
  /** Milliseconds after the answer within which an effect is expected, including a worker's retries. */
  readonly effectMs: number;
}

/** Names of query parameters that commonly hold a secret. */
const SECRET_PARAMETER = /token|key|secret|sig|pass|auth|code/i;

/** All that was given as a secret, also in the receiver's address. */
export function secretsOf({ url, secret }: ReceiverTarget): readonly string[] {
  const inUrl = [...new URL(url).searchParams].filter(([name]) => SECRET_PARAMETER.test(name));
  return [
    secret,
    secret.replace("whsec_", ""),
    keyOf(secret).toString("hex"),
    ...inUrl.map(([, value]) => value),
  ];
}
