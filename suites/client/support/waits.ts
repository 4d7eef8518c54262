import {
  FIRST_S,
  GROWS_TO_S,
  isShown,
  jitterLikelihood,
  MIN_CHANCE,
  type Wait,
  type WaitScale,
  waitSeries,
  waitsOf,
} from "../session/backoff.ts";
import type { Evidence } from "../session/evidence.ts";
import { flatWaits, type Scatter, scatterOf } from "../session/flat-waits.ts";
import { areRegular, growsTooFast, growsTooSlowly, meantSeconds } from "../session/regular-waits.ts";
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

/** No jitter in use takes more than half of a wait, unless it draws waits from zero on. */
const SHORTEST_REGULAR_FIRST_S = 0.5;

/** Waits that are shorter than those of any backoff; undefined where there are none. */
export function tooShortWaits(evidence: Evidence): readonly Wait[] | undefined {
  const { orders, others } = waitsSeen(evidence);
  const all = [...orders, ...others];
  const beforeLimits = all.flat().filter(({ nominal }) => nominal <= GROWS_TO_S);
  const sets = [...orders, ...[orders, others, all].flatMap(waitSeries), beforeLimits];
  const unlikely = sets.find((waits) => sets.length * jitterLikelihood(waits) < MIN_CHANCE);
  return unlikely ?? (areFirstWaitsRegular(evidence) ? shortFirstWaits(evidence) : undefined);
}

/** All first waits, where most are shorter than jitter makes them that takes up to half; undefined otherwise. */
function shortFirstWaits(evidence: Evidence): readonly Wait[] | undefined {
  const { orders, others } = waitsSeen(evidence);
  const first = [...orders, ...others].flat().filter(isFirst);
  const short = first.filter(({ seconds }) => seconds < SHORTEST_REGULAR_FIRST_S);
  return short.length > first.length / 2 ? first : undefined;
}

/** How the waits of all calls scatter. */
export function waitScatter(evidence: Evidence): Scatter {
  const { orders, others } = waitsSeen(evidence);
  return scatterOf([...orders, ...others], evidence);
}

/** Waits that don't grow like 1, 2, 4, from three waits of a call on; undefined where there are none. */
export function notGrowingWaits(evidence: Evidence): readonly Wait[] | undefined {
  const { orders, others } = waitsSeen(evidence);
  return waitScatter(evidence) === "none" ? flatWaits([...orders, ...others], evidence) : undefined;
}

/** Waits that are too short or don't grow unless they have jitter, which doesn't show; undefined where there are none. */
export function unclearWaits(evidence: Evidence): readonly Wait[] | undefined {
  if (waitScatter(evidence) !== "unclear") return undefined;
  const { orders, others } = waitsSeen(evidence);
  return flatWaits([...orders, ...others], evidence) ?? shortFirstWaits(evidence);
}

/** Whether the client did nothing else in a wait, tokens aside: what it was busy with it may have had to do first. */
const isIdle =
  ({ requests }: Evidence) =>
  ({ before, gap }: Wait): boolean => {
    const from = before.completion?.at ?? before.arrivedAt;
    return !requests.some(
      ({ round, operation, arrivedAt }) =>
        round === before.round && operation !== "obtainToken" && arrivedAt > from && arrivedAt < from + gap,
    );
  };

/** Whether nothing but one failure came before a wait. */
export const isFirst = ({ nominal }: Wait): boolean => nominal === FIRST_S;

/** Whether the first waits of all calls are alike. */
function areFirstWaitsRegular(evidence: Evidence): boolean {
  const { orders, others } = waitsSeen(evidence);
  return areRegular([...orders, ...others].flat().filter(isFirst));
}

/** Jitter that goes on from the wait before draws the first one from up to three times a second. */
const LONGEST_FIRST_S = 3;
const LONGEST_REGULAR_FIRST_S = 2;
/** Fewer first waits may be long for a reason of their own. */
const FEWEST_FIRST = 3;

/** First waits that are all much longer than a second; undefined where there are none. */
export function tooLongFirstWaits(evidence: Evidence): readonly Wait[] | undefined {
  const longest = areFirstWaitsRegular(evidence) ? LONGEST_REGULAR_FIRST_S : LONGEST_FIRST_S;
  const { orders, others } = waitsSeen(evidence);
  return [orders, others]
    .map((waits) => waits.flat().filter(isFirst).filter(isIdle(evidence)))
    .find(
      (waits) =>
        waits.length >= FEWEST_FIRST &&
        waits.every((wait) => meantSeconds(wait, evidence) > longest * wait.nominalAtMost),
    );
}

/** The waits of one task, of a client without jitter, that grow otherwise than by doubling; undefined where none do. */
export function notDoubledWaits(evidence: Evidence): readonly Wait[] | undefined {
  if (waitScatter(evidence) !== "none") return undefined;
  const { orders, others } = waitsSeen(evidence);
  return [...orders, ...others]
    .filter((waits) => waits.every(isIdle(evidence)))
    .find((waits) => growsTooSlowly(waits, evidence) || growsTooFast(waits, evidence));
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
    .find((waits) => waits.length > 1 && !isShown(waits, evidence));
}
