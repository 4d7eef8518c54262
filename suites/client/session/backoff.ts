import type { Seen } from "./request.ts";
import { isToBeRepeated, resultOf, type Task } from "./task.ts";

/** One wait of the client's between a failure and the next try of the same task. */
export interface Wait {
  /** Seconds, with the time scale taken out. */
  readonly seconds: number;
  /** What the backoff says: 1, 2, 4 … 60. */
  readonly nominal: number;
  readonly before: Seen;
}

const FIRST_S = 1;
const LONGEST_S = 60;

/** The wait after so many failures in a row. */
const nominalWait = (failures: number): number => Math.min(FIRST_S * 2 ** (failures - 1), LONGEST_S);

/**
 * HTTP libraries may repeat by themselves, and at once, what was lost on a connection that was used before: such a wait
 * isn't the client's backoff.
 */
const isTheLibrarys = (failed: Seen): boolean =>
  failed.ending?.response === undefined && failed.connectionReused;

/** The waits after failures between the tries of a task, in their order. */
export function waitsOf({ tries }: Task, timeScale: number): readonly Wait[] {
  const waits: Wait[] = [];
  let failures = 0;
  for (const [index, before] of tries.entries()) {
    const next = tries[index + 1];
    if (resultOf(before) !== "failed" || isTheLibrarys(before) || !next || !before.ending) {
      failures = 0;
      continue;
    }
    failures += 1;
    const seconds = (next.arrivedAt - before.ending.at) / 1000 / timeScale;
    waits.push({ seconds: Math.max(0, seconds), nominal: nominalWait(failures), before });
  }
  return waits;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/**
 * How likely at most a client with full jitter waits so little: one that draws each wait evenly from 0 to what the
 * backoff says, the widest jitter in use. The volume of the simplex over that of the box, which bounds it from above.
 */
export function chanceWithJitter(waits: readonly Wait[]): number {
  const total = sum(waits.map(({ seconds }) => seconds));
  const logarithm = waits.reduce((log, { nominal }, i) => log + Math.log(total / (i + 1) / nominal), 0);
  return Math.min(1, Math.exp(logarithm));
}

/** No client with jitter is failed more often than this. */
export const LEAST_CHANCE = 1e-5;

/** Every set of waits that backoff makes long together: each order's, all first ones, and all later ones. */
export function series(all: readonly (readonly Wait[])[]): readonly (readonly Wait[])[] {
  const first = all.flatMap((waits) => waits.filter(({ nominal }) => nominal === FIRST_S));
  const later = all.flatMap((waits) => waits.filter(({ nominal }) => nominal > FIRST_S));
  return [...all, first, later].filter(({ length }) => length > 0);
}

/** The longest that a wait may be, in seconds of this machine: a minute, jitter on top, and time for the client itself. */
export const longestWait = (timeScale: number): number => LONGEST_S * 1.5 * timeScale + 2;

/** Whether a task's last try still waits to be repeated. */
export const isOpen = ({ tries }: Task): boolean => {
  const last = tries.at(-1);
  return last !== undefined && isToBeRepeated(last);
};
