import { type CaseGroup, cases } from "../../../core/grading/expectations/each-element.ts";
import { type Attempt, kindOf } from "../../session/webhook-receiver/attempt.ts";
import type { Inbox } from "../../session/webhook-receiver/inbox.ts";

/** Events that came, each called by its kind. */
export const eventsAmong = (attempts: readonly Attempt[]): CaseGroup<Attempt> =>
  cases("events", attempts, (attempt) => kindOf(attempt) || "one without a type");

/** The attempts at an address by now, including repeats, that meet a condition. */
export const arrivalsOf = (
  { attempts }: Inbox,
  isAsked: (attempt: Attempt) => boolean = () => true,
): CaseGroup<Attempt> => eventsAmong(attempts.filter(isAsked));
