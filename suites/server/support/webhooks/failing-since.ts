import { poll } from "../../../core/clock.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import { textOf } from "../../../core/json.ts";
import { described } from "../../../core/text/shown-value.ts";
import type { Api } from "../../session/http/api.ts";
import type { Attempt } from "../../session/webhook-receiver/attempt.ts";
import { instantOfSecond, sentAt } from "./attempt-times.ts";
import { LIST_POLLING, shownSubscription } from "./subscriptions.ts";

/** The subscription's failing_since as Unix time in milliseconds; null if it isn't set. */
export async function failingSince(api: Api, id: string): Promise<number | null> {
  const since = (await shownSubscription(api, id))?.failing_since ?? null;
  return since === null ? null : Date.parse(textOf(since));
}

export const instantText = (at: number | null): string => (at === null ? "null" : instantOfSecond(at / 1000));

/**
 * Waits until failing_since is set after eight failed attempts, and returns failing_since.
 * @param attempts describes the attempts
 */
export async function failingSinceOnceSet(
  api: Api,
  id: string,
  attempts: string,
  first: Attempt,
): Promise<number> {
  const since = await poll(async () => (await failingSince(api, id)) ?? undefined, LIST_POLLING);
  if (since !== undefined) return since;
  throw new CheckFailure({
    subject: `failing_since after eight ${attempts} and no success`,
    relation: "to be",
    expected: described(`an instant from ${instantOfSecond(sentAt(first))} on`),
    actual: null,
  });
}
