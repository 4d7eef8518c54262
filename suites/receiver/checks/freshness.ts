import { clause } from "../../../openapi/generated/clauses.ts";
import { casesFrom } from "../../core/grading/expectations/each-element.ts";
import { type ReceiverCheck, type ResponsesContext, receiverCheck } from "../check.ts";
import { type Attempt, signedWith } from "../session/attempt.ts";
import { sampleEvent } from "../session/events.ts";
import {
  expectAccepted,
  expectNegativeControlRefused,
  expectRefused,
  expectToVerifySignatures,
} from "./expectations.ts";
import { REQUIRED_REJECTIONS } from "./required-rejections.ts";

/** Differences in seconds from now, clearly below and clearly above the tolerance of 300 s (OPEN-206). */
const WITHIN_TOLERANCE_S = 290;
const BEYOND_TOLERANCE_S = 310;
const HOUR_S = 3_600;
const DAY_S = 86_400;

const attemptOfAge = (context: ResponsesContext, age: number): Attempt =>
  context.attempt(sampleEvent(context), { age });

/** @param words describes an age in seconds; a negative age means a timestamp in the future */
const expectAgesRefused = (
  context: ResponsesContext,
  ages: readonly number[],
  words: (age: number) => string,
): Promise<void> =>
  context.forEachUntilFailure(ages, (age) =>
    expectRefused(
      context,
      attemptOfAge(context, age),
      `the timestamp is ${words(age)}`,
      REQUIRED_REJECTIONS.stale,
    ),
  );

const tooOld = receiverCheck({
  id: "freshness.old",
  title: "any timestamp clearly more than five minutes old is refused with 400",
  clauses: [clause["RECV-7"]],
  async run(context) {
    await expectAccepted(context, attemptOfAge(context, 0));
    const ages = [BEYOND_TOLERANCE_S, 600, HOUR_S - 60, HOUR_S, DAY_S, 3 * HOUR_S, 7 * DAY_S, 365 * DAY_S];
    await expectAgesRefused(context, ages, (age) => `${age} s old`);
  },
});

const tooFarAhead = receiverCheck({
  id: "freshness.future",
  title: "any timestamp clearly more than five minutes ahead is refused with 400",
  clauses: [clause["RECV-8"]],
  async run(context) {
    await expectAccepted(context, attemptOfAge(context, 0));
    const ahead = [BEYOND_TOLERANCE_S, 600, HOUR_S - 60, 3 * HOUR_S, DAY_S, 365 * DAY_S];
    await expectAgesRefused(
      context,
      ahead.map((seconds) => -seconds),
      (age) => `${-age} s ahead`,
    );
  },
});

const oldEnough = receiverCheck({
  id: "freshness.not-so-old",
  title: "a timestamp clearly less than five minutes old is accepted, and one that is a day old refused",
  clauses: [clause["RECV-9"]],
  async run(context) {
    await expectNegativeControlRefused(
      context,
      attemptOfAge(context, DAY_S),
      "the timestamp is a day old",
      "old",
    );
    await context.forEachUntilFailure([1, 30, 120, 240, WITHIN_TOLERANCE_S], async (age) => {
      await expectAccepted(context, attemptOfAge(context, age), `an event with a timestamp ${age} s old`);
    });
  },
});

const aheadEnough = receiverCheck({
  id: "freshness.not-so-far-ahead",
  title: "a timestamp clearly less than five minutes ahead is accepted, and one that is a day ahead refused",
  clauses: [clause["RECV-10"]],
  async run(context) {
    await expectNegativeControlRefused(
      context,
      attemptOfAge(context, -DAY_S),
      "the timestamp is a day ahead",
      "ahead",
    );
    await context.forEachUntilFailure([5, 30, 120, 240, WITHIN_TOLERANCE_S], async (ahead) => {
      await expectAccepted(
        context,
        attemptOfAge(context, -ahead),
        `an event with a timestamp ${ahead} s ahead`,
      );
    });
  },
});

/** A current attempt with its timestamp in another notation. The signature matches that notation. */
const attemptWithTimestamp = (context: ResponsesContext, write: (seconds: number) => string): Attempt => {
  const attempt = attemptOfAge(context, 0);
  return signedWith(context.key, { ...attempt, timestamp: write(Number(attempt.timestamp)) });
};

const otherUnits = receiverCheck({
  id: "freshness.other-units",
  title: "a timestamp in a unit other than seconds is refused",
  clauses: [clause["RECV-11"]],
  async run(context) {
    await expectAccepted(context, attemptOfAge(context, 0));
    const units: Readonly<Record<string, (seconds: number) => string>> = {
      "in milliseconds": (seconds) => `${seconds * 1000}`,
      "in microseconds": (seconds) => `${seconds}000000`,
      "in nanoseconds": (seconds) => `${seconds}000000000`,
      "in minutes": (seconds) => `${Math.floor(seconds / 60)}`,
    };
    await context.each(casesFrom("notations of the timestamp", units), async ([what, write]) => {
      await expectRefused(
        context,
        attemptWithTimestamp(context, write),
        `the timestamp is ${what}`,
        REQUIRED_REJECTIONS.unreadable,
      );
    });
  },
});

const notANumber = receiverCheck({
  id: "freshness.no-number",
  title: "a timestamp that isn't a number is refused",
  clauses: [clause["RECV-11"]],
  async run(context) {
    await expectAccepted(context, attemptOfAge(context, 0));
    const texts: Readonly<Record<string, (seconds: number) => string>> = {
      "a word": () => "now",
      NaN: () => "NaN",
      undefined: () => "undefined",
      "a date": (seconds) => new Date(seconds * 1000).toISOString(),
      "seconds followed by other characters": (seconds) => `${seconds}abc`,
      "seconds followed by another number": (seconds) => `${seconds} 1`,
      "a negative number": (seconds) => `-${seconds}`,
      Infinity: () => "Infinity",
    };
    await context.each(casesFrom("notations of the timestamp", texts), async ([what, write]) => {
      await expectRefused(
        context,
        attemptWithTimestamp(context, write),
        `the timestamp is ${what}`,
        REQUIRED_REJECTIONS.unreadable,
      );
    });
  },
});

/**
 * The Standard Webhooks package computes the signature from the parsed number, not from the header's text.
 */
const PREFIX_PARSED =
  "the receiver verifies only the leading number of the header, as the standardwebhooks package does: refuse a timestamp with other characters before you verify it, in Node with `if (!/^\\d+$/.test(timestamp)) return refuse(400)`";

const extendedTimestamp = receiverCheck({
  id: "freshness.more-than-was-signed",
  title: "a timestamp that was extended after signing is refused",
  clauses: [clause["RECV-45"]],
  async run(context) {
    await expectAccepted(context, attemptOfAge(context, 0));
    await context.forEachUntilFailure(["abc", ";q=1", ".5", "e0"], async (more) => {
      const attempt = attemptOfAge(context, 0);
      await expectRefused(
        context,
        { ...attempt, timestamp: `${attempt.timestamp}${more}` },
        `"${more}" was added to the timestamp after signing`,
        REQUIRED_REJECTIONS.unreadable,
        PREFIX_PARSED,
      );
    });
  },
});

const knownEvents = receiverCheck({
  id: "freshness.known-events",
  title: "a known event with a stale timestamp is refused with 400",
  clauses: [clause["RECV-7"]],
  async run(context) {
    await expectToVerifySignatures(context);
    const event = sampleEvent(context);
    await expectAccepted(context, context.attempt(event));
    const stale = context.attempt(event, { age: BEYOND_TOLERANCE_S });
    await expectRefused(
      context,
      stale,
      "a known event is sent with a stale timestamp",
      REQUIRED_REJECTIONS.stale,
    );
  },
});

export const freshnessChecks: readonly ReceiverCheck[] = [
  tooOld,
  tooFarAhead,
  oldEnough,
  aheadEnough,
  otherUnits,
  notANumber,
  extendedTimestamp,
  knownEvents,
];
