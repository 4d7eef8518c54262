import {
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
