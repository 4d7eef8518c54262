import type { ExpectationKind } from "../grading/failures/failure.ts";

/**
 * Disturbances that something other than the implementation under test causes, or may cause:
 * - `suite-late`: this process was stopped or had too little CPU time, or a delivery attempt ended before its
 * response.
 * - `attempt-lost`: a delivery attempt didn't reach the suite.
 * - `connection-lost`: a request's connection broke before a response.
 * - `unavailable`: 502, 503, 504 or a proxy's page instead of the target's response.
 * - `no-answer`: no response came in time.
 * - `foreign-traffic`: another client uses the rate limit, or a count is within the tolerance at a window's
 * edge.
 * - `restart`: the target stopped and started again.
 * - `clock-corrected`: the clock of the suite's machine was set.
 * - `eventual-consistency`: a list was read before recent writes have to appear in it.
 * - `overlapping-starts`: the suite ran two instances of the client at once.
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
  | "eventual-consistency"
  | "overlapping-starts";

export interface Disturbance {
  readonly kind: DisturbanceKind;
  /** Start on the monotonic clock, milliseconds; `to` is the end. */
  readonly from: number;
  readonly to: number;
  readonly what: string;
  /** The operation of the disturbed request, or of a restarted target's last request. */
  readonly operation?: string;
  /** True if other requests to the operation got a usual response in the same run. */
  readonly respondsOtherwise?: boolean;
}

const EVERYTHING: readonly ExpectationKind[] = ["value", "time", "absence", "limit"];

/**
 * The kinds of expectation that each disturbance may cause to fail. A disturbed request excuses the check
 * that sent it.
 */
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
  "overlapping-starts": EVERYTHING,
};

export const excuses = ({ kind }: Pick<Disturbance, "kind">, expectation: ExpectationKind): boolean =>
  EXCUSES[kind].includes(expectation);
