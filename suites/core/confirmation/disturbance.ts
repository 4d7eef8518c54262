import type { ExpectationKind } from "../grading/failures/failure.ts";

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
 * - `eventual-consistency`: a list was read before it has to show recent writes.
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
  | "eventual-consistency";

export interface Disturbance {
  readonly kind: DisturbanceKind;
  /** Start on the monotonic clock, milliseconds; `to` is the end. */
  readonly from: number;
  readonly to: number;
  /** Words that follow "since". */
  readonly what: string;
  /** The operation of the disturbed request, or of the one that a restarted target got last; if there is one. */
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
  "eventual-consistency": EVERYTHING,
};

/**
 * Number of runs with the same disturbance at the same operation from which it counts as the target's. Undefined if it
 * never does.
 */
const RETURNS: Readonly<Partial<Record<DisturbanceKind, number>>> = {
  "attempt-lost": 2,
  "connection-lost": 4,
  unavailable: 2,
  "no-answer": 3,
  restart: 3,
};
/** The same for an operation that also gives other answers: a proxy may answer now and then. */
const RETURNS_AT_TIMES = 4;

export const excuses = ({ kind }: Pick<Disturbance, "kind">, expectation: ExpectationKind): boolean =>
  EXCUSES[kind].includes(expectation);

/** Number of runs with the disturbance at the same operation from which it counts as the target's. */
export const returnsNeeded = ({ kind, answersOtherwise = false }: Disturbance): number | undefined => {
  const needed = RETURNS[kind];
  return needed !== undefined && answersOtherwise ? RETURNS_AT_TIMES : needed;
};

/** True if the disturbance can only hide something: it never excuses a forbidden observation. */
export const showsLess = ({ kind }: Disturbance): boolean => kind === "eventual-consistency";

/**
 * True if a disturbed run is no evidence of the failure. The lateness of this process is known only roughly, so a later
 * failure at the same clause may have the same cause.
 */
export const leavesNoEvidence = ({ kind }: Disturbance): boolean =>
  kind === "suite-late" || kind === "restart" || kind === "clock-corrected";
