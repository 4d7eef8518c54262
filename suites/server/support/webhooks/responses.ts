import { TEST_KIND } from "../../../core/contract/event-kinds.ts";
import { type Attempt, isOfKind, webhookId } from "../../session/webhook-receiver/attempt.ts";
import type { Responder } from "../../session/webhook-receiver/inbox.ts";
import { answerWith, type Reaction } from "../../session/webhook-receiver/reaction.ts";
import { withoutDuplicates } from "./attempt-times.ts";
import { RESPONSE_TIMEOUT_S } from "./retry-times.ts";

/** A failing response, for checks in which the kind of failure doesn't matter. */
export const FAILURE: Reaction = answerWith(500);

export const SUCCESS: Reaction = answerWith(204);

/** No response. */
export const SILENCE: Reaction = { kind: "silent" };

/**
 * The minimum seconds for which an advanced clock waits for an unanswered attempt; 3 at a target without the
 * feature `attempt_wait_ms` (control interface, The clock).
 */
export const SILENCE_WAIT_S = 1;

/** The seconds in which an unanswered attempt has certainly timed out. */
export const SILENCE_TIMEOUT_S = RESPONSE_TIMEOUT_S + 1;

/** Tells the target to close the endpoint (specification, "Delivery, retry and closing"). */
export const GONE: Reaction = answerWith(410);

export const alwaysFailing: Responder = () => FAILURE;

/**
 * Responds to the attempts of each delivery's event in turn, then with success. A copy of an attempt gets the
 * first response. Test events are sentinel events, and always accepted.
 */
export function respondInTurn(...reactions: readonly Reaction[]): Responder {
  const arrived = new Map<string, Attempt[]>();
  return (attempt) => {
    if (isOfKind(TEST_KIND)(attempt)) return SUCCESS;
    const sameEvent = arrived.get(webhookId(attempt)) ?? [];
    arrived.set(webhookId(attempt), [...sameEvent, attempt]);
    return reactions[withoutDuplicates([...sameEvent, attempt]).length - 1] ?? SUCCESS;
  };
}
