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

/** Why answers that are the same may still hide what a failure says, in words. */
export const veilOf = (told: string): string | undefined =>
  /secret|\[redacted\]/.test(told)
    ? "the failure is about a secret, and this script doesn't keep those"
    : undefined;

/** As often the same is asked while something settles; more often it is to see how often it may be asked. */
const MOST_REPEATS = 30;

/** Whether it may be about requests that a script leaves out, as those that only repeat the one before. */
export const areTooManyLeftOut = (asked: readonly Exchange[], sent: readonly Exchange[]): boolean =>
  asked.length - sent.length > MOST_REPEATS;
