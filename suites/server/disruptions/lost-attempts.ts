import { inUnits } from "../../core/durations.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { type Attempt, describeAttempt, firstAttempts } from "../session/webhook-receiver/attempt.ts";
import { isProbablySecond, secondsAfterEvent } from "../support/webhooks/attempt-times.ts";
import type { CheckAttempt } from "./lost-connections.ts";

/**
 * What there is to say of an event whose first attempt was probably lost on its way, so that the second is the first that
 * came: all that follows comes later than it seems to be due. Undefined where nothing looks so.
 */
export function lostAttemptAmong(attempts: readonly Attempt[]): string | undefined {
  const late = firstAttempts(attempts).find(isProbablySecond);
  return (
    late &&
    `an attempt of a webhook was probably lost on its way: the first that came of ${describeAttempt(late)} is dated ${inUnits(Math.round(secondsAfterEvent(late)))} after the event`
  );
}

/**
 * Tries a check again, once, that didn't pass where the first attempt of an event was probably lost: a sender's connection
 * may break just as it is used. Whoever sends first attempts late does it the second time too.
 */
export async function retryOnLostAttempt(once: () => Promise<CheckAttempt>): Promise<CheckAttempt> {
  const first = await once();
  const { outcome, lostAttempt, connections, outage } = first;
  if (lostAttempt === undefined || connections.any || outage) return first;
  if (outcome.status !== "failed" && outcome.status !== "not_testable") return first;
  const again = await once();
  return { ...again, outcome: told(again.outcome, lostAttempt, outcome.message) };
}

/** How the second try ended, with what there is to say of the first. */
function told(outcome: Outcome, lostAttempt: string, before = "it failed"): Outcome {
  if (outcome.status !== "not_testable")
    return { ...outcome, account: [...(outcome.account ?? []), `tried again, since ${lostAttempt}`] };
  return {
    ...outcome,
    message: `${lostAttempt} (${before}), and tried again it ended so: ${outcome.message}`,
  };
}
