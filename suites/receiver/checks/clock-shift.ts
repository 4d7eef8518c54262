import { wallClock } from "../../core/clock.ts";
import { inUnits } from "../../core/durations.ts";
import { isSuccess } from "../../core/responses.ts";
import type { AnswersContext } from "../check.ts";
import type { Attempt } from "../session/attempt.ts";
import { sampleEvent } from "../session/events.ts";

/** Seconds by which a timestamp may differ from the receiver's time. */
const TOLERANCE_S = 300;
const MINUTE_S = 60;
const HOUR_S = 3_600;
/** As near is told where what is taken ends, in seconds. */
const PRECISION_S = 4;
/** How much wider or narrower than it should be the span of taken timestamps may be measured. */
const WIDTH_SLACK_S = 20;
/** Seconds by which two clocks may differ before it explains anything. */
const NOTABLE_S = 9;
/** Time zones lie so many minutes from UTC where it isn't whole hours. */
const ODD_ZONES = [210, 270, 330, 345, 390, 525, 570, 630, 765];
const WHOLE_ZONES = Array.from({ length: 14 }, (_, i) => (i + 1) * 60);

/** Seconds by which a clock may be off: by some minutes, or by a time zone. What lies within the tolerance of one is found. */
const SHIFTS_S = [
  TOLERANCE_S + 10,
  ...[10, 20, 30, 45, ...WHOLE_ZONES, ...ODD_ZONES].map((minutes) => minutes * MINUTE_S),
];

/** Whether an event is taken whose timestamp is so many seconds ahead of now. */
async function takesAt(context: AnswersContext, ahead: number): Promise<boolean> {
  const attempt = context.attempt(sampleEvent(context), { age: -ahead });
  return isSuccess(await context.probe(attempt, { violates: `the timestamp is ${ahead} s ahead` }));
}

/** The last second that is taken on the way from one that is to one that isn't; undefined where that one is too. */
async function lastTaken(
  context: AnswersContext,
  taken: number,
  beyond: number,
): Promise<number | undefined> {
  if (await takesAt(context, beyond)) return undefined;
  let [inside, outside] = [taken, beyond];
  while (Math.abs(outside - inside) > PRECISION_S) {
    const between = Math.round((inside + outside) / 2);
    if (await takesAt(context, between)) inside = between;
    else outside = between;
  }
  return inside;
}

/**
 * By how many seconds the receiver's time is ahead of this machine's, where what it takes are ten minutes around a time.
 * @param taken seconds ahead of now at which a timestamp is taken
 */
async function skewAround(context: AnswersContext, taken: number): Promise<number | undefined> {
  const reach = 2 * TOLERANCE_S + WIDTH_SLACK_S;
  const latest = await lastTaken(context, taken, taken + reach);
  const earliest = latest === undefined ? undefined : await lastTaken(context, taken, taken - reach);
  if (latest === undefined || earliest === undefined) return undefined;
  if (Math.abs(latest - earliest - 2 * TOLERANCE_S) > WIDTH_SLACK_S) return undefined;
  return Math.round((latest + earliest) / 2);
}

/** Nearer than to the minute nobody has to know it, where it is several. */
const lengthInWords = (seconds: number): string =>
  inUnits(seconds < 2 * MINUTE_S ? seconds : Math.round(seconds / MINUTE_S) * MINUTE_S);

/** A receiver's clock that is wrong. */
export interface WrongClock {
  /** The same in all failures that come of it. */
  readonly fault: string;
  /** By how much it is off, and how to mend it. */
  readonly told: string;
}

function wrongClock(skew: number): WrongClock {
  const fault = `the receiver goes by a clock that is ${skew < 0 ? "behind" : "ahead of"} this machine's`;
  const zone = Math.round(skew / (15 * MINUTE_S)) * 15 * MINUTE_S;
  const isZone = Math.abs(skew) > HOUR_S - TOLERANCE_S && Math.abs(skew - zone) < MINUTE_S;
  const mend = isZone
    ? "a time zone, it seems: webhook-timestamp counts seconds in UTC, and so must what it is compared with"
    : "set the clock of the machine or container that it runs on, and compare webhook-timestamp with it";
  return { fault, told: `by about ${lengthInWords(Math.abs(skew))} (${mend})` };
}

/** How far off the clock is of a receiver that takes no timestamp of now; undefined where no other one is taken either. */
export async function clockThatTakesNone(context: AnswersContext): Promise<WrongClock | undefined> {
  for (const seconds of SHIFTS_S) {
    for (const shift of [-seconds, seconds]) {
      if (await takesAt(context, shift)) {
        return wrongClock((await skewAround(context, shift)) ?? shift);
      }
    }
  }
  return undefined;
}

/** The age of an attempt has to do with clocks where it is minutes, and not hours. */
function isDatedNearTheBounds({ timestamp }: Attempt): boolean {
  const seconds = Math.abs(Number(timestamp) - wallClock() / 1000);
  return seconds > MINUTE_S && seconds < 3 * TOLERANCE_S;
}

/**
 * How far off the clock is of a receiver that takes timestamps of now, where another one was taken or refused that should
 * not have been; undefined where the bounds lie around now, or are no bounds of five minutes.
 */
export async function clockBehindWrongBounds(
  context: AnswersContext,
  attempt: Attempt,
): Promise<WrongClock | undefined> {
  if (!isDatedNearTheBounds(attempt) || !(await takesAt(context, 0))) return undefined;
  const skew = await skewAround(context, 0);
  return skew === undefined || Math.abs(skew) < NOTABLE_S ? undefined : wrongClock(skew);
}
