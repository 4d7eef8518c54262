import { isoInstant } from "../../../core/clock.ts";
import { inUnits } from "../../../core/durations.ts";
import { described } from "../../../core/text/shown-value.ts";
import {
  type Attempt,
  describeAttempt,
  envelopeOf,
  firstAttempts,
} from "../../session/webhook-receiver/attempt.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";

/** Dates end there (ECMAScript, Time Values). */
export const LAST_SECOND = 8_640_000_000_000;

/** Nearer to each other than any two attempts: one attempt that arrived twice (RETRY-26). */
export const DUPLICATE_WINDOW_S = 3;

/** webhook-timestamp: Unix seconds of the integrator's clock. */
export const sentAt = (attempt: Attempt): number => Number(attempt.headers["webhook-timestamp"]);

/** How long after its event an attempt was sent, both on the target's clock; NaN if either time is missing. */
export const secondsAfterEvent = (attempt: Attempt): number =>
  sentAt(attempt) - Date.parse(envelopeOf(attempt).timestamp ?? "") / 1000;

/** A first attempt is made at once, and the second five seconds later; one of the two times may be in whole seconds. */
const PROBABLY_SECOND_S = 4;

/** True if the first attempt that arrived was probably the second: the first was lost on its way. */
export const isProbablySecond = (first: Attempt): boolean => secondsAfterEvent(first) >= PROBABLY_SECOND_S;

/**
 * The note about an event whose first attempt was probably lost on its way, so that all later ones seem late. Undefined
 * if no event looks like that.
 */
export function lostAttemptAmong(attempts: readonly Attempt[]): string | undefined {
  const late = firstAttempts(attempts).find(isProbablySecond);
  return (
    late &&
    `a delivery attempt was probably lost on its way: the first that came of ${describeAttempt(late)} is dated ${inUnits(Math.round(secondsAfterEvent(late)))} after the event`
  );
}

/** A time in words, if the value is one. */
export const shownSecond = (seconds: number): string =>
  Number.isFinite(seconds) && Math.abs(seconds) <= LAST_SECOND ? isoInstant(seconds * 1000) : "no instant";

const isDuplicate = (earlier: Attempt, attempt: Attempt) =>
  Math.abs(sentAt(attempt) - sentAt(earlier)) < DUPLICATE_WINDOW_S;

/** Attempts of one event, of each that arrived twice the first. */
export function withoutDuplicates(attempts: readonly Attempt[]): readonly Attempt[] {
  const kept: Attempt[] = [];
  for (const attempt of attempts) {
    if (!kept.some((earlier) => isDuplicate(earlier, attempt))) kept.push(attempt);
  }
  return kept;
}

/** The shared part of all failures about a retry with the timestamp of an earlier attempt. */
export const OLD_TIMESTAMP = "a retry carries the webhook-timestamp of an earlier attempt of its event";

/**
 * The failure of an expected attempt if the event came again with an earlier timestamp: the suite takes it for a copy
 * of the earlier attempt. Undefined if the event didn't come again.
 * @param came all attempts of the event, including copies
 * @param number the number of the expected attempt, counted from 1
 * @param now Unix seconds on the clock that attempts are stamped with
 */
export function oldTimestamp(
  came: readonly Attempt[],
  number: number,
  what: string,
  now: number,
): WebhookFailure | undefined {
  const known = withoutDuplicates(came);
  const copy = came.findLast((attempt) => !known.includes(attempt));
  const original = copy && known.findIndex((attempt) => isDuplicate(attempt, copy)) + 1;
  if (!copy || !original || came.length < number) return undefined;
  const at = sentAt(copy);
  return new WebhookFailure(
    {
      subject: `webhook-timestamp of attempt ${number} of ${what}`,
      relation: "to be",
      expected: described(`one of its own, near ${shownSecond(now)}`),
      actual: described(`${shownSecond(at)}, that of attempt ${original}, ${inUnits(now - at)} old`),
    },
    { fault: OLD_TIMESTAMP, attempts: came },
  );
}

/** A receiver rejects timestamps that are further away (Events, Request headers of a delivery attempt). */
const TOLERANCE_S = 300;

/**
 * Asserts that a retry says when it was sent.
 * @param earlier attempts of the same event before it
 * @param span when it was sent, in Unix seconds on the clock that attempts are stamped with
 */
export function expectOwnTimestamp(
  retry: Attempt,
  earlier: readonly Attempt[],
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const at = sentAt(retry);
  if (at > from - TOLERANCE_S && at < to + TOLERANCE_S) return;
  const original = withoutDuplicates(earlier).findIndex((attempt) => isDuplicate(attempt, retry)) + 1;
  const shown = retry.headers["webhook-timestamp"] ?? "none";
  throw new WebhookFailure(
    {
      subject: "webhook-timestamp of a retry",
      relation: "to be",
      expected: described(`${Math.floor(from)} to ${Math.ceil(to)}, give or take ${inUnits(TOLERANCE_S)}`),
      actual: described(shown),
      ...(original > 0 && { note: `it is that of attempt ${original}, ${inUnits(to - at)} old` }),
    },
    {
      ...(original > 0 && { fault: OLD_TIMESTAMP }),
      kind: "time",
      attempts: [...earlier, retry],
    },
  );
}
