/** What a target claims to implement, from the least demanding to the most. */
export const CLAIMS = ["api", "events", "courier", "time"] as const;
export type Claim = (typeof CLAIMS)[number];

export const CLAUSE_LEVELS = ["MUST", "SHOULD", "MAY"] as const;
export type ClauseLevel = (typeof CLAUSE_LEVELS)[number];
