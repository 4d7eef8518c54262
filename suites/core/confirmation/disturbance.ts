import type { ExpectationKind } from "../grading/failure.ts";

/**
 * Disturbances from outside the implementation under test, or indistinguishable from such:
 * - `suite-late`: this process stood still or had too little processor time, or a delivery attempt ended before its
 * answer.
 * - `attempt-lost`: a delivery attempt was lost on its way here.
 * - `connection-lost`: a request lost its connection before an answer.
 * - `unavailable`: 502, 503, 504 or a proxy's page instead of the target's answer.
 * - `no-answer`: no answer came in time.
 * - `foreign-traffic`: somebody else uses a limit, or a count is within the tolerance of a window's edge.
 * - `restart`: the target went away and came back.
 * - `clock-corrected`: a clock that times are measured by was set.
 * - `list-lag`: a list was read before it has to show recent writes.
 */
export type DisturbanceKind =
  | "suite-late"
  | "attempt-lost"
  | "connection-lost"
  | "unavailable"
  | "no-answer"
  | "foreign-traffic"
  | "restart"
  | "clock-corrected"
  | "list-lag";

export interface Disturbance {
  readonly kind: DisturbanceKind;
  /** When it began and ended, on the monotonic clock; milliseconds. */
  readonly from: number;
  readonly to: number;
  /** In words that follow "since". */
  readonly what: string;
  /** The operation of the request that it befell, where it befell one. */
  readonly operation?: string;
  /** True if that operation gave another answer in the same run. */
  readonly answersOtherwise?: boolean;
}

const EVERYTHING: readonly ExpectationKind[] = ["value", "time", "absence", "limit"];

/** The kinds of expectation that each disturbance can make fail. A disturbed request excuses the check that sent it. */
const EXCUSES: Readonly<Record<DisturbanceKind, readonly ExpectationKind[]>> = {
  "suite-late": ["time", "absence"],
  "attempt-lost": EVERYTHING,
  "connection-lost": EVERYTHING,
  unavailable: EVERYTHING,
  "no-answer": EVERYTHING,
  "foreign-traffic": ["limit"],
  restart: EVERYTHING,
  "clock-corrected": ["time"],
  "list-lag": EVERYTHING,
};

/** In how many runs it returns at the same operation where that is the target's doing; undefined where it never is. */
const RETURNS: Readonly<Partial<Record<DisturbanceKind, number>>> = {
  "attempt-lost": 2,
  "connection-lost": 4,
  unavailable: 2,
  "no-answer": 3,
};
/** An operation that answers otherwise too: something before the target may be answering now and then. */
const RETURNS_AT_TIMES = 4;

export const excuses = ({ kind }: Pick<Disturbance, "kind">, expectation: ExpectationKind): boolean =>
  EXCUSES[kind].includes(expectation);

/** In how many runs it has to return at the same operation until it is the target's. */
export const returnsNeeded = ({ kind, answersOtherwise = false }: Disturbance): number | undefined => {
  const needed = RETURNS[kind];
  return needed !== undefined && answersOtherwise ? RETURNS_AT_TIMES : needed;
};

/** True if the disturbance can only hide something: it never excuses a forbidden observation. */
export const showsLess = ({ kind }: Disturbance): boolean => kind === "list-lag";

/**
 * True if a disturbed run is no evidence of the failure. The lateness of this process is known only roughly, so a later
 * failure at the same clause may have the same cause.
 */
export const leavesNoEvidence = ({ kind }: Disturbance): boolean =>
  kind === "suite-late" || kind === "restart" || kind === "clock-corrected";
