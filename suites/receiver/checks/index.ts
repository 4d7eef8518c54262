import { bodies } from "./bodies.ts";
import type { ReceiverCheck } from "./define.ts";
import { duplicates } from "./duplicates.ts";
import { freshness } from "./freshness.ts";
import { headers } from "./headers.ts";
import { kinds } from "./kinds.ts";
import { load } from "./load.ts";
import { order } from "./order.ts";
import { signatures } from "./signatures.ts";
import { survival } from "./survival.ts";
import { tampering } from "./tampering.ts";

/**
 * Every check of receivers, in the order in which they are listed and reported: that a genuine event is taken comes first,
 * as all others build on it.
 */
export const receiverChecks: readonly ReceiverCheck[] = [
  ...signatures,
  ...kinds,
  ...bodies,
  ...tampering,
  ...headers,
  ...freshness,
  ...duplicates,
  ...order,
  ...load,
  ...survival,
];
