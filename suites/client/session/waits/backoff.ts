import type { Disturbance } from "../../../core/confirmation/disturbance.ts";
import { NotTestable } from "../../../core/grading/failures/failure.ts";
import { CLOSED_BY_CLIENT, type RecordedRequest } from "../request.ts";
import { needsRetry, resultOf, type Task } from "../task.ts";
import type { Turnaround } from "./turnaround.ts";

/**
 * The waits don't differ clearly from the client's turnaround, or don't show whether they have jitter. A busy
 * machine may be the reason.
 */
export class HiddenWaits extends NotTestable {}

/** A wait between a failure and the next attempt of the same task. */
export interface Wait {
  /** The real milliseconds between them. */
  readonly gap: number;
  /** The maximum wait in nominal seconds, without the client's turnaround. */
  readonly seconds: number;
  /**
   * The part of the gap in milliseconds during which the suite's process was delayed. The request may have
   * arrived earlier.
   */
  readonly lateMs: number;
  /** The backoff's wait (1, 2, 4 … 60) after the failures that the client certainly noticed. */
  readonly nominal: number;
  /** The backoff's wait if the client also counts a library's own retries. */
  readonly nominalAtMost: number;
  readonly before: RecordedRequest;
  /** Identifies the call: the number of its first attempt. */
  readonly call: number;
}

/** Scale and turnaround for the calculation of waits. */
export interface WaitScale {
  readonly timeScale: number;
  readonly turnaround: Turnaround;
  /** The delays of the suite's process. */
  readonly disturbances?: readonly Disturbance[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The first wait of a backoff in seconds. */
export const FIRST_S = 1;
const MAX_S = 60;

/** The wait after this many consecutive failures. */
const nominalWait = (failures: number): number => Math.min(FIRST_S * 2 ** (failures - 1), MAX_S);

/**
 * True for a retry that an HTTP library may send itself after a reused connection broke, which isn't the
 * client's backoff.
 */
const isLibraryRetry = (failed: RecordedRequest): boolean =>
  failed.completion?.response === undefined && failed.connectionReused;

/** The sandbox notices late that a client abandoned a request, especially on a busy machine. */
const wasGivenUp = (failed: RecordedRequest): boolean => failed.completion?.failure === CLOSED_BY_CLIENT;

const overlap = (from: number, to: number, disturbances: readonly Disturbance[]): number =>
  Math.min(
    to - from,
    sum(disturbances.map((one) => Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)))),
  );

/** The waits between a task's attempts after failures, in order. */
export function waitsOf(
  { tries }: Task,
  { timeScale, turnaround, disturbances = [] }: WaitScale,
): readonly Wait[] {
  const waits: Wait[] = [];
  let failures = 0;
  for (const [index, before] of tries.entries()) {
    const next = tries[index + 1];
    const isSeen = resultOf(before) === "failed" && !isLibraryRetry(before) && !wasGivenUp(before);
    if (!isSeen || !next || !before.completion) {
      failures = 0;
      continue;
    }
    failures += 1;
    const gap = Math.max(0, next.arrivedAt - before.completion.at);
    // Subtracts half the turnaround, because a retry may take a client less time than its next step.
    const seconds = Math.max(0, gap - turnaround.least / 2) / 1000 / timeScale;
    const nominalAtMost = nominalWait(index + 1);
    waits.push({
      gap,
      seconds,
      lateMs: overlap(before.completion.at, before.completion.at + gap, disturbances),
      nominal: nominalWait(failures),
      nominalAtMost,
      before,
      call: tries[0]?.number ?? before.number,
    });
  }
  return waits;
}

/** A backoff of 1, 2, 4 … must reach this wait. A lower cap isn't allowed. */
export const GROWS_TO_S = 4;

/** The minimum nominal wait before jitter, with any cap. */
const beforeJitter = ({ nominal }: Wait): number => Math.min(nominal, GROWS_TO_S);

/** An upper bound for the probability of a sum this small: the simplex's volume divided by the box's. */
function chanceOfSum(waits: readonly Wait[]): number {
  const total = sum(waits.map(({ seconds }) => seconds));
  const logarithm = waits.reduce((log, wait, i) => log + Math.log(total / (i + 1) / beforeJitter(wait)), 0);
  return Math.exp(logarithm);
}

/**
 * Caps for a single wait as multiples of the expected one. A busy machine may lengthen a gap beyond any of
 * them.
 */
const CAPS = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];

/** The parameters of the Chernoff bound, of which the smallest result is used. */
const EXPONENTS = Array.from({ length: 24 }, (_, i) => 2 ** (i / 2));

/**
 * For each cap, the exponents with the logarithm of the moment-generating function of one capped fraction.
 */
const MOMENTS = CAPS.map((cap) => ({
  cap,
  moments: EXPONENTS.map((exponent) => {
    const beyond = Math.exp(-exponent * cap);
    return { exponent, logarithm: Math.log((1 - beyond) / exponent + (1 - cap) * beyond) };
  }),
}));

/** The Chernoff bound for the probability that capped uniform fractions have a sum this small. */
function chanceOfParts(parts: readonly number[], { cap, moments }: (typeof MOMENTS)[number]): number {
  const total = sum(parts.map((part) => Math.min(part, cap)));
  const logarithms = moments.map(({ exponent, logarithm }) => exponent * total + parts.length * logarithm);
  return Math.exp(Math.min(...logarithms));
}

/**
 * An upper bound for the probability that a client with full jitter waits this little. Full jitter, uniform
 * from 0 to the backoff's wait, is the widest in use. The result is the smallest of several bounds,
 * multiplied by their number.
 */
export function jitterLikelihood(waits: readonly Wait[]): number {
  const parts = waits.map((wait) => wait.seconds / beforeJitter(wait));
  const chances = [chanceOfSum(waits), ...MOMENTS.map((at) => chanceOfParts(parts, at))];
  return Math.min(1, chances.length * Math.min(...chances));
}

/** The maximum probability of failing a client with jitter. */
export const MIN_CHANCE = 1e-5;

/** Below this probability under full jitter, waits need further evidence. */
const DOUBTFUL = 0.01;

/** True if waits are shorter than those of most backoffs, but not certainly too short. */
export function areDoubtful(waits: readonly Wait[]): boolean {
  const total = sum(waits.map((wait) => Math.min(1, wait.seconds / beforeJitter(wait))));
  const logarithm = waits.reduce((log, _, i) => log + Math.log(total / (i + 1)), 0);
  return waits.length > 0 && Math.exp(logarithm) < DOUBTFUL;
}

/** A gap that is shorter, in milliseconds, doesn't prove a wait. */
const MIN_MEASURABLE_MS = 10;

/** A longer gap, in milliseconds, differs clearly from the client's turnaround. */
const minMeasurableGap = ({ most }: Pick<Turnaround, "most">): number =>
  Math.max(MIN_MEASURABLE_MS, 2 * most);

/**
 * The cap for a single gap, as a multiple of the required one. A busy machine may lengthen a gap beyond it.
 */
const COUNTED_TIMES = 2;

/** True if these waits exceed the turnaround on average. A wait counts for at most its expected length. */
export function areMeasurable(waits: readonly Wait[], { timeScale, turnaround }: WaitScale): boolean {
  const least = minMeasurableGap(turnaround);
  const counted = waits.map(({ gap, nominal }) =>
    Math.min(gap, nominal * timeScale * 1000, least * COUNTED_TIMES),
  );
  return sum(counted) / waits.length > least;
}

/** True if first waits can't be distinguished from the turnaround, however many there are. */
export const areFirstWaitsHidden = ({ timeScale, turnaround }: WaitScale): boolean =>
  minMeasurableGap(turnaround) >= FIRST_S * timeScale * 1000;

/** Two waits count as detectable if the second is five times the required length. */
const PARTS = 5;

/**
 * The smallest time scale that makes waits detectable with this turnaround, rounded to hundredths, at most 1.
 */
export const smallestScale = (turnaround: Pick<Turnaround, "most">): number =>
  Math.min(1, Math.ceil((minMeasurableGap(turnaround) * PARTS) / 10) / 100);

/** The smallest useful time scale: for a client with almost no turnaround. */
export const SMALLEST_TIME_SCALE = smallestScale({ most: 0 });

/** The longest legal wait in real seconds: a minute plus jitter plus turnaround. */
export const maxWait = (timeScale: number): number => MAX_S * 1.5 * timeScale + 2;

/** True if a task's last attempt must still be retried. */
export const awaitsRetry = ({ tries }: Task): boolean => {
  const last = tries.at(-1);
  return last !== undefined && needsRetry(last);
};
