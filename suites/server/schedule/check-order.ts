import type { OperationId } from "../../core/contract/document.ts";
import { type RunOrder, runOrder } from "../../engine/order.ts";
import type { Check } from "../check.ts";

/** Checks that run after all others, one at a time. */
export const runsLast = ({ isolation }: Partial<Pick<Check, "isolation">>): boolean =>
  isolation === "runs-last";

/**
 * Operations that nearly all checks need, in steps. Checks of a step may need all operations of earlier
 * steps, but no operation of the same step.
 */
const STEPS: readonly (readonly OperationId[])[] = [
  ["getHealth", "obtainToken"],
  ["listPaymentTypes", "registerStore", "createWebhook"],
  ["getStore", "createDelivery", "createQuote", "listWebhooks", "testWebhook"],
];
/**
 * Operations that some checks need. The checks about them may need all operations of STEPS and of earlier
 * entries of this list.
 */
const OTHER_STEPS: readonly (readonly OperationId[])[] = [
  ["listDeliveryAreas", "getDelivery", "deleteWebhook", "rotateWebhookSecret"],
];

const ALL_STEPS = [...STEPS, ...OTHER_STEPS];

const stepOf = (operation: OperationId): number => {
  const step = ALL_STEPS.findIndex((operations) => operations.includes(operation));
  return step < 0 ? ALL_STEPS.length : step;
};

/** The position of the check about an operation. All other checks follow. */
const positionOf = ({ smokeTestOf }: Check): number =>
  smokeTestOf === undefined ? ALL_STEPS.length + 1 : stepOf(smokeTestOf);

/**
 * The order of checks. Checks about operations that nearly all others need come first, step by step, then
 * checks about other operations. A check that needs an operation earlier waits for the check about that operation.
 */
export function orderOf(checks: readonly Check[]): RunOrder<Check> {
  const ahead = STEPS.map((_, step) => checks.filter((check) => positionOf(check) === step));
  const others = checks.filter((check) => positionOf(check) >= STEPS.length);
  const sorted = others.toSorted((one, other) => positionOf(one) - positionOf(other));
  return { ...runOrder(sorted, runsLast), ahead };
}
