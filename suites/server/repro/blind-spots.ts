import type { Exchange } from "../../core/exchange.ts";
import type { Capability } from "../capabilities.ts";

/** What a script has no means for. */
const MISSING: Partial<Record<Capability, string>> = {
  "company-codes": "the run used pairing codes that were made for it, and this script has only ordinary ones",
  "other-credential": "the run used a credential of another kind, and this script has none",
};

/** What a check looks at besides the answers to its requests, and a script doesn't. */
const UNSEEN: Partial<Record<Capability, string>> = {
  receiver: "the failure may be about a webhook, and this script gets none",
  credit: "the failure may be about the credit that was used, and this script doesn't read it",
};

/** What a script can be blind to. */
export interface Sight {
  readonly needs: readonly Capability[];
  /** Whether the failure shows webhooks. */
  readonly isAboutWebhooks: boolean;
  /** Whether it names the exchange that shows it. */
  readonly isAboutAnswer: boolean;
}

/** Why no answer to the script's calls can show a failure, in words; undefined where one may. */
export function blindSpot({ needs, isAboutWebhooks, isAboutAnswer }: Sight): string | undefined {
  if (isAboutWebhooks) return "the failure is about a webhook, and this script gets none";
  const unseen = isAboutAnswer ? MISSING : { ...MISSING, ...UNSEEN };
  return needs.map((need) => unseen[need]).find((why) => why !== undefined);
}

/** Why answers that are the same may still hide what a failure says, in words. */
export const veilOf = (told: string): string | undefined =>
  /secret|\[redacted\]/.test(told)
    ? "the failure is about a secret, and this script doesn't keep those"
    : undefined;

/** As often the same is asked while something settles; more often it is to see how often it may be asked. */
const MOST_REPEATS = 30;

/** The same for requests of which a script leaves out those that only repeat the one before. */
export function leftOut(asked: readonly Exchange[], sent: readonly Exchange[]): string | undefined {
  const repeats = asked.length - sent.length;
  return repeats > MOST_REPEATS
    ? `the run repeated requests ${repeats} times, and this script sends them once`
    : undefined;
}
