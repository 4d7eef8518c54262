import type { OperationId } from "../../core/contract/document.ts";
import { type RunOrder, runOrder } from "../../engine/order.ts";
import type { Check } from "../check.ts";

/** Checks that run after all others, one at a time. */
export const runsLast = ({ exclusive }: Partial<Pick<Check, "exclusive">>): boolean => exclusive === "last";

/**
 * Operations that nearly all checks build on, in steps: showing one needs none of its own step, and may need all before
 * it.
 */
const STEPS: readonly (readonly OperationId[])[] = [
  ["getHealth", "obtainToken"],
  ["listPaymentTypes", "registerStore", "createWebhook"],
  ["getStore", "createDelivery", "createQuote", "listWebhooks", "testWebhook"],
];
/** Operations that some checks build on: showing one needs the steps before, and the operations above it here. */
const BESIDE: readonly (readonly OperationId[])[] = [
  ["listDeliveryAreas", "getDelivery", "deleteWebhook", "rotateWebhookSecret"],
];

const ALL_STEPS = [...STEPS, ...BESIDE];

const stepOf = (operation: OperationId): number => {
  const step = ALL_STEPS.findIndex((operations) => operations.includes(operation));
  return step < 0 ? ALL_STEPS.length : step;
};

/** The position of a check that shows an operation. A check that shows none comes after all of these. */
const placeOf = ({ smokeTestOf }: Check): number =>
  smokeTestOf === undefined ? ALL_STEPS.length + 1 : stepOf(smokeTestOf);

/**
 * The order of the checks. First come those that show an operation which nearly all others build on, step by step.
 * Those that show another operation come next: a check that needs one earlier waits for its check.
 */
export function orderOf(checks: readonly Check[]): RunOrder<Check> {
  const ahead = STEPS.map((_, step) => checks.filter((check) => placeOf(check) === step));
  const others = checks.filter((check) => placeOf(check) >= STEPS.length);
  const inPlace = others.toSorted((one, other) => placeOf(one) - placeOf(other));
  return { ...runOrder(inPlace, runsLast), ahead };
}
