import { keyOf } from "../../core/signing/webhook-signing.ts";
import type { Subscription } from "./events.ts";

/** The specification's time limit for a response in milliseconds ("Delivery, retry and closing"). */
export const ANSWER_LIMIT_MS = 15_000;

/** The settings of a run on a receiver. */
export interface ReceiverTarget extends Subscription {
  /** The receiver's URL. The URL may have a query. */
  readonly url: string;
  readonly secret: string;
  /** The effects interface's URL without a trailing slash. */
  readonly effectsUrl: string | undefined;
  /** The milliseconds after which the suite stops waiting for a response. */
  readonly answerMs: number;
  /**
   * The maximum milliseconds that a response may take. Tests of fast receivers use less than the
   * specification's limit.
   */
  readonly limitMs: number;
  /** The milliseconds after which the suite stops waiting for a stopped receiver. */
  readonly returnMs: number;
  /**
   * The milliseconds after the response within which an effect is expected, including the retries of a worker.
   */
  readonly effectMs: number;
}

/** Matches names of query parameters that often contain a secret. */
const SECRET_PARAMETER = /token|key|secret|sig|pass|auth|code/i;

/** All secrets in the settings, including those in the receiver's URL. */
export function secretsOf({ url, secret }: ReceiverTarget): readonly string[] {
  const inUrl = [...new URL(url).searchParams].filter(([name]) => SECRET_PARAMETER.test(name));
  return [
    secret,
    secret.replace("whsec_", ""),
    keyOf(secret).toString("hex"),
    ...inUrl.map(([, value]) => value),
  ];
}
