import type { ClientCheck } from "../check.ts";
import { bodiesChecks } from "./bodies.ts";
import { catchUpChecks } from "./catch-up.ts";
import { refusalsChecks } from "./refusals.ts";
import { refusalsExceptOrdersChecks } from "./refusals-except-orders.ts";
import { retriesChecks } from "./retries.ts";
import { retriesExceptOrdersChecks } from "./retries-except-orders.ts";
import { tokensChecks } from "./tokens.ts";

/** All checks of API clients. A group's name is the first part of its checks' ids. */
export const clientChecks: readonly ClientCheck[] = [
  ...tokensChecks,
  ...bodiesChecks,
  ...retriesChecks,
  ...retriesExceptOrdersChecks,
  ...refusalsChecks,
  ...refusalsExceptOrdersChecks,
  ...catchUpChecks,
];
