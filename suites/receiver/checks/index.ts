import { bodiesChecks } from "./bodies.ts";
import type { ReceiverCheck } from "./define.ts";
import { duplicatesChecks } from "./duplicates.ts";
import { duplicatesOfKindsChecks } from "./duplicates-kinds.ts";
import { freshnessChecks } from "./freshness.ts";
import { headersChecks } from "./headers.ts";
import { kindsChecks } from "./kinds.ts";
import { loadChecks } from "./load.ts";
import { orderChecks } from "./order.ts";
import { orderOfKindsChecks } from "./order-kinds.ts";
import { signaturesChecks } from "./signatures.ts";
import { survivalChecks } from "./survival.ts";
import { tamperingChecks } from "./tampering.ts";

/**
 * Every check of receivers, in the order in which they are listed and reported: that a genuine event is taken comes first,
 * as all others build on it.
 */
export const receiverChecks: readonly ReceiverCheck[] = [
  ...signaturesChecks,
  ...kindsChecks,
  ...bodiesChecks,
  ...tamperingChecks,
  ...headersChecks,
  ...freshnessChecks,
  ...duplicatesChecks,
  ...duplicatesOfKindsChecks,
  ...orderChecks,
  ...orderOfKindsChecks,
  ...loadChecks,
  ...survivalChecks,
];
