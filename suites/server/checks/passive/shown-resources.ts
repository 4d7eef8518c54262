import type { OperationId } from "../../../core/contract/document.ts";
import { type Resource, valuesAt } from "../../../core/contract/resource-fields.ts";
import type { Exchange } from "../../../core/exchange.ts";
import { isObject } from "../../../core/json.ts";

/** The resource in an operation's response, alone or in a list; otherwise why the response isn't judged. */
const RESPONSES: Readonly<Record<OperationId, Resource | "another body" | "not shown">> = {
  createDelivery: "Delivery",
  getDelivery: "Delivery",
  listDeliveries: "Delivery",
  // The responses to changes and cancellations are unspecified (OPEN-149).
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
  // The contents and form of the list of payment types are unspecified (OPEN-79, OPEN-80).
  listPaymentTypes: "not shown",
  // The form of tracking data is unspecified. Its contents have their own checks.
  getTracking: "another body",
  getHealth: "another body",
};

export type Entry = Readonly<Record<string, unknown>>;

/** True if a successful response of the operation contains the resource. */
export const showsResource = (operation: OperationId, resource: Resource): boolean =>
  RESPONSES[operation] === resource;

/** Operations that return a list. */
const LIST_OPERATIONS: readonly OperationId[] = [
  "listDeliveries",
  "listStores",
  "listDeliveryAreas",
  "listProofs",
  "listWebhooks",
];

/**
 * The resources in a response: the entries of its list in any wrapper (OPEN-75, OPEN-111), or the resource
 * itself.
 */
export function entriesOf(operation: OperationId, json: unknown): readonly Entry[] {
  if (!LIST_OPERATIONS.includes(operation)) return isObject(json) ? [json] : [];
  if (Array.isArray(json)) return json.filter(isObject);
  if (!isObject(json)) return [];
  // A response may contain further lists, such as links or warnings (OPEN-27).
  const lists = Array.isArray(json.items) ? [json.items] : Object.values(json).filter(Array.isArray);
  return lists.flat().filter(isObject);
}

/** True if a response is an empty list. */
export const isEmptyList = (operation: OperationId, json: unknown): boolean =>
  LIST_OPERATIONS.includes(operation) &&
  (Array.isArray(json)
    ? json.length === 0
    : isObject(json) && Array.isArray(json.items) && json.items.length === 0);

/** The members of a response with values other than null. */
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
