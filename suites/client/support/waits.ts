import {
  isAnyShown,
  isShown,
  jitterLikelihood,
  MIN_CHANCE,
  type Wait,
  type WaitScale,
  waitSeries,
  waitsOf,
} from "../session/backoff.ts";
import type { Evidence } from "../session/evidence.ts";
import type { Task } from "../session/task.ts";

type Waits = readonly (readonly Wait[])[];

const waitsIn = (tasks: readonly Task[], scale: WaitScale): Waits =>
  tasks.map((task) => waitsOf(task, scale)).filter((waits) => waits.length > 0);

/** The waits of a client by task: those of its orders, and of all other calls that can be told from calls beside them. */
export const waitsSeen = (evidence: Evidence): { readonly orders: Waits; readonly others: Waits } => ({
  orders: waitsIn(evidence.orders, evidence),
  others: waitsIn(
    evidence.tasks.filter((task) => task.kind !== "order" && evidence.isDistinct(task)),
    evidence,
  ),
});

/** Waits that are shorter than those of any backoff; undefined where there are none. */
export function tooShortWaits(evidence: Evidence): readonly Wait[] | undefined {
  const { orders, others } = waitsSeen(evidence);
  const together = [orders, others, [...orders, ...others]].flatMap(waitSeries);
  return [...orders, ...together].find((waits) => jitterLikelihood(waits) < MIN_CHANCE);
}

/** The waits that a client which doesn't wait at all may have made, for all that was seen. */
export function hiddenWaits(evidence: Evidence): Waits {
  const { orders, others } = waitsSeen(evidence);
  return [orders, others].flatMap(waitSeries).filter((waits) => !isShown(waits, evidence));
}

/** Whether a wait followed on a connection that broke, and not on an answer. */
export const isAfterNetworkError = ({ before }: Wait): boolean => before.completion?.response === undefined;

/**
 * Waits after several network errors in a row that a client which doesn't wait for them may have made; undefined where
 * there are none. One alone tells nothing: a library may have tried again by itself, and at once.
 */
export function hiddenAfterNetworkErrors(evidence: Evidence): readonly Wait[] | undefined {
  const { orders, others } = waitsSeen(evidence);
  return [...orders, ...others]
    .map((waits) => waits.filter(isAfterNetworkError))
    .find((waits) => waits.length > 1 && !isAnyShown(waits, evidence.turnaround));
}
