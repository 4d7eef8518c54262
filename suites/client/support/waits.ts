import type { Evidence } from "../session/evidence.ts";
import type { Task } from "../session/task.ts";
import {
  areDoubtful,
  areMeasurable,
  FIRST_S,
  jitterLikelihood,
  MIN_CAP_S,
  MIN_CHANCE,
  type Wait,
  type WaitScale,
  waitsOf,
} from "../session/waits/backoff.ts";
import { flatWaits, perhapsFlatWaits, type Scatter, scatterOf } from "../session/waits/flat-waits.ts";
import { areLonger, intendedSeconds } from "../session/waits/late-waits.ts";
import { regularity } from "../session/waits/regular-waits.ts";

/** The waits in the groups that a backoff lengthens together: all first waits, and all later waits. */
function waitSeries(all: readonly (readonly Wait[])[]): readonly (readonly Wait[])[] {
  const waits = all.flat();
  const first = waits.filter(({ nominal }) => nominal === FIRST_S);
  const later = waits.filter(({ nominal }) => nominal > FIRST_S);
  return [first, later].filter(({ length }) => length > 0);
}

/**
 * True if the waits are too similar for any jitter. The waits have the same expected value, or are only
 * turnarounds.
 */
const areRegular = (waits: readonly Wait[], { turnaround }: WaitScale): boolean =>
  regularity(waits, turnaround.least / 2) < MIN_CHANCE;

/**
 * The minimum of a doubled wait with a quarter of jitter, as a part of the expected wait. The client may have
 * noticed one more failure than the sandbox: a reused connection that was closed.
 */
const MIN_PART = 0.7;

/** The factor by which a wait may exceed a cap, for clients with a little jitter. */
const MAX_ABOVE_CAP = 1.4;

/** The minimum number of waits that prove anything. A busy machine may distort fewer waits. */
const MIN_WAITS = 4;

/** True if waits continue to grow after a wait that grew by less than doubling. A cap doesn't explain that. */
function growsTooSlowly(waits: readonly Wait[], scale: WaitScale): boolean {
  const limited = waits.findIndex(({ seconds, nominal }) => seconds < MIN_PART * nominal);
  const limit = waits[limited]?.seconds;
  if (limit === undefined) return false;
  const later = waits.slice(limited + 1);
  const last = later.slice(-Math.max(MIN_WAITS, Math.ceil(later.length / 2)));
  return last.length >= MIN_WAITS && areLonger(last, () => MAX_ABOVE_CAP * limit, scale);
}

const MAX_PART = 2.5;

/** True if more than one wait grew by more than doubling, whichever failures the client counts. */
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

/** The waits of each task: of orders, and of other calls that can be distinguished from concurrent calls. */
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

/** Seconds. All usual kinds of jitter except full jitter shorten a wait by at most half. */
const SHORTEST_REGULAR_FIRST_S = 0.5;

/** The waits that are too short for any backoff; undefined if there are no such waits. */
export function tooShortWaits(evidence: Evidence): readonly Wait[] | undefined {
  const { orders, others } = waitsSeen(evidence);
  const all = [...orders, ...others];
  const beforeLimits = all.flat().filter(({ nominal }) => nominal <= MIN_CAP_S);
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
 * The waits after network errors, except the first wait of each call, because a library may send the first
 * retry by itself.
 */
const repeatedNetworkErrors = (all: Waits): readonly Wait[] =>
  all.flatMap((waits) => waits.filter(isAfterNetworkError).slice(1));

/** All first waits, if most of them are too short for jitter of up to half the wait. Undefined otherwise. */
function shortFirstWaits(evidence: Evidence): readonly Wait[] | undefined {
  const { orders, others } = waitsSeen(evidence);
  const first = [...orders, ...others].flat().filter(isFirst);
  const short = first.filter(({ seconds }) => seconds < SHORTEST_REGULAR_FIRST_S);
  return short.length > first.length / 2 ? first : undefined;
}

/** Whether the waits of all calls vary like jitter. */
function waitScatter(evidence: Evidence): Scatter {
  const { orders, others } = waitsSeen(evidence);
  return scatterOf([...orders, ...others], evidence);
}

/** The waits of a call that don't grow, from the third wait on. Undefined if the waits of all calls grow. */
export function notGrowingWaits(evidence: Evidence): readonly Wait[] | undefined {
  const { orders, others } = waitsSeen(evidence);
  return waitScatter(evidence) === "none" ? flatWaits([...orders, ...others], evidence) : undefined;
}

/**
 * The waits that are allowed only with jitter, if they don't show whether the client has jitter. Undefined if
 * there are no such waits.
 */
export function unclearWaits(evidence: Evidence): readonly Wait[] | undefined {
  if (waitScatter(evidence) !== "unclear") return undefined;
  const { orders, others } = waitsSeen(evidence);
  return flatWaits([...orders, ...others], evidence) ?? shortFirstWaits(evidence);
}

/** The waits that are wrong unless a busy machine lengthened them. Undefined if there are no such waits. */
export function perhapsWrongWaits(evidence: Evidence): readonly Wait[] | undefined {
  const long = perhapsTooLong(evidence);
  if (long || waitScatter(evidence) === "jitter") return long;
  const { orders, others } = waitsSeen(evidence);
  return perhapsFlatWaits([...orders, ...others], evidence);
}

/**
 * True if the client sent nothing except token requests during a wait. Other work may have delayed the retry.
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

/** True for a wait after exactly one failure. */
export const isFirst = ({ nominal }: Wait): boolean => nominal === FIRST_S;

/** True if the first waits of all calls are similar. */
function areFirstWaitsRegular(evidence: Evidence): boolean {
  const { orders, others } = waitsSeen(evidence);
  return areRegular([...orders, ...others].flat().filter(isFirst), evidence);
}

/** The maximum first wait of decorrelated jitter in nominal seconds. */
const LONGEST_FIRST_S = 3;
const LONGEST_REGULAR_FIRST_S = 2;
/** The minimum number of first waits for a conclusion. */
const MIN_FIRST_WAITS = 3;

/** The first waits, if all are much longer than a second according to `areLong`. Undefined otherwise. */
function longFirstWaits(evidence: Evidence, areLong: typeof areLonger): readonly Wait[] | undefined {
  const longest = areFirstWaitsRegular(evidence) ? LONGEST_REGULAR_FIRST_S : LONGEST_FIRST_S;
  const { orders, others } = waitsSeen(evidence);
  return [orders, others, [...orders, ...others]]
    .map((waits) => waits.flat().filter(isFirst).filter(isIdle(evidence)))
    .find(
      (waits) =>
        waits.length >= MIN_FIRST_WAITS &&
        areLong(waits, ({ nominalAtMost }) => longest * nominalAtMost, evidence),
    );
}

/** The first waits, if all are certainly much longer than a second. Undefined otherwise. */
export const tooLongFirstWaits = (evidence: Evidence) => longFirstWaits(evidence, areLonger);

/**
 * The first waits, if all are much longer than a second unless a busy machine lengthened them. Undefined
 * otherwise.
 */
const perhapsTooLong = (evidence: Evidence) =>
  longFirstWaits(evidence, (waits, meant) => waits.every((wait) => wait.seconds > meant(wait)));

/** The waits of a client without jitter that don't double. Undefined if there are no such waits. */
export function notDoubledWaits(evidence: Evidence): readonly Wait[] | undefined {
  if (waitScatter(evidence) !== "none") return undefined;
  const { orders, others } = waitsSeen(evidence);
  const calls = [...orders, ...others].filter((waits) => waits.every(isIdle(evidence)));
  // Without jitter, all calls have the same waits, so the shortest wait at each position is the least delayed.
  const shortest = Array.from({ length: Math.max(...calls.map(({ length }) => length)) }, (_, index) =>
    calls.flatMap((waits) => waits[index] ?? []).reduce((one, other) => (other.gap < one.gap ? other : one)),
  );
  const isWrong = growsTooSlowly(shortest, evidence) || growsTooFast(shortest, evidence);
  return isWrong ? calls.find(({ length }) => length === shortest.length) : undefined;
}

/** The waits that a client without any backoff may have made on a busy machine. */
export function hiddenWaits(evidence: Evidence): Waits {
  const { orders, others } = waitsSeen(evidence);
  return [orders, others]
    .flatMap(waitSeries)
    .filter((waits) => !areMeasurable(waits, evidence) || areDoubtful(waits));
}

/** True for a wait before the repetition of an order. */
export const isOfOrder = ({ before }: Wait): boolean => before.operation === "createDelivery";

/** True for a wait after a broken connection. False for a wait after a response. */
export const isAfterNetworkError = ({ before }: Wait): boolean => before.completion?.response === undefined;

/**
 * The waits after consecutive network errors that a client without backoff could make too. Undefined if there
 * are no such waits. A single wait proves nothing, because a library may have retried by itself.
 */
export function hiddenAfterNetworkErrors(evidence: Evidence): readonly Wait[] | undefined {
  const { orders, others } = waitsSeen(evidence);
  return [...orders, ...others]
    .map((waits) => waits.filter(isAfterNetworkError))
    .find((waits) => waits.length > 1 && (!areMeasurable(waits, evidence) || areDoubtful(waits.slice(1))));
}
