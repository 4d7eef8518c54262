import { keyOf } from "../../core/signing/webhook-signing.ts";
import type { Subscription } from "./events.ts";

/** The specification's time limit for a response ("Delivery, retry and closing"). */
export const ANSWER_LIMIT_MS = 15_000;

/** The settings of a run on a receiver. */
export interface ReceiverTarget extends Subscription {
  /** The receiver's URL, which may have a query. */
  readonly url: string;
  readonly secret: string;
  /** The effects interface's URL without a trailing slash. */
  readonly effectsUrl: string | undefined;
  /** The milliseconds to wait for a response. */
  readonly answerMs: number;
  /**
   * The maximum milliseconds of a response. Tests of fast receivers use less than the specification's limit.
   */
  readonly limitMs: number;
  /** The milliseconds to wait for a stopped receiver. */
  readonly returnMs: number;
  /** The milliseconds in which an effect is expected after the response, including a worker's retries. */
  readonly effectMs: number;
}

/** Names of query parameters that often contain a secret. */
const SECRET_PARAMETER = /token|key|secret|sig|pass|auth|code/i;

/** All given secrets, including those in the receiver's URL. */
export function secretsOf({ url, secret }: ReceiverTarget): readonly string[] {
  const inUrl = [...new URL(url).searchParams].filter(([name]) => SECRET_PARAMETER.test(name));
  return [
    secret,
    secret.replace("whsec_", ""),
    keyOf(secret).toString("hex"),
    ...inUrl.map(([, value]) => value),
  ];
}
