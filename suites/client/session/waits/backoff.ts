import type { Disturbance } from "../../../core/confirmation/disturbance.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { CLOSED_BY_CLIENT, type RecordedRequest } from "../request.ts";
import { needsRetry, resultOf, type Task } from "../task.ts";
import type { Turnaround } from "./turnaround.ts";

/**
 * The waits don't differ clearly from the client's turnaround, or don't show whether the client has jitter. A
 * busy machine may be the reason.
 */
export class HiddenWaits extends CheckSkipped {}

/** A wait between a failure and the next attempt of the same task. */
export interface Wait {
  /** The real milliseconds between the failure and the next attempt. */
  readonly gap: number;
  /** The wait in nominal seconds, at most, after subtracting a part of the client's turnaround. */
  readonly seconds: number;
  /**
   * The milliseconds of the gap during which the suite's process was delayed. The next attempt may have arrived
   * earlier by this time.
   */
  readonly lateMs: number;
  /**
   * The specified wait in nominal seconds (1, 2, 4 … 60) after the failures that the client certainly noticed.
   */
  readonly nominal: number;
  /** The specified wait if the client also counts failures after which a library retried by itself. */
  readonly nominalAtMost: number;
  readonly before: RecordedRequest;
  /** Identifies the call by the number of its first attempt. */
  readonly call: number;
}

/** The time scale and the client's turnaround, from which waits are calculated. */
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

/** The specified wait in nominal seconds after this many consecutive failures. */
const nominalWait = (failures: number): number => Math.min(FIRST_S * 2 ** (failures - 1), MAX_S);

/**
 * True for a retry that an HTTP library may have sent by itself after a reused connection broke. The client's
 * backoff doesn't apply to such a retry.
 */
const isLibraryRetry = (failed: RecordedRequest): boolean =>
  failed.completion?.response === undefined && failed.connectionReused;

/** True if the client abandoned the request. The sandbox notices that late, especially on a busy machine. */
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

/** The nominal seconds that a backoff of 1, 2, 4 … must reach. A lower cap isn't allowed. */
export const MIN_CAP_S = 4;

/** The minimum specified wait before jitter, for a client with any allowed cap. */
const beforeJitter = ({ nominal }: Wait): number => Math.min(nominal, MIN_CAP_S);

/**
 * An upper bound for the probability that waits with full jitter have a sum this small: the simplex's volume
 * divided by the box's.
 */
function chanceOfSum(waits: readonly Wait[]): number {
  const total = sum(waits.map(({ seconds }) => seconds));
  const logarithm = waits.reduce((log, wait, i) => log + Math.log(total / (i + 1) / beforeJitter(wait)), 0);
  return Math.exp(logarithm);
}

/**
 * Caps for a single wait as multiples of the expected wait. A busy machine may lengthen a gap beyond any cap.
 */
const CAPS = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];

/** The tried parameters of the Chernoff bound. The smallest result counts. */
const EXPONENTS = Array.from({ length: 24 }, (_, i) => 2 ** (i / 2));

/** For each cap, the exponents with the logarithm of the moment-generating function of one capped fraction. */
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
 * An upper bound for the probability that a client with full jitter waits this little. Full jitter is uniform
 * from 0 to the specified wait, and is the widest jitter in use. The result is the smallest of several bounds,
 * multiplied by the number of bounds.
 */
export function jitterLikelihood(waits: readonly Wait[]): number {
  const parts = waits.map((wait) => wait.seconds / beforeJitter(wait));
  const chances = [chanceOfSum(waits), ...MOMENTS.map((at) => chanceOfParts(parts, at))];
  return Math.min(1, chances.length * Math.min(...chances));
}

/** The maximum accepted probability that a client with jitter fails the check. */
export const MIN_CHANCE = 1e-5;

/** Waits with a lower probability under full jitter need further evidence. */
const DOUBTFUL_CHANCE = 0.01;

/** True if the waits are shorter than those of most backoffs, but not certainly too short. */
export function areDoubtful(waits: readonly Wait[]): boolean {
  const total = sum(waits.map((wait) => Math.min(1, wait.seconds / beforeJitter(wait))));
  const logarithm = waits.reduce((log, _, i) => log + Math.log(total / (i + 1)), 0);
  return waits.length > 0 && Math.exp(logarithm) < DOUBTFUL_CHANCE;
}

/** Milliseconds. A shorter gap doesn't prove a wait. */
const MIN_MEASURABLE_MS = 10;

/** Milliseconds. A longer gap differs clearly from the client's turnaround. */
const minMeasurableGap = ({ most }: Pick<Turnaround, "most">): number =>
  Math.max(MIN_MEASURABLE_MS, 2 * most);

/**
 * The cap for a single gap, as a multiple of the specified wait. A busy machine may lengthen a gap beyond the
 * cap.
 */
const MAX_COUNTED_MULTIPLE = 2;

/** True if these waits exceed the turnaround on average. A wait counts for at most its expected length. */
export function areMeasurable(waits: readonly Wait[], { timeScale, turnaround }: WaitScale): boolean {
  const least = minMeasurableGap(turnaround);
  const counted = waits.map(({ gap, nominal }) =>
    Math.min(gap, nominal * timeScale * 1000, least * MAX_COUNTED_MULTIPLE),
  );
  return sum(counted) / waits.length > least;
}

/** True if first waits can't be distinguished from the turnaround, however many first waits there are. */
export const areFirstWaitsHidden = ({ timeScale, turnaround }: WaitScale): boolean =>
  minMeasurableGap(turnaround) >= FIRST_S * timeScale * 1000;

/** A wait of a second is detectable if it is this many times the shortest measurable gap. */
const GAPS_PER_SECOND = 5;

/**
 * The smallest time scale at which waits are detectable with this turnaround, rounded up to hundredths, at most
 * 1.
 */
export const smallestScale = (turnaround: Pick<Turnaround, "most">): number =>
  Math.min(1, Math.ceil((minMeasurableGap(turnaround) * GAPS_PER_SECOND) / 10) / 100);

/** The smallest useful time scale, which is that of a client with almost no turnaround. */
export const SMALLEST_TIME_SCALE = smallestScale({ most: 0 });

/** The longest legal wait in real seconds: a minute, plus jitter, plus the turnaround. */
export const maxWait = (timeScale: number): number => MAX_S * 1.5 * timeScale + 2;

/** True if the last attempt of a task requires a retry. */
export const awaitsRetry = ({ tries }: Task): boolean => {
  const last = tries.at(-1);
  return last !== undefined && needsRetry(last);
};
