import { TEST_KIND } from "../../../core/contract/event-kinds.ts";
import { described } from "../../../core/text/shown-value.ts";
import { isUuid } from "../../../core/text/uuid.ts";
import { type Attempt, deliveryOf, describeAttempt, firstAttempts, isOfKind } from "./attempt.ts";
import { type Reaction, responseInWords } from "./reaction.ts";

interface Arrival {
  readonly attempt: Attempt;
  /** Undefined if the attempt got no response. */
  readonly reaction: Reaction | undefined;
}

/** One line for each event, with its attempts and their responses: an event may have been sent eight times. */
function listed(arrivals: readonly Arrival[]): readonly string[] {
  const answers = new Map<string, string[]>();
  for (const { attempt, reaction } of arrivals) {
    const event = describeAttempt(attempt);
    const given = reaction ? responseInWords(reaction) : "no response";
    answers.set(event, [...(answers.get(event) ?? []), given]);
  }
  return [...answers].map(([event, given]) => {
    const many = given.length === 1 ? "1 attempt" : `${given.length} attempts`;
    return `${many} (answered ${given.join(", ")}) of ${event}`;
  });
}

/** The delivery of an expected event: the id in `delivery.queued of <id>, scheduled for …`. Undefined if none is named. */
const deliveryNamedIn = (subject: string): string | undefined =>
  [...subject.matchAll(/ of ([^\s,]+)/g)].map(([, word]) => word).find(isUuid);

/** An event without a delivery's id may be the expected one, except a test event. */
const mayBeAbout =
  (id: string) =>
  (attempt: Attempt): boolean => {
    const { id: other } = deliveryOf(attempt) ?? {};
    return typeof other === "string" ? other === id : !isOfKind(TEST_KIND)(attempt);
  };

const countOfOthers = (count: number): string => `${count} other ${count === 1 ? "event" : "events"}`;

/** What arrived instead of a missing event, in words and as attempts. A failure shows the last attempts. */
interface Instead {
  readonly actual: unknown;
  readonly attempts: readonly Attempt[];
}

/**
 * What arrived instead of a missing event. For the event of a named delivery these are only its other events, because a
 * check may have many deliveries.
 */
export function insteadOf(
  subject: string,
  attempts: readonly Attempt[],
  reactions: readonly Reaction[],
): Instead {
  const delivery = deliveryNamedIn(subject);
  const concerns = delivery === undefined ? () => true : mayBeAbout(delivery);
  const own = attempts
    .map((attempt, place) => ({ attempt, reaction: reactions[place] }))
    .filter(({ attempt }) => concerns(attempt));
  const others = firstAttempts(attempts.filter((attempt) => !concerns(attempt))).length;
  const counted = others === 0 ? [] : [described(countOfOthers(others))];
  const nothing = described(others === 0 ? "nothing" : `nothing (${countOfOthers(others)} arrived)`);
  return {
    actual: own.length === 0 ? nothing : [...listed(own), ...counted],
    attempts: own.map(({ attempt }) => attempt),
  };
}
