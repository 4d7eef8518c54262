/** Why a receiver must refuse a request, with the expected status. */
export const REASONS = {
  /** The signature is invalid. */
  forged: 401,
  /** The timestamp is off by more than 300 seconds. */
  stale: 400,
  /** A header is missing. */
  incomplete: 400,
} as const;

export type Reason = keyof typeof REASONS;

/** The statuses that a receiver may use for a required refusal. */
export interface RequiredRejection {
  readonly reason: Reason;
  readonly statuses: readonly number[];
}

/** The required refusals by the fault of the request. */
export const REQUIRED_REJECTIONS = {
  forged: { reason: "forged", statuses: [REASONS.forged] },
  stale: { reason: "stale", statuses: [REASONS.stale] },
  incomplete: { reason: "incomplete", statuses: [REASONS.incomplete] },
  /** A request that can't be parsed, or that has two faults (OPEN-205). */
  unreadable: { reason: "forged", statuses: [REASONS.incomplete, REASONS.forged] },
} as const satisfies Readonly<Record<string, RequiredRejection>>;
