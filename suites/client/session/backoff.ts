import { CLOSED_BY_CLIENT, type RecordedRequest } from "./request.ts";
import { needsRetry, resultOf, type Task } from "./task.ts";
import type { Turnaround } from "./turnaround.ts";

/** One wait of the client's between a failure and the next try of the same task. */
export interface Wait {
  /** Milliseconds of this machine, from the failure to the next try. */
  readonly gap: number;
  /** Seconds at most, with the time scale and what the client takes anyway taken out. */
  readonly seconds: number;
  /** What the backoff says, 1, 2, 4 … 60, after the failures in a row that the client has surely met. */
  readonly nominal: number;
  /** What it says where the client counts every try before, also one that a library may have made by itself. */
  readonly nominalAtMost: number;
  readonly before: RecordedRequest;
  /** Tells the waits of one call from those of others: the number of its first try. */
  readonly call: number;
}

/** What a wait is reckoned by. */
export interface WaitScale {
  readonly timeScale: number;
  readonly turnaround: Turnaround;
}

/** The first wait of a backoff, in seconds. */
export const FIRST_S = 1;
const MAX_S = 60;

/** The wait after so many failures in a row. */
const nominalWait = (failures: number): number => Math.min(FIRST_S * 2 ** (failures - 1), MAX_S);

/**
 * HTTP libraries may repeat by themselves, and at once, what was lost on a connection that was used before: such a wait
 * isn't the client's backoff.
 */
const isLibraryRetry = (failed: RecordedRequest): boolean =>
  failed.completion?.response === undefined && failed.connectionReused;

/** When a client gave a request up is seen only later, and on a busy machine much later. */
const wasGivenUp = (failed: RecordedRequest): boolean => failed.completion?.failure === CLOSED_BY_CLIENT;

/** The waits after failures between the tries of a task, in their order. */
export function waitsOf({ tries }: Task, { timeScale, turnaround }: WaitScale): readonly Wait[] {
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
    // Half of it: to try again may take a client less than to go on to something else.
    const seconds = Math.max(0, gap - turnaround.least / 2) / 1000 / timeScale;
    const nominalAtMost = nominalWait(index + 1);
    waits.push({
      gap,
      seconds,
      nominal: nominalWait(failures),
      nominalAtMost,
      before,
      call: tries[0]?.number ?? before.number,
    });
  }
  return waits;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** A backoff of 1, 2, 4 … grows up to here at least: a limit may be shorter than a minute, but not shorter than this. */
export const GROWS_TO_S = 4;

/** What a wait is at least before jitter takes its part, whatever the limit. */
const beforeJitter = ({ nominal }: Wait): number => Math.min(nominal, GROWS_TO_S);

/** The chance of so small a sum: the volume of the simplex over that of the box, which bounds it from above. */
function chanceOfSum(waits: readonly Wait[]): number {
  const total = sum(waits.map(({ seconds }) => seconds));
  const logarithm = waits.reduce((log, wait, i) => log + Math.log(total / (i + 1) / beforeJitter(wait)), 0);
  return Math.exp(logarithm);
}

/** Parts of what is due that a wait counts for at most: a busy machine makes gaps long for no reason of the client's. */
const CAPS = [1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1];

/** The bound below holds for each of these, and so for the smallest that they give. */
const EXPONENTS = Array.from({ length: 24 }, (_, i) => 2 ** (i / 2));

/** The chance at most (Chernoff) that parts drawn evenly from 0 to 1, counted up to the cap, come to so little. */
function chanceOfParts(waits: readonly Wait[], cap: number): number {
  const total = sum(waits.map((wait) => Math.min(wait.seconds / beforeJitter(wait), cap)));
  const logarithms = EXPONENTS.map((exponent) => {
    const beyond = Math.exp(-exponent * cap);
    const expected = (1 - beyond) / exponent + (1 - cap) * beyond;
    return exponent * total + waits.length * Math.log(expected);
  });
  return Math.exp(Math.min(...logarithms));
}

/**
 * How likely at most a client with full jitter waits so little: one that draws each wait evenly from 0 to what the
 * backoff says, the widest jitter in use. The least of several bounds, and so times their number.
 */
export function jitterLikelihood(waits: readonly Wait[]): number {
  const chances = [chanceOfSum(waits), ...CAPS.map((cap) => chanceOfParts(waits, cap))];
  return Math.min(1, chances.length * Math.min(...chances));
}

/** No client with jitter is failed more often than this. */
export const MIN_CHANCE = 1e-5;

/** Milliseconds that no wait shows below: to raise an error and to open a connection takes longer than to go on. */
const LEAST_SHOWN_MS = 10;

/** Milliseconds that a wait has to be longer than, so as not to be the client's turnaround. */
const shownFrom = ({ most }: Turnaround): number => Math.max(LEAST_SHOWN_MS, 2 * most);

/** A gap that a busy machine made long shows little: so many times what has to be shown is all that it counts for. */
const COUNTED_TIMES = 2;

/** Whether these waits are on average more than the client's turnaround; what is longer than due doesn't count. */
export function isShown(waits: readonly Wait[], { timeScale, turnaround }: WaitScale): boolean {
  const least = shownFrom(turnaround);
  const counted = waits.map(({ gap, nominal }) =>
    Math.min(gap, nominal * timeScale * 1000, least * COUNTED_TIMES),
  );
  return sum(counted) / waits.length > least;
}

/** Whether a first wait can't be shown, however many there are: what has to be shown is longer than it is. */
export const areFirstWaitsHidden = ({ timeScale, turnaround }: WaitScale): boolean =>
  shownFrom(turnaround) >= FIRST_S * timeScale * 1000;

/** A first wait of a random part is shown well enough where a second is five times what has to be shown. */
const PARTS = 5;

/** The smallest time scale at which waits of a client with this turnaround are shown, in hundredths, to 1 at most. */
export const smallestScale = (turnaround: Turnaround): number =>
  Math.min(1, Math.ceil((shownFrom(turnaround) * PARTS) / 10) / 100);

/** The smallest time scale that there is: at which waits are shown of a client that takes next to nothing. */
export const SMALLEST_TIME_SCALE = smallestScale({ least: 0, most: 0 });

/** The sets of waits that backoff makes long together: all first ones, and all later ones. */
export function waitSeries(all: readonly (readonly Wait[])[]): readonly (readonly Wait[])[] {
  const waits = all.flat();
  const first = waits.filter(({ nominal }) => nominal === FIRST_S);
  const later = waits.filter(({ nominal }) => nominal > FIRST_S);
  return [first, later].filter(({ length }) => length > 0);
}

/** The longest that a wait may be, in seconds of this machine: a minute, jitter on top, and time for the client itself. */
export const maxWait = (timeScale: number): number => MAX_S * 1.5 * timeScale + 2;

/** Whether a task's last try still waits to be repeated. */
export const awaitsRetry = ({ tries }: Task): boolean => {
  const last = tries.at(-1);
  return last !== undefined && needsRetry(last);
};
