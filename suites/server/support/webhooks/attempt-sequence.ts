import { monotonicNow } from "../../../core/clock.ts";
import type { EventKind } from "../../../core/contract/event-kinds.ts";
import { inUnits } from "../../../core/durations.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Mismatch, subjectParts } from "../../../core/grading/failures/mismatch.ts";
import type { ContextFor } from "../../check.ts";
import { withEndpointState } from "../../session/subscriptions/endpoint-state.ts";
import type { Subscription } from "../../session/subscriptions/subscribe.ts";
import { type Attempt, repeats } from "../../session/webhook-receiver/attempt.ts";
import { WebhookFailure } from "../../session/webhook-receiver/webhook-failure.ts";
import { oldTimestamp, sentAt, withoutDuplicates } from "./attempt-times.ts";
import { isAbout } from "./delivery-events.ts";
import { ATTEMPT_S, gapBounds, quietS, RETRY_DELAYS_S, secondsUntilRetry } from "./retry-times.ts";

/**
 * The clock advance beyond the end of a delay. A larger advance would make the attempt late, and a target may
 * count the next delay from the expected time.
 */
const PUNCTUAL_S = 1;

/** The real time to wait for a punctual attempt before the clock advances further for jitter. */
const PUNCTUAL_MS = 1_000;

/** A time in its largest unit, or in seconds if that would equal the expected delay's text. */
const distinctFrom = (seconds: number, delay: number): string =>
  seconds !== delay && inUnits(seconds) === inUnits(delay) ? `${seconds} seconds` : inUnits(seconds);

/** For a missing attempt, the multiple of the delay after which it is reported as missing instead of late. */
const MISSING_AFTER_DELAYS = 2.5;

/**
 * Milliseconds of real time for an expected attempt. Allows for latency, and for a retry after 15 seconds if a
 * stalled machine made an attempt time out.
 */
export const SOON_MS = 20_000;

/** Asserts the number of an event's attempts. */
export function expectAttempts(attempts: readonly Attempt[], expected: number, what: string): void {
  if (attempts.length === expected) return;
  const { length: actual } = attempts;
  const mismatch: Mismatch = {
    subject: `attempts of ${what}`,
    relation: "to be",
    expected,
    actual,
  };
  throw new WebhookFailure(mismatch, { attempts, kind: "time" });
}

/**
 * Asserts that an event isn't sent again after it was accepted. A single further attempt proves nothing:
 * events may arrive more than once (RETRY-26), a copy after a clock advance has another time, and a response
 * delayed by three seconds counts as a timeout. A scheduled repetition comes at least twice more.
 * @param expected the number of the accepted attempt
 * @param what the event in words
 * @throws CheckSkipped if the expected attempt never came
 */
export function expectEnded(attempts: readonly Attempt[], expected: number, what: string): void {
  if (attempts.length < expected)
    throw new CheckSkipped(
      `${what} was sent ${attempts.length} times, so it is unknown what follows attempt ${expected}`,
    );
  if (attempts.length <= expected + 1) return;
  throw new WebhookFailure(
    {
      subject: `attempts of ${what}, the last of which was accepted`,
      relation: "to be",
      expected,
      actual: attempts.length,
    },
    { attempts, kind: "time" },
  );
}

/**
 * Ensures that a failed event was repeated in the same time, as a positive control. Otherwise a missing
 * repetition proves nothing.
 * @throws CheckSkipped if the failed event wasn't repeated
 */
export function expectControlEventRetried({ attempts }: Pick<AttemptSequence, "attempts">): void {
  if (attempts.length > 1) return;
  throw new CheckSkipped(
    "an event that failed at the same time wasn't repeated either, so a missing repetition proves nothing",
  );
}

type Clock = Pick<ContextFor<"clock">, "advanceClock">;

/** The attempts of one event at one endpoint. By default, the event reports the creation of a delivery. */
export class AttemptSequence {
  readonly subscription: Subscription;
  readonly deliveryId: string;
  readonly kind: EventKind;
  readonly #now: () => number;
  /** The seconds by which the target's clock is ahead of the suite's estimate. */
  #clockSkewS = 0;

  constructor(
    subscription: Subscription,
    deliveryId: string,
    now: () => number,
    kind: EventKind = "delivery.created",
  ) {
    this.subscription = subscription;
    this.deliveryId = deliveryId;
    this.#now = now;
    this.kind = kind;
  }

  /**
   * True for an attempt of this event: it names the event, whatever its webhook-id, or has the webhook-id of an attempt
   * that does, whatever its data.
   */
  readonly includes = (attempt: Attempt): boolean => {
    const names = isAbout({ id: this.deliveryId }, this.kind);
    if (names(attempt)) return true;
    return this.subscription.inbox.attempts.some((earlier) => names(earlier) && repeats(attempt, earlier));
  };

  /** The event's attempts so far in order of arrival, without copies. */
  get attempts(): readonly Attempt[] {
    return withoutDuplicates(this.#received);
  }

  /** The event's attempts so far, including copies. */
  get #received(): readonly Attempt[] {
    return this.subscription.inbox.attempts.filter(this.includes);
  }

  /** The failure of an expected attempt that came with an earlier timestamp. */
  #withOldTimestamp(number: number, expectedBy: number): WebhookFailure | undefined {
    return oldTimestamp(this.#received, number, `${this.kind} of ${this.deliveryId}`, expectedBy);
  }

  /** Unix seconds on the target's clock. */
  get #targetNow(): number {
    return this.#now() / 1000 + this.#clockSkewS;
  }

  /** The failure of a missing attempt, with the times on the target's clock. Unchanged for a first attempt. */
  #withExpectedTime(number: number, missing: WebhookFailure): WebhookFailure {
    const [previous, delay] = [this.attempts[number - 2], RETRY_DELAYS_S[number - 2]];
    const waited = previous && this.#targetNow - sentAt(previous);
    if (!waited || delay === undefined) return missing;
    return missing
      .expecting(`${inUnits(delay)} after attempt ${number - 1}`)
      .because(`it had not come ${inUnits(waited)} after attempt ${number - 1}`);
  }

  /** Waits for the first attempt, which is expected immediately. */
  async waitForFirst(): Promise<Attempt> {
    const { inbox } = this.subscription;
    const attempt = await withEndpointState(this.subscription, () =>
      inbox.waitForFirst(this.includes, { field: this.kind, where: `of ${this.deliveryId}` }),
    );
    this.#clockSkewS = sentAt(attempt) - this.#now() / 1000;
    return attempt;
  }

  /** Advances the clock until the first attempt has arrived. */
  async advanceToFirst({ advanceClock }: Clock, address?: string): Promise<void> {
    await advanceClock(ATTEMPT_S);
    await this.waitForAttempt(1, address);
  }

  /**
   * Waits for the attempt with this number, counted from 1.
   * @param address names the endpoint, if the check has several
   * @param reason explains a missing attempt
   */
  async waitForAttempt(
    number: number,
    address?: string,
    reason: () => WebhookFailure | undefined = () => undefined,
  ): Promise<Attempt> {
    const { inbox } = this.subscription;
    const event = `${this.kind} of ${this.deliveryId}`;
    // The field makes missing attempts one cause, so that they share the time for confirmations.
    const what = { field: "attempt", where: `${number} of ${event}${address ? `, to ${address},` : ""}` };
    const expectedBy = this.#targetNow;
    const isThere = () => this.attempts.length >= number;
    try {
      await withEndpointState(this.subscription, () =>
        inbox.waitUntil(isThere, what, SOON_MS, () => reason() ?? this.#withOldTimestamp(number, expectedBy)),
      );
    } catch (error) {
      const isMissing = error instanceof WebhookFailure && error.kind === "absence";
      throw isMissing ? this.#withExpectedTime(number, error) : error;
    }
    const found = this.attempts[number - 1];
    if (!found) throw new Error(`attempt ${number} of ${event} was seen and is gone`);
    inbox.markAsEvidence(found);
    return found;
  }

  /** Advances the clock by most of the delay, and asserts that the next attempt isn't early. */
  async expectQuiet(clock: Clock, delay: number): Promise<void> {
    const before = this.attempts;
    await this.#advanceTo(clock, lastSentAt(before) + quietS(delay));
    const early = this.attempts[before.length];
    if (early) throw this.#offSchedule(before, early, delay);
  }

  /** Advances the clock by the delay, and asserts that the next attempt comes on time. */
  async expectNext(clock: Clock, delay: number): Promise<Attempt> {
    const before = this.attempts;
    await this.#advanceTo(clock, lastSentAt(before) + delay + PUNCTUAL_S);
    const { inbox } = this.subscription;
    const isPunctual = await inbox.arrives(() => this.attempts.length > before.length, PUNCTUAL_MS);
    const isQuick =
      isPunctual || (await this.#advanceTo(clock, lastSentAt(before) + secondsUntilRetry(delay)));
    const expectedBy = this.#targetNow;
    const next = await this.#attemptOnceReceived(before.length + 1);
    if (!next) {
      const old = this.#withOldTimestamp(before.length + 1, expectedBy);
      if (old) throw old;
      const received = isQuick ? await this.#waitForLateAttempt(clock, before, delay) : undefined;
      const gap = received && sentAt(received) - lastSentAt(before);
      const later = gap === undefined ? "" : `; the next arrived after ${inUnits(gap)}`;
      const note = `it had not arrived ${inUnits(secondsUntilRetry(delay))} after attempt ${before.length}${later}`;
      throw new WebhookFailure(
        { ...nextAttempt(before, delay), note },
        { attempts: this.attempts, kind: "time" },
      );
    }
    const gap = sentAt(next) - lastSentAt(before);
    const { earliest, latest } = gapBounds(delay);
    if (!(gap >= earliest && gap <= latest)) throw this.#offSchedule(before, next, delay);
    this.subscription.inbox.markAsEvidence(next);
    return next;
  }

  /** The failure of an attempt at the wrong time. */
  #offSchedule(before: readonly Attempt[], received: Attempt, delay: number): WebhookFailure {
    const gap = sentAt(received) - lastSentAt(before);
    const { earliest, latest } = gapBounds(delay);
    const after = Number.isNaN(gap)
      ? "at an unknown time (its webhook-timestamp is invalid)"
      : `${distinctFrom(gap, delay)} after it`;
    const note = `${distinctFrom(earliest, delay)} to ${distinctFrom(latest, delay)} are allowed`;
    return new WebhookFailure(
      { ...nextAttempt(before, delay), actual: after, note },
      { attempts: [...before, received], kind: "time" },
    );
  }

  async #attemptOnceReceived(number: number): Promise<Attempt | undefined> {
    const { inbox } = this.subscription;
    await inbox.arrives(() => this.attempts.length >= number, SOON_MS);
    return this.attempts[number - 1];
  }

  /** An attempt that comes soon after its expected time. */
  async #waitForLateAttempt(
    clock: Clock,
    before: readonly Attempt[],
    delay: number,
  ): Promise<Attempt | undefined> {
    const until = Math.max(MISSING_AFTER_DELAYS * delay, secondsUntilRetry(delay) + ATTEMPT_S);
    await this.#advanceTo(clock, lastSentAt(before) + until);
    return this.#attemptOnceReceived(before.length + 1);
  }

  /**
   * Advances the clock to this time in Unix seconds.
   * @returns true if that took hardly any real time
   */
  async #advanceTo({ advanceClock }: Clock, second: number): Promise<boolean> {
    const left = Math.ceil(second - this.#clockSkewS - this.#now() / 1000);
    const start = monotonicNow();
    if (left > 0) await advanceClock(left);
    return monotonicNow() - start < (left * 1000) / 2;
  }
}

/** The next expected attempt and its time. */
const nextAttempt = ({ length }: readonly Attempt[], delay: number): Mismatch => ({
  ...subjectParts({ field: "attempt", where: String(length + 1) }),
  relation: "to arrive",
  expected: `${inUnits(delay)} after attempt ${length}`,
});

const lastSentAt = (attempts: readonly Attempt[]): number => {
  const last = attempts.at(-1);
  if (!last) throw new Error("there is no attempt to count from");
  return sentAt(last);
};
