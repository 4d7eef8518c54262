import type { Evidence } from "../session/evidence.ts";
import type { Task } from "../session/task.ts";
import {
  areDoubtful,
  areMeasurable,
  FIRST_S,
  GROWS_TO_S,
  jitterLikelihood,
  MIN_CHANCE,
  type Wait,
  type WaitScale,
  waitsOf,
} from "../session/waits/backoff.ts";
import { flatWaits, perhapsFlatWaits, type Scatter, scatterOf } from "../session/waits/flat-waits.ts";
import { areLonger, intendedSeconds } from "../session/waits/late-waits.ts";
import { regularity } from "../session/waits/regular-waits.ts";

/** The groups of waits that a backoff lengthens together: all first ones, and all later ones. */
function waitSeries(all: readonly (readonly Wait[])[]): readonly (readonly Wait[])[] {
  const waits = all.flat();
  const first = waits.filter(({ nominal }) => nominal === FIRST_S);
  const later = waits.filter(({ nominal }) => nominal > FIRST_S);
  return [first, later].filter(({ length }) => length > 0);
}

/** True if waits with the same expected value, or turnarounds, are too similar for any jitter. */
const areRegular = (waits: readonly Wait[], { turnaround }: WaitScale): boolean =>
  regularity(waits, turnaround.least / 2) < MIN_CHANCE;

/**
 * The bounds of a doubled wait with a quarter of jitter, as multiples of the expected one. A client may have
 * noticed one more failure than the sandbox: a reused connection that was closed.
 */
const MIN_PART = 0.7;

/** The factor by which a cap may be exceeded, for clients with a little jitter. */
const ABOVE_A_LIMIT = 1.4;

/** The minimum number of waits that prove anything. A busy machine may distort a few. */
const ENOUGH = 4;

/** True if waits keep growing after one that grew by less than doubling, which no cap explains. */
function growsTooSlowly(waits: readonly Wait[], scale: WaitScale): boolean {
  const limited = waits.findIndex(({ seconds, nominal }) => seconds < MIN_PART * nominal);
  const limit = waits[limited]?.seconds;
  if (limit === undefined) return false;
  const later = waits.slice(limited + 1);
  const last = later.slice(-Math.max(ENOUGH, Math.ceil(later.length / 2)));
  return last.length >= ENOUGH && areLonger(last, () => ABOVE_A_LIMIT * limit, scale);
}

const MAX_PART = 2.5;

/** True if more than one wait grew by more than doubling, whichever attempts the client counts. */
const growsTooFast = (waits: readonly Wait[], scale: WaitScale): boolean =>
  waits.filter((wait) => intendedSeconds(wait, scale) > MAX_PART * wait.nominalAtMost).length > 1;

type Waits = readonly (readonly Wait[])[];

const waitsIn = (tasks: readonly Task[], scale: WaitScale): Waits =>
  tasks.map((task) => waitsOf(task, scale)).filter((waits) => waits.length > 0);

interface WaitsByTask {
  readonly orders: Waits;
  readonly others: Waits;
}

const known = new WeakMap<Evidence, WaitsByTask>();

/** The waits by task: of orders, and of other calls that can be distinguished from concurrent ones. */
export function waitsSeen(evidence: Evidence): WaitsByTask {
  const waits = known.get(evidence) ?? {
    orders: waitsIn(evidence.orders, evidence),
    others: waitsIn(
      evidence.tasks.filter((task) => task.kind !== "order" && evidence.isDistinct(task)),
      evidence,
    ),
  };
  known.set(evidence, waits);
  return waits;
}

/** Apart from full jitter, usual jitter takes at most half of a wait. */
const SHORTEST_REGULAR_FIRST_S = 0.5;

/** Waits that are too short for any backoff; undefined if there are none. */
export function tooShortWaits(evidence: Evidence): readonly Wait[] | undefined {
  const { orders, others } = waitsSeen(evidence);
  const all = [...orders, ...others];
  const beforeLimits = all.flat().filter(({ nominal }) => nominal <= GROWS_TO_S);
  const sets = [
    ...orders,
    ...[orders, others, all].flatMap(waitSeries),
    beforeLimits,
    repeatedNetworkErrors(all),
  ].filter((waits) => waits.length > 0);
  const unlikely = sets.find((waits) => sets.length * jitterLikelihood(waits) < MIN_CHANCE);
  return unlikely ?? (areFirstWaitsRegular(evidence) ? shortFirstWaits(evidence) : undefined);
}

/**
 * Waits after network errors, except the first of each call, because a library may send the first retry
 * itself.
 */
const repeatedNetworkErrors = (all: Waits): readonly Wait[] =>
  all.flatMap((waits) => waits.filter(isAfterNetworkError).slice(1));

/** All first waits if most are too short for jitter of up to half. Undefined otherwise. */
function shortFirstWaits(evidence: Evidence): readonly Wait[] | undefined {
  const { orders, others } = waitsSeen(evidence);
  const first = [...orders, ...others].flat().filter(isFirst);
  const short = first.filter(({ seconds }) => seconds < SHORTEST_REGULAR_FIRST_S);
  return short.length > first.length / 2 ? first : undefined;
}

/** The variation of the waits of all calls. */
function waitScatter(evidence: Evidence): Scatter {
  const { orders, others } = waitsSeen(evidence);
  return scatterOf([...orders, ...others], evidence);
}

/** The waits from the third one of a call on if they don't grow. Undefined if they do. */
export function notGrowingWaits(evidence: Evidence): readonly Wait[] | undefined {
  const { orders, others } = waitsSeen(evidence);
  return waitScatter(evidence) === "none" ? flatWaits([...orders, ...others], evidence) : undefined;
}

/**
 * Waits that need jitter to be allowed, if they don't show whether they have any. Undefined if there are
 * none.
 */
export function unclearWaits(evidence: Evidence): readonly Wait[] | undefined {
  if (waitScatter(evidence) !== "unclear") return undefined;
  const { orders, others } = waitsSeen(evidence);
  return flatWaits([...orders, ...others], evidence) ?? shortFirstWaits(evidence);
}

/** Waits that are only allowed if a busy machine didn't lengthen them. Undefined if there are none. */
export function perhapsWrongWaits(evidence: Evidence): readonly Wait[] | undefined {
  const long = perhapsTooLong(evidence);
  if (long || waitScatter(evidence) === "jitter") return long;
  const { orders, others } = waitsSeen(evidence);
  return perhapsFlatWaits([...orders, ...others], evidence);
}

/**
 * True if the client did nothing else during a wait except token requests. Other work may have delayed the
 * retry.
 */
const isIdle =
  ({ requests }: Evidence) =>
  ({ before, gap }: Wait): boolean => {
    const from = before.completion?.at ?? before.arrivedAt;
    return !requests.some(
      ({ startNumber, operation, arrivedAt }) =>
        startNumber === before.startNumber &&
        operation !== "obtainToken" &&
        arrivedAt > from &&
        arrivedAt < from + gap,
    );
  };

/** True if exactly one failure preceded a wait. */
export const isFirst = ({ nominal }: Wait): boolean => nominal === FIRST_S;

/** True if the first waits of all calls are similar. */
function areFirstWaitsRegular(evidence: Evidence): boolean {
  const { orders, others } = waitsSeen(evidence);
  return areRegular([...orders, ...others].flat().filter(isFirst), evidence);
}

/** The maximum first wait of decorrelated jitter. */
const LONGEST_FIRST_S = 3;
const LONGEST_REGULAR_FIRST_S = 2;
/** The fewest first waits for a conclusion. */
const MIN_FIRST = 3;

/** First waits that are all much longer than a second, certainly or probably. Undefined if there are none. */
function longFirstWaits(evidence: Evidence, areLong: typeof areLonger): readonly Wait[] | undefined {
  const longest = areFirstWaitsRegular(evidence) ? LONGEST_REGULAR_FIRST_S : LONGEST_FIRST_S;
  const { orders, others } = waitsSeen(evidence);
  return [orders, others, [...orders, ...others]]
    .map((waits) => waits.flat().filter(isFirst).filter(isIdle(evidence)))
    .find(
      (waits) =>
        waits.length >= MIN_FIRST && areLong(waits, ({ nominalAtMost }) => longest * nominalAtMost, evidence),
    );
}

/** First waits that are certainly much longer than a second; undefined if there are none. */
export const tooLongFirstWaits = (evidence: Evidence) => longFirstWaits(evidence, areLonger);

/** First waits that are this long, unless a busy machine is the reason. Undefined if there are none. */
const perhapsTooLong = (evidence: Evidence) =>
  longFirstWaits(evidence, (waits, meant) => waits.every((wait) => wait.seconds > meant(wait)));

/** The waits of a client without jitter that don't double; undefined if there are none. */
export function notDoubledWaits(evidence: Evidence): readonly Wait[] | undefined {
  if (waitScatter(evidence) !== "none") return undefined;
  const { orders, others } = waitsSeen(evidence);
  const calls = [...orders, ...others].filter((waits) => waits.every(isIdle(evidence)));
  // Without jitter, all calls have the same waits, so the shortest of each is the least delayed.
  const shortest = Array.from({ length: Math.max(...calls.map(({ length }) => length)) }, (_, index) =>
    calls.flatMap((waits) => waits[index] ?? []).reduce((one, other) => (other.gap < one.gap ? other : one)),
  );
  const isWrong = growsTooSlowly(shortest, evidence) || growsTooFast(shortest, evidence);
  return isWrong ? calls.find(({ length }) => length === shortest.length) : undefined;
}

/** Waits that a client without any backoff may have made on a busy machine. */
export function hiddenWaits(evidence: Evidence): Waits {
  const { orders, others } = waitsSeen(evidence);
  return [orders, others]
    .flatMap(waitSeries)
    .filter((waits) => !areMeasurable(waits, evidence) || areDoubtful(waits));
}

/** True for a wait before the repetition of an order. */
export const isOfOrder = ({ before }: Wait): boolean => before.operation === "createDelivery";

/** True if a wait followed a broken connection instead of a response. */
export const isAfterNetworkError = ({ before }: Wait): boolean => before.completion?.response === undefined;

/**
 * Waits after consecutive network errors that a client without backoff could make too. Undefined if there are
 * none. A single wait proves nothing, because a library may have retried by itself.
 */
export function hiddenAfterNetworkErrors(evidence: Evidence): readonly Wait[] | undefined {
  const { orders, others } = waitsSeen(evidence);
  return [...orders, ...others]
    .map((waits) => waits.filter(isAfterNetworkError))
    .find((waits) => waits.length > 1 && (!areMeasurable(waits, evidence) || areDoubtful(waits.slice(1))));
}
