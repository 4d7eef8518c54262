import type { Exchange } from "../../core/exchange.ts";
import type { Capability } from "../capabilities.ts";

/** What a script has no means for: codes and credentials of a kind that isn't issued to everybody. */
const MISSING: readonly Capability[] = ["company-codes", "other-credential"];

/** What a check looks at besides the answers to its requests, and a script doesn't: webhooks, and the credit that was used. */
const UNSEEN: readonly Capability[] = ["receiver", "credit"];

/** What a script can be blind to. */
export interface Sight {
  readonly needs: readonly Capability[];
  /** Whether the failure shows webhooks. */
  readonly isAboutWebhooks: boolean;
  /** Whether it names the exchange that shows it. */
  readonly isAboutAnswer: boolean;
  /** Whether what came of the calls hangs on how the suite's receiver answered webhooks. */
  readonly isOfReceiver: boolean;
}

/** Whether no answer to a script's calls can show a failure. */
export const isBlindTo = ({ needs, isAboutWebhooks, isAboutAnswer, isOfReceiver }: Sight): boolean =>
  isAboutWebhooks ||
  isOfReceiver ||
  needs.some((need) => MISSING.includes(need) || (!isAboutAnswer && UNSEEN.includes(need)));

/**
 * Whether what came of a request hangs on how webhooks were answered: some weren't taken, or it is about a subscription to which
 * some came. Nobody answers those of a script.
 * @param statuses what the suite's receiver answered; undefined where nothing
 */
export const hangsOnReceiver = (
  blamed: Exchange | undefined,
  statuses: readonly (number | undefined)[],
): boolean =>
  statuses.some((status = 0) => status < 200 || status >= 300) ||
  (statuses.length > 0 && blamed !== undefined && /\/v1\/webhooks\b/.test(blamed.url));

const VEILS: readonly (readonly [RegExp, string])[] = [
  [/secret|\[redacted\]/, "the failure is about a secret, and this script doesn't keep those"],
  [
    /(x-ratelimit-(remaining|reset)|retry-after)\b.*\d/is,
    "the failure is about a header's number that is another one each time, and this script doesn't compare those",
  ],
];

/** Why answers that are the same may still hide what a failure says, in words. */
export const veilOf = (told: string): string | undefined =>
  VEILS.find(([pattern]) => pattern.test(told))?.[1];

/** As often the same is asked while something settles; more often it is to see how often it may be asked. */
const MOST_REPEATS = 30;

/** Whether it may be about requests that a script leaves out, as those that only repeat the one before. */
export const areTooManyLeftOut = (asked: readonly Exchange[], sent: readonly Exchange[]): boolean =>
  asked.length - sent.length > MOST_REPEATS;
