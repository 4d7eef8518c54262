import { inUnits } from "../../../core/durations.ts";
import { subjectParts } from "../../../core/grading/failures/mismatch.ts";
import { described } from "../../../core/text/shown-value.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";
import type { AttemptSequence } from "./attempt-sequence.ts";
import { sentAt } from "./attempt-times.ts";
import {
  earliestAfterLeap,
  gapBounds,
  RESPONSE_TIMEOUT_S,
  RETRY_DELAYS_S,
  secondsUntilLastRetry,
} from "./retry-times.ts";

/** The maximum number of attempts (specification, "Limits"). */
export const MAX_ATTEMPTS = RETRY_DELAYS_S.length + 1;
/** The delay that a ninth attempt would have. */
const NINTH_S = 36_000;

/** The seconds by which the attempt after all these delays has certainly come, even if all earlier attempts timed out. */
export const secondsUntilLastRetryAfterTimeouts = (delays: readonly number[]): number =>
  secondsUntilLastRetry(delays) + delays.length * RESPONSE_TIMEOUT_S;

/** The seconds after which all attempts of an event have come, including a ninth. */
export const ALL_ARRIVED_S = secondsUntilLastRetryAfterTimeouts([...RETRY_DELAYS_S, NINTH_S]);

interface Circumstances {
  /** The previous attempt's outcome, if it matters. */
  readonly failure?: string;
  /** Other activity that must not affect the attempt. A function is called when the attempt has failed. */
  readonly meanwhile?: string | (() => string);
}

/**
 * Asserts that an attempt, counted from 1, comes at the table's delay after the previous one. The start of
 * the delay is unspecified (OPEN-191): an unanswered attempt fails after 15 seconds, and a delayed machine
 * may make an attempt count as unanswered.
 */
export async function expectInTime(
  sequence: AttemptSequence,
  number: number,
  { failure, meanwhile }: Circumstances,
): Promise<void> {
  try {
    await sequence.waitForAttempt(
      number,
      failure === undefined ? undefined : `an endpoint where attempt ${number - 1} ended with ${failure}`,
    );
    expectGap(sequence, number, failure);
  } catch (error) {
    const reason = typeof meanwhile === "function" ? meanwhile() : meanwhile;
    throw error instanceof WebhookFailure ? error.because(reason) : error;
  }
}

/**
 * What happened to the retries of a delivery's events; undefined if one event failed, or no event was sent again.
 * A server that drops retries because of newer events sends only the last ones again.
 */
function retriesOf(sequences: readonly AttemptSequence[]): string | undefined {
  const [again, once] = [true, false].map((isRetried) =>
    sequences.filter(({ attempts }) => attempts.length > 1 === isRetried).map(({ kind }) => kind),
  );
  if (!again?.length || !once?.length) return undefined;
  const order = sequences.map(({ kind }) => kind).join(", ");
  return `the delivery's events that failed were ${order}, in this order; sent again: ${again.join(", ")}; not sent again: ${once.join(", ")}`;
}

/** Asserts that each of a delivery's events, in the order in which they were sent, is sent again in time. */
export async function expectSecondAttempts(sequences: readonly AttemptSequence[]): Promise<void> {
  for (const sequence of sequences)
    await expectInTime(sequence, 2, {
      meanwhile: () => retriesOf(sequences) ?? `the event was ${sequence.kind}`,
    });
}

function expectGap({ attempts }: AttemptSequence, number: number, failure: string | undefined): void {
  const [before, next] = attempts.slice(number - 2, number);
  const delay = RETRY_DELAYS_S[number - 2];
  if (!before || !next || delay === undefined)
    throw new Error(`there is no attempt before attempt ${number}`);
  const { latest } = gapBounds(delay);
  const earliest = earliestAfterLeap(delay);
  const gap = sentAt(next) - sentAt(before);
  if (gap >= earliest && gap <= latest + RESPONSE_TIMEOUT_S) return;
  const last = `attempt ${number - 1}${failure === undefined ? "" : ` (which ended with ${failure})`}`;
  const actual = Number.isNaN(gap)
    ? "at an unknown time (its webhook-timestamp is invalid)"
    : `${inUnits(gap)} after it`;
  throw new WebhookFailure(
    {
      ...subjectParts({ field: "attempt", where: String(number) }),
      relation: "to arrive",
      expected: `${inUnits(delay)} after ${last}`,
      actual: described(actual),
      note: `${inUnits(earliest)} to ${inUnits(latest + RESPONSE_TIMEOUT_S)} are allowed`,
    },
    { attempts: attempts.slice(0, number), kind: "time" },
  );
}
