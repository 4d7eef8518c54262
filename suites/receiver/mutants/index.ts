import { answeringMutants } from "./answering.ts";
import { comparingMutants } from "./comparing.ts";
import { elementReceivers } from "./element-receivers.ts";
import { keepingMutants } from "./keeping.ts";
import type { ReceiverMutant } from "./mutant.ts";
import { orderingMutants } from "./ordering.ts";
import { refusingMutants } from "./refusing.ts";
import { signingMutants } from "./signing.ts";

/** Every receiver mutant by id. */
export const receiverMutants: Readonly<Record<string, ReceiverMutant>> = {
  ...answeringMutants,
  ...signingMutants,
  ...comparingMutants,
  ...refusingMutants,
  ...keepingMutants,
  ...orderingMutants,
  ...elementReceivers,
};
