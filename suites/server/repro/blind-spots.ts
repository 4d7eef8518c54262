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

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/;
/** A script's calls take as long as they take: times nearer to each other than this it doesn't tell apart. */
const NEAR_MS = 10_000;
const TOO_NEAR = "the failure is about times that lie nearer to each other than this script can tell apart";

/** Whether the time that came lies so near to the one that was due. */
function isOfNearTimes(expected: string, actual: string): boolean {
  const [due] = INSTANT.exec(expected) ?? [];
  const [came] = new RegExp(`^${INSTANT.source}$`).exec(actual) ?? [];
  return due !== undefined && came !== undefined && Math.abs(Date.parse(due) - Date.parse(came)) < NEAR_MS;
}

/** Why answers that are the same may still hide what a failure says, in words. */
export const veilOf = (message: string, expected = "", actual = ""): string | undefined =>
  isOfNearTimes(expected, actual)
    ? TOO_NEAR
    : VEILS.find(([pattern]) => pattern.test([message, expected, actual].join(" ")))?.[1];

/** As often the same is asked while something settles; more often it is to see how often it may be asked. */
const MOST_REPEATS = 30;

/** Whether it may be about requests that a script leaves out, as those that only repeat the one before. */
export const areTooManyLeftOut = (asked: readonly Exchange[], sent: readonly Exchange[]): boolean =>
  asked.length - sent.length > MOST_REPEATS;
