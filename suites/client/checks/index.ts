import { bodies } from "./bodies.ts";
import { catchUp } from "./catch-up.ts";
import type { ClientCheck } from "./define.ts";
import { refusals } from "./refusals.ts";
import { refusalsOfOtherCalls } from "./refusals-other-calls.ts";
import { retries } from "./retries.ts";
import { retriesOfOtherCalls } from "./retries-other-calls.ts";
import { tokens } from "./tokens.ts";

/** Everything that a run with a client verifies; a group's name is the first part of its checks' ids. */
export const clientChecks: readonly ClientCheck[] = [
  ...tokens,
  ...bodies,
  ...retries,
  ...retriesOfOtherCalls,
  ...refusals,
  ...refusalsOfOtherCalls,
  ...catchUp,
];
