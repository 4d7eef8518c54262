/** Why a request has to be refused, and the answer that is due. */
export const REASONS = {
  /** A signature that doesn't match. */
  forged: 401,
  /** A timestamp that lies more than 300 seconds away. */
  stale: 400,
  /** A header is missing. */
  incomplete: 400,
} as const;

export type Reason = keyof typeof REASONS;

/** What a receiver may answer to a request that it has to refuse. */
export interface Refusal {
  readonly reason: Reason;
  readonly statuses: readonly number[];
}

/** Refusals by what is wrong with a request. */
export const REFUSALS = {
  forged: { reason: "forged", statuses: [REASONS.forged] },
  stale: { reason: "stale", statuses: [REASONS.stale] },
  incomplete: { reason: "incomplete", statuses: [REASONS.incomplete] },
  /** Something that can't be read, or two things wrong (OPEN-205). */
  unreadable: { reason: "forged", statuses: [REASONS.incomplete, REASONS.forged] },
} as const satisfies Readonly<Record<string, Refusal>>;
