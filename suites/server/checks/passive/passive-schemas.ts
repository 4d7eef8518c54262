import { clause } from "../../../../openapi/generated/clauses.ts";
import { type OperationId, responseSchemaError } from "../../../core/contract/document.ts";
import { isObject } from "../../../core/json.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type PassiveCheck, passiveCheck } from "../define.ts";
import { faultInResponse, onResponse } from "./responses.ts";

type Resource = "delivery" | "store" | "quote" | "proof" | "delivery-area";

/** The resource that an operation answers with, alone or in a list; or why none is looked at here. */
const ANSWERS: Readonly<Record<OperationId, Resource | "looked at in a group of its own" | "not shown">> = {
  createDelivery: "delivery",
  getDelivery: "delivery",
  listDeliveries: "delivery",
  // What a change and a cancellation answer with is open (OPEN-149).
  updateDelivery: "not shown",
  cancelDelivery: "not shown",
  registerStore: "store",
  getStore: "store",
  listStores: "store",
  createQuote: "quote",
  listDeliveryAreas: "delivery-area",
  listProofs: "proof",
  getProof: "looked at in a group of its own",
  createWebhook: "looked at in a group of its own",
  rotateWebhookSecret: "looked at in a group of its own",
  listWebhooks: "looked at in a group of its own",
  testWebhook: "looked at in a group of its own",
  deleteWebhook: "not shown",
  obtainToken: "looked at in a group of its own",
  // What the list of payment types holds, and how, is open (OPEN-79, OPEN-80).
  listPaymentTypes: "not shown",
  // What tracking data looks like is open; what it may hold is looked at in its own group.
  getTracking: "looked at in a group of its own",
  getHealth: "looked at in a group of its own",
};

type Entry = Readonly<Record<string, unknown>>;

/** Fields that the tables give neither null nor a condition, though the document takes one where a point is open for some records. */
const NEVER_NULL: Readonly<Partial<Record<Resource, (entry: Entry) => readonly string[]>>> = {
  // What a test delivery shows is open (OPEN-13).
  delivery: ({ test }) => (test === true ? [] : ["tracking_url", "pin_required"]),
  // What a refusal shows is open (OPEN-61, OPEN-67).
  quote: ({ serviceable }) => (serviceable === true ? ["couriers_on_shift", "expires_at"] : []),
};

/** The records of an answer: what is in its list, or the one that it is, whose own lines are called items too. */
function entriesOf(json: unknown): readonly Entry[] {
  if (!isObject(json)) return [];
  return Array.isArray(json.items) && !("id" in json) ? json.items.filter(isObject) : [json];
}

const isEmptyList = (json: unknown): boolean =>
  Array.isArray(json)
    ? json.length === 0
    : isObject(json) && Array.isArray(json.items) && !("id" in json) && json.items.length === 0;

/** A field of the resource that is null or left out where it may not be. */
const missingIn = (resource: Resource, json: unknown): string | undefined =>
  entriesOf(json)
    .flatMap((entry) =>
      (NEVER_NULL[resource]?.(entry) ?? []).filter((field) => (entry[field] ?? null) === null),
    )
    .map((field) => `${field} is null, or left out`)
    .at(0);

const schemaCheck = (
  resource: Resource,
  metadata: Pick<PassiveCheck, "id" | "clauses" | "mutants">,
): PassiveCheck =>
  passiveCheck({
    ...metadata,
    title: `every ${resource} in an answer has the stated types`,
    // An empty list shows no record; what holds none that could be read is looked at all the same.
    applies: onResponse(
      (response, { operation }) =>
        isSuccess(response) && ANSWERS[operation] === resource && !isEmptyList(response.json),
    ),
    fault: faultInResponse(({ status, json }, { operation }) => {
      const wrong =
        json === undefined
          ? undefined
          : (responseSchemaError(operation, status, json) ?? missingIn(resource, json));
      return wrong && `the ${status} answer to ${operation}: ${wrong}`;
    }),
  });

/** One schema check for each resource, so that a failure names the clause of the resource that is wrong. */
export const passiveSchemasChecks: readonly PassiveCheck[] = [
  schemaCheck("delivery", {
    id: "passive.delivery-schema",
    clauses: [clause["DLV-1"], clause["DLV-65"]],
    mutants: [
      "delivery-package-count-is-text",
      "tracking-url-null-until-assigned",
      "pin-required-null-unless-asked-for",
    ],
  }),
  schemaCheck("store", {
    id: "passive.store-schema",
    clauses: [clause["STORE-1"]],
    mutants: ["store-latitude-is-text"],
  }),
  schemaCheck("quote", {
    id: "passive.quote-schema",
    clauses: [clause["QUOTE-1"], clause["QUOTE-25"]],
    mutants: ["quote-serviceable-is-text", "quote-couriers-are-null", "quote-expires-never"],
  }),
  schemaCheck("proof", {
    id: "passive.proof-schema",
    clauses: [clause["PROOF-1"]],
    mutants: ["photo-size-is-text"],
  }),
  schemaCheck("delivery-area", {
    id: "passive.delivery-area-schema",
    clauses: [clause["AREA-1"]],
    mutants: ["area-radius-is-text"],
  }),
];
