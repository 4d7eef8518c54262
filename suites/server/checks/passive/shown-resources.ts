import type { OperationId } from "../../../core/contract/document.ts";
import { type Resource, valuesAt } from "../../../core/contract/resource-fields.ts";
import type { Exchange } from "../../../core/exchange.ts";
import { isObject } from "../../../core/json.ts";

/** The resource that an operation answers with, alone or in a list; or why none is looked at. */
const ANSWERS: Readonly<Record<OperationId, Resource | "another body" | "not shown">> = {
  createDelivery: "Delivery",
  getDelivery: "Delivery",
  listDeliveries: "Delivery",
  // What a change and a cancellation answer with is open (OPEN-149).
  updateDelivery: "not shown",
  cancelDelivery: "not shown",
  registerStore: "Store",
  getStore: "Store",
  listStores: "Store",
  createQuote: "Quote",
  listDeliveryAreas: "DeliveryArea",
  listProofs: "Proof",
  getProof: "another body",
  createWebhook: "Webhook",
  rotateWebhookSecret: "Webhook",
  listWebhooks: "Webhook",
  testWebhook: "another body",
  deleteWebhook: "not shown",
  obtainToken: "another body",
  // What the list of payment types holds, and how, is open (OPEN-79, OPEN-80).
  listPaymentTypes: "not shown",
  // What tracking data looks like is open; what it may hold is looked at in its own group.
  getTracking: "another body",
  getHealth: "another body",
};

export type Entry = Readonly<Record<string, unknown>>;

/** Whether a successful answer to the operation shows the resource. */
export const showsResource = (operation: OperationId, resource: Resource): boolean =>
  ANSWERS[operation] === resource;

/** Operations that answer with a list of what they show. */
const LISTING: readonly OperationId[] = [
  "listDeliveries",
  "listStores",
  "listDeliveryAreas",
  "listProofs",
  "listWebhooks",
];

/** The records of an answer: what is in its list, whatever the wrapper (OPEN-75, OPEN-111), or the one that it is. */
export function entriesOf(operation: OperationId, json: unknown): readonly Entry[] {
  if (!LISTING.includes(operation)) return isObject(json) ? [json] : [];
  if (Array.isArray(json)) return json.filter(isObject);
  if (!isObject(json)) return [];
  // Beside the list there may be others, of links or warnings (OPEN-27).
  const lists = Array.isArray(json.items) ? [json.items] : Object.values(json).filter(Array.isArray);
  return lists.flat().filter(isObject);
}

/** Whether an answer is a list that holds nothing. */
export const isEmptyList = (operation: OperationId, json: unknown): boolean =>
  LISTING.includes(operation) &&
  (Array.isArray(json)
    ? json.length === 0
    : isObject(json) && Array.isArray(json.items) && json.items.length === 0);

/** Which of these members an answer shows as something else than null. */
export function membersShown(
  { operation, response }: Pick<Exchange, "operation" | "response">,
  members: readonly string[],
): readonly string[] {
  if (members.length === 0) return [];
  const entries = entriesOf(operation, response?.json);
  return members.filter((member) =>
    entries.some((entry) => valuesAt(entry, member).some((value) => (value ?? null) !== null)),
  );
}
