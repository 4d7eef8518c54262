import type { ReceiverCheck } from "../check.ts";
import { bodiesChecks } from "./bodies.ts";
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
 * All receiver checks in the order of lists and reports. The check that a genuine event is accepted comes
 * first, because all other checks depend on it.
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
