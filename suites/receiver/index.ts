import type { ReceiverCheck } from "./check.ts";
import { bodies } from "./checks/bodies.ts";
import { duplicates } from "./checks/duplicates.ts";
import { freshness } from "./checks/freshness.ts";
import { headers } from "./checks/headers.ts";
import { kinds } from "./checks/kinds.ts";
import { load } from "./checks/load.ts";
import { order } from "./checks/order.ts";
import { signatures } from "./checks/signatures.ts";
import { survival } from "./checks/survival.ts";
import { tampering } from "./checks/tampering.ts";

/** Every check of receivers, in the order in which they are listed and reported. */
export const receiverChecks: readonly ReceiverCheck[] = [
  ...kinds,
  ...bodies,
  ...signatures,
  ...tampering,
  ...headers,
  ...freshness,
  ...duplicates,
  ...order,
  ...load,
  ...survival,
];
