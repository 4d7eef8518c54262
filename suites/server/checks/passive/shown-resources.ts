import type { OperationId } from "../../../core/contract/document.ts";
import { type Resource, valuesAt } from "../../../core/contract/resource-fields.ts";
import type { Exchange } from "../../../core/exchange.ts";
import { isObject } from "../../../core/json.ts";

/**
 * The resource that an operation's response contains, alone or in a list, or why there is no resource to check.
 */
const RESPONSES: Readonly<Record<OperationId, Resource | "another body" | "no body" | "unspecified">> = {
  createDelivery: "Delivery",
  getDelivery: "Delivery",
  listDeliveries: "Delivery",
  // The responses to changes and cancellations are unspecified (OPEN-149).
  updateDelivery: "unspecified",
  cancelDelivery: "unspecified",
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
  deleteWebhook: "no body",
  obtainToken: "another body",
  // The contents and the form of the list of payment types are unspecified (OPEN-79, OPEN-80).
  listPaymentTypes: "unspecified",
  // Other checks test what tracking data contains.
  getTracking: "unspecified",
  getHealth: "another body",
};

export type Entry = Readonly<Record<string, unknown>>;

/** True if a successful response of the operation contains the resource. */
export const showsResource = (operation: OperationId, resource: Resource): boolean =>
  RESPONSES[operation] === resource;

/** The operations that return a list of resources. */
const LIST_OPERATIONS: readonly OperationId[] = [
  "listDeliveries",
  "listStores",
  "listDeliveryAreas",
  "listProofs",
  "listWebhooks",
];

/**
 * The resources in a response: the entries of a list in any wrapper (OPEN-75, OPEN-111), or a single resource.
 */
export function entriesOf(operation: OperationId, json: unknown): readonly Entry[] {
  if (!LIST_OPERATIONS.includes(operation)) return isObject(json) ? [json] : [];
  if (Array.isArray(json)) return json.filter(isObject);
  if (!isObject(json)) return [];
  // Other arrays next to `items` may be additional fields, such as links or warnings (OPEN-27).
  const lists = Array.isArray(json.items) ? [json.items] : Object.values(json).filter(Array.isArray);
  return lists.flat().filter(isObject);
}

/**
 * True for an empty list that is the whole body or in `items`. An empty list in another wrapper isn't
 * recognised.
 */
export const isEmptyList = (operation: OperationId, json: unknown): boolean =>
  LIST_OPERATIONS.includes(operation) &&
  (Array.isArray(json)
    ? json.length === 0
    : isObject(json) && Array.isArray(json.items) && json.items.length === 0);

/** The members in `members` that aren't null in at least one resource of the response. */
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
