import { isoInstant } from "../../../core/clock.ts";
import { inUnits } from "../../../core/durations.ts";
import { described } from "../../../core/text/shown-value.ts";
import {
  type Attempt,
  deliveryOf,
  describeAttempt,
  envelopeOf,
  firstAttempts,
  kindOf,
} from "../../session/webhook-receiver/attempt.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";

/** The end of JavaScript's dates. */
export const LAST_SECOND = 8_640_000_000_000;

/** Attempts less than these seconds apart are duplicates of one attempt (RETRY-26). */
export const DUPLICATE_WINDOW_S = 3;

/** webhook-timestamp: Unix seconds on the integrator's clock. */
export const sentAt = (attempt: Attempt): number => Number(attempt.headers["webhook-timestamp"]);

/** The seconds between an event and its attempt on the target's clock; NaN if either is missing. */
export const secondsAfterEvent = (attempt: Attempt): number =>
  sentAt(attempt) - Date.parse(envelopeOf(attempt).timestamp ?? "") / 1000;

/** The second attempt comes five seconds after the first. Either time may be in whole seconds. */
const PROBABLY_SECOND_S = 4;

/** True if the first received attempt was probably the second, because the first was lost. */
export const isProbablySecond = (first: Attempt): boolean => secondsAfterEvent(first) >= PROBABLY_SECOND_S;

/** True if both attempts report the same change of a delivery, whatever their webhook-ids. */
function reportSameChange(one: Attempt, other: Attempt): boolean {
  const [first, second] = [deliveryOf(one), deliveryOf(other)];
  if (first === undefined || second === undefined) return false;
  return kindOf(one) === kindOf(other) && first.id === second.id && first.version === second.version;
}

/**
 * The note about an event whose first attempt was probably lost: all later attempts seem late.
 * Undefined without such an event. A retry with a new webhook-id isn't such an event.
 */
export function lostAttemptAmong(attempts: readonly Attempt[]): string | undefined {
  const late = firstAttempts(attempts).find(
    (first) =>
      isProbablySecond(first) &&
      !attempts.some((earlier) => earlier.receivedAt < first.receivedAt && reportSameChange(earlier, first)),
  );
  return (
    late &&
    `a delivery attempt was probably lost: the first received one of ${describeAttempt(late)} has a timestamp ${inUnits(Math.round(secondsAfterEvent(late)))} after the event`
  );
}

/** A time in words, if it is valid. */
export const instantOfSecond = (seconds: number): string =>
  Number.isFinite(seconds) && Math.abs(seconds) <= LAST_SECOND ? isoInstant(seconds * 1000) : "no instant";

const isDuplicate = (earlier: Attempt, attempt: Attempt) =>
  Math.abs(sentAt(attempt) - sentAt(earlier)) < DUPLICATE_WINDOW_S;

/** Attempts of one event without duplicates. */
export function withoutDuplicates(attempts: readonly Attempt[]): readonly Attempt[] {
  const kept: Attempt[] = [];
  for (const attempt of attempts) {
    if (!kept.some((earlier) => isDuplicate(earlier, attempt))) kept.push(attempt);
  }
  return kept;
}

/** The text that all failures about a retry with an earlier timestamp share. */
export const OLD_TIMESTAMP = "a retry has the webhook-timestamp of an earlier attempt of its event";

/**
 * The failure of an expected attempt that came with an earlier timestamp, and that the suite therefore takes for a
 * copy. Undefined if there is no such attempt.
 * @param received all attempts of the event, including copies
 * @param number the expected attempt's number, counted from 1
 * @param now Unix seconds on the target's clock
 */
export function oldTimestamp(
  received: readonly Attempt[],
  number: number,
  what: string,
  now: number,
): WebhookFailure | undefined {
  const known = withoutDuplicates(received);
  const copy = received.findLast((attempt) => !known.includes(attempt));
  const original = copy && known.findIndex((attempt) => isDuplicate(attempt, copy)) + 1;
  if (!copy || !original || received.length < number) return undefined;
  const at = sentAt(copy);
  return new WebhookFailure(
    {
      subject: `webhook-timestamp of attempt ${number} of ${what}`,
      relation: "to be",
      expected: described(`its own sending time, near ${instantOfSecond(now)}`),
      actual: described(`${instantOfSecond(at)}, that of attempt ${original}, ${inUnits(now - at)} old`),
    },
    { fault: OLD_TIMESTAMP, attempts: received },
  );
}

/**
 * Receivers reject timestamps that are off by more (specification, "Request headers of a delivery attempt").
 */
const TOLERANCE_S = 300;

/**
 * Asserts that a retry's timestamp is its own sending time.
 * @param earlier the previous attempts of the event
 * @param span the bounds of its sending time in Unix seconds on the target's clock
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
      ...(original > 0 && { note: `attempt ${original} has the same timestamp, ${inUnits(to - at)} old` }),
    },
    {
      ...(original > 0 && { fault: OLD_TIMESTAMP }),
      kind: "time",
      attempts: [...earlier, retry],
    },
  );
}
