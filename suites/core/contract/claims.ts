/** The levels of each kind of target, from the least demanding to the most. */
export const LEVELS = {
  server: ["api", "events", "courier", "time"],
  receiver: ["responses", "effects"],
  client: ["requests", "retries", "catch-up"],
} as const;

/** The side that a clause binds and that a suite grades. */
export type Subject = keyof typeof LEVELS;
export type Claim = (typeof LEVELS)[Subject][number];
export type ServerClaim = (typeof LEVELS)["server"][number];

export const CLAIMS: readonly ServerClaim[] = LEVELS.server;

export const CLAUSE_LEVELS = ["MUST", "SHOULD", "MAY"] as const;
