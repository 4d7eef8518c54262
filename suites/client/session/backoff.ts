import type { RecordedRequest } from "./request.ts";
import { needsRetry, resultOf, type Task } from "./task.ts";

/** One wait of the client's between a failure and the next try of the same task. */
export interface Wait {
  /** Seconds, with the time scale taken out. */
  readonly seconds: number;
  /** What the backoff says: 1, 2, 4 … 60. */
  readonly nominal: number;
  readonly before: RecordedRequest;
}

const FIRST_S = 1;
const MAX_S = 60;

/** The wait after so many failures in a row. */
const nominalWait = (failures: number): number => Math.min(FIRST_S * 2 ** (failures - 1), MAX_S);

/**
 * HTTP libraries may repeat by themselves, and at once, what was lost on a connection that was used before: such a wait
 * isn't the client's backoff.
 */
const isLibraryRetry = (failed: RecordedRequest): boolean =>
  failed.completion?.response === undefined && failed.connectionReused;

/** The waits after failures between the tries of a task, in their order. */
export function waitsOf({ tries }: Task, timeScale: number): readonly Wait[] {
  const waits: Wait[] = [];
  let failures = 0;
  for (const [index, before] of tries.entries()) {
    const next = tries[index + 1];
    if (resultOf(before) !== "failed" || isLibraryRetry(before) || !next || !before.completion) {
      failures = 0;
      continue;
    }
    failures += 1;
    const seconds = (next.arrivedAt - before.completion.at) / 1000 / timeScale;
    waits.push({ seconds: Math.max(0, seconds), nominal: nominalWait(failures), before });
  }
  return waits;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/**
 * How likely at most a client with full jitter waits so little: one that draws each wait evenly from 0 to what the
 * backoff says, the widest jitter in use. The volume of the simplex over that of the box, which bounds it from above.
 */
export function jitterLikelihood(waits: readonly Wait[]): number {
  const total = sum(waits.map(({ seconds }) => seconds));
  const logarithm = waits.reduce((log, { nominal }, i) => log + Math.log(total / (i + 1) / nominal), 0);
  return Math.min(1, Math.exp(logarithm));
}

/** No client with jitter is failed more often than this. */
export const MIN_CHANCE = 1e-5;

/** Every set of waits that backoff makes long together: each order's, all first ones, and all later ones. */
export function waitSeries(all: readonly (readonly Wait[])[]): readonly (readonly Wait[])[] {
  const first = all.flatMap((waits) => waits.filter(({ nominal }) => nominal === FIRST_S));
  const later = all.flatMap((waits) => waits.filter(({ nominal }) => nominal > FIRST_S));
  return [...all, first, later].filter(({ length }) => length > 0);
}

/** The longest that a wait may be, in seconds of this machine: a minute, jitter on top, and time for the client itself. */
export const maxWait = (timeScale: number): number => MAX_S * 1.5 * timeScale + 2;

/** Whether a task's last try still waits to be repeated. */
export const awaitsRetry = ({ tries }: Task): boolean => {
  const last = tries.at(-1);
  return last !== undefined && needsRetry(last);
};
