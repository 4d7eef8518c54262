import { wallClock } from "../../core/clock.ts";
import { inUnits } from "../../core/durations.ts";
import { isSuccess } from "../../core/responses.ts";
import type { ResponsesContext } from "../check.ts";
import type { Attempt } from "../session/attempt.ts";
import { sampleEvent } from "../session/events.ts";

/** The allowed difference in seconds between a timestamp and the receiver's time. */
const TOLERANCE_S = 300;
const MINUTE_S = 60;
const HOUR_S = 3_600;
/** The precision in seconds with which the range of accepted timestamps is measured. */
const PRECISION_S = 4;
/** The allowed deviation in seconds of the measured range of accepted timestamps from ten minutes. */
const WIDTH_SLACK_S = 20;
/** The smallest clock difference in seconds that explains a failure. */
const NOTABLE_S = 9;
/** Time zone offsets in minutes that aren't full hours. */
const ODD_ZONES = [210, 270, 330, 345, 390, 525, 570, 630, 765];
const WHOLE_ZONES = Array.from({ length: 14 }, (_, i) => (i + 1) * 60);

/**
 * Clock differences to try, in seconds: some minutes, or a time zone. The search finds any difference that is
 * within the tolerance of a tried difference.
 */
const SHIFTS_S = [
  TOLERANCE_S + 10,
  ...[10, 20, 30, 45, ...WHOLE_ZONES, ...ODD_ZONES].map((minutes) => minutes * MINUTE_S),
];

/** True if the receiver accepts an event whose timestamp is this many seconds ahead. */
async function acceptsAt(context: ResponsesContext, aheadS: number): Promise<boolean> {
  const attempt = context.attempt(sampleEvent(context), { age: -aheadS });
  return isSuccess(await context.probe(attempt, { violates: `the timestamp is ${aheadS} s ahead` }));
}

/**
 * Searches between an accepted and a refused clock difference for the last accepted difference. Undefined if
 * the receiver accepts both.
 */
async function lastAccepted(
  context: ResponsesContext,
  acceptedS: number,
  refusedS: number,
): Promise<number | undefined> {
  if (await acceptsAt(context, refusedS)) return undefined;
  let [lastAcceptedS, firstRefusedS] = [acceptedS, refusedS];
  while (Math.abs(firstRefusedS - lastAcceptedS) > PRECISION_S) {
    const middleS = Math.round((lastAcceptedS + firstRefusedS) / 2);
    if (await acceptsAt(context, middleS)) lastAcceptedS = middleS;
    else firstRefusedS = middleS;
  }
  return lastAcceptedS;
}

/**
 * The seconds by which the receiver's clock is ahead, if the receiver accepts a range of ten minutes.
 * @param acceptedS an accepted difference from now in seconds
 */
async function skewAround(context: ResponsesContext, acceptedS: number): Promise<number | undefined> {
  const reach = 2 * TOLERANCE_S + WIDTH_SLACK_S;
  const latest = await lastAccepted(context, acceptedS, acceptedS + reach);
  const earliest =
    latest === undefined ? undefined : await lastAccepted(context, acceptedS, acceptedS - reach);
  if (latest === undefined || earliest === undefined) return undefined;
  if (Math.abs(latest - earliest - 2 * TOLERANCE_S) > WIDTH_SLACK_S) return undefined;
  return Math.round((latest + earliest) / 2);
}

/** The offset in words. Two minutes and more are rounded to minutes. */
const lengthInWords = (seconds: number): string =>
  inUnits(seconds < 2 * MINUTE_S ? seconds : Math.round(seconds / MINUTE_S) * MINUTE_S);

/** A receiver's wrong clock. */
export interface WrongClock {
  /** The same text in all failures that the clock causes. */
  readonly fault: string;
  /** The clock's difference, and how to fix the clock, in words. */
  readonly fix: string;
}

function wrongClock(skew: number): WrongClock {
  const fault = `the receiver's clock is ${skew < 0 ? "behind" : "ahead of"} this machine's`;
  const zone = Math.round(skew / (15 * MINUTE_S)) * 15 * MINUTE_S;
  const isZone = Math.abs(skew) > HOUR_S - TOLERANCE_S && Math.abs(skew - zone) < MINUTE_S;
  const fix = isZone
    ? "a time zone? webhook-timestamp is in UTC: compare it with the time in UTC"
    : "set the clock of the receiver's machine or container, and compare webhook-timestamp with it";
  return { fault, fix: `by about ${lengthInWords(Math.abs(skew))} (${fix})` };
}

/**
 * The clock difference of a receiver that refuses current timestamps. Undefined if the receiver accepts no
 * other timestamps.
 */
export async function wrongClockFromRefusals(context: ResponsesContext): Promise<WrongClock | undefined> {
  for (const seconds of SHIFTS_S) {
    for (const shift of [-seconds, seconds]) {
      if (await acceptsAt(context, shift)) {
        return wrongClock((await skewAround(context, shift)) ?? shift);
      }
    }
  }
  return undefined;
}

/** True if a clock that is minutes off may explain the response. A difference of hours has another cause. */
function isDatedNearTheBounds({ timestamp }: Attempt): boolean {
  const seconds = Math.abs(Number(timestamp) - wallClock() / 1000);
  return seconds > MINUTE_S && seconds < 3 * TOLERANCE_S;
}

/**
 * The clock difference of a receiver that accepts current timestamps, but misjudges the timestamp of `attempt`.
 * Undefined if the range of accepted timestamps is centred on the present, or isn't ten minutes wide.
 */
export async function wrongClockFromAcceptedRange(
  context: ResponsesContext,
  attempt: Attempt,
): Promise<WrongClock | undefined> {
  if (!isDatedNearTheBounds(attempt) || !(await acceptsAt(context, 0))) return undefined;
  const skew = await skewAround(context, 0);
  return skew === undefined || Math.abs(skew) < NOTABLE_S ? undefined : wrongClock(skew);
}
