import { type CaseGroup, cases } from "../../../core/grading/expectations/each-element.ts";
import { type Attempt, kindOf } from "../../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../../session/webhook-receiver/inbox.ts";

/** Received events, named by their types. */
export const eventsAmong = (attempts: readonly Attempt[]): CaseGroup<Attempt> =>
  cases("events", attempts, (attempt) => kindOf(attempt) || "one without a type");

/** The matching attempts at an endpoint so far, including repetitions. */
export const arrivalsOf = (
  { attempts }: Inbox,
  matches: (attempt: Attempt) => boolean = () => true,
): CaseGroup<Attempt> => eventsAmong(attempts.filter(matches));
