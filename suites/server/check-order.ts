import type { OperationId } from "../core/contract/document.ts";
import { type RunOrder, runOrder } from "../engine/order.ts";
import type { Check } from "./check.ts";

/** Checks that run after all others, one at a time. */
export const runsLast = ({ alone }: Check): boolean => alone === "last";

/** What nearly all others build on, step by step: to show an operation takes none of its own step, and all before may be needed. */
const STEPS: readonly (readonly OperationId[])[] = [
  ["getHealth", "obtainToken"],
  ["listPaymentTypes", "registerStore", "createWebhook"],
  ["getStore", "createDelivery", "createQuote", "listWebhooks", "testWebhook"],
];
/** What some build on: to show it takes the steps before, and what of these stands above it. */
const BESIDE: readonly (readonly OperationId[])[] = [
  ["listDeliveryAreas", "getDelivery", "deleteWebhook", "rotateWebhookSecret"],
];

const ALL_STEPS = [...STEPS, ...BESIDE];

const stepOf = (operation: OperationId): number => {
  const step = ALL_STEPS.findIndex((operations) => operations.includes(operation));
  return step < 0 ? ALL_STEPS.length : step;
};

/** Where a check stands that shows an operation; behind all of these where it shows none. */
const placeOf = ({ shows }: Check): number => (shows === undefined ? ALL_STEPS.length + 1 : stepOf(shows));

/**
 * The checks in the order in which they run: first those that show an operation which nearly all others build on, step by
 * step. Those that show another are the first of the rest: whoever comes to one of these earlier waits for its check.
 */
export function orderOf(checks: readonly Check[]): RunOrder<Check> {
  const ahead = STEPS.map((_, step) => checks.filter((check) => placeOf(check) === step));
  const others = checks.filter((check) => placeOf(check) >= STEPS.length);
  const inPlace = others.toSorted((one, other) => placeOf(one) - placeOf(other));
  return { ...runOrder(inPlace, runsLast), ahead };
}
