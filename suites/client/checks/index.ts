import { bodiesChecks } from "./bodies.ts";
import { catchUpChecks } from "./catch-up.ts";
import type { ClientCheck } from "./define.ts";
import { refusalsChecks } from "./refusals.ts";
import { refusalsOfOtherCalls } from "./refusals-other-calls.ts";
import { retriesChecks } from "./retries.ts";
import { retriesOfOtherCalls } from "./retries-other-calls.ts";
import { tokensChecks } from "./tokens.ts";

/** All checks of API clients. A group's name is the first part of its checks' ids. */
export const clientChecks: readonly ClientCheck[] = [
  ...tokensChecks,
  ...bodiesChecks,
  ...retriesChecks,
  ...retriesOfOtherCalls,
  ...refusalsChecks,
  ...refusalsOfOtherCalls,
  ...catchUpChecks,
];
