import type { Task } from "../task.ts";

/** The specification's waits, up to the first of a minute. */
const ALL_S = [1, 2, 4, 8, 16, 32, 60];

/**
 * The bounds of a wait that counts as exact. A busy machine lengthens waits, so only the last one has an upper
 * bound. Without the limit of a minute, the wait after 32 s would be 64 s, which exceeds it.
 */
const MIN_PART = 0.99;
const MAX_PART = 1.02;
const LATE_MS = 25;

/**
 * True if a task's waits are the specification's up to the limit of a minute. Further failures would show
 * nothing new.
 */
export const hasShownAllWaits = ({ tries }: Pick<Task, "tries">, timeScale: number): boolean =>
  tries.length > ALL_S.length &&
  ALL_S.every((seconds, index) => {
    const [failed, next] = [tries[index], tries[index + 1]];
    const gap = (next?.arrivedAt ?? 0) - (failed?.completion?.at ?? 0);
    const due = seconds * timeScale * 1000;
    const isLast = index === ALL_S.length - 1;
    return gap >= MIN_PART * due - LATE_MS && (!isLast || gap <= MAX_PART * due + LATE_MS);
  });
