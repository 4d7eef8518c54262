import { clause } from "../../../../openapi/generated/clauses.ts";
import { type OperationId, responseSchemaError } from "../../../core/contract/document.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type PassiveCheck, passiveCheck } from "../../check.ts";
import { schemaFaultOf } from "../../evidence/schema-failure.ts";
import { faultInResponse, onResponse } from "./responses.ts";
import { type Entry, entriesOf, isEmptyList, membersShown, showsResource } from "./shown-resources.ts";

type Metadata = Pick<PassiveCheck, "id" | "clauses">;

const RESOURCE_WORDS = {
  Delivery: "delivery",
  Store: "store",
  Quote: "quote",
  Proof: "proof",
  DeliveryArea: "delivery-area",
} as const;

/**
 * The coverage sets of each resource: its members with a documented type, and those that are never null. Both include
 * the members of nested objects.
 */
const MEMBER_SETS = {
  Delivery: ["members-of-a-delivery", "never-null-members-of-a-delivery"],
  Store: ["members-of-a-store", "never-null-members-of-a-store"],
  Quote: ["members-of-a-quote", "never-null-members-of-a-quote"],
  Proof: ["members-of-a-proof", "never-null-members-of-a-proof"],
  DeliveryArea: ["members-of-a-delivery-area", "never-null-members-of-a-delivery-area"],
} as const;

const schemaCheck = (resource: keyof typeof RESOURCE_WORDS, metadata: Metadata): PassiveCheck =>
  passiveCheck({
    ...metadata,
    title: `every ${RESOURCE_WORDS[resource]} in a response matches its schema`,
    // An empty list has no entry to judge, but a list whose entries are all invalid is judged.
    applies: onResponse(
      (response, { operation }) =>
        isSuccess(response) && showsResource(operation, resource) && !isEmptyList(operation, response.json),
    ),
    coverage: {
      sets: MEMBER_SETS[resource],
      elements: membersShown,
    },
    fault: faultInResponse(({ status, json }, { operation }) => {
      const wrong = json === undefined ? undefined : responseSchemaError(operation, status, json);
      return wrong && `the ${status} response to ${operation}: ${wrong}`;
    }),
    commonCause: schemaFaultOf,
  });

interface RequiredValues extends Metadata {
  readonly title: string;
  readonly fields: readonly string[];
  /** True for a resource whose fields are specified. */
  readonly isSpecified: (entry: Entry) => boolean;
}

/**
 * A check of fields that the specification's tables don't allow to be null. The OpenAPI document allows null, because
 * some deliveries and quotes may lack these fields.
 */
function requiredValuesCheck(
  resource: keyof typeof RESOURCE_WORDS,
  { fields, isSpecified, ...metadata }: RequiredValues,
): PassiveCheck {
  const specifiedIn = (operation: OperationId, json: unknown) =>
    showsResource(operation, resource) ? entriesOf(operation, json).filter(isSpecified) : [];
  return passiveCheck({
    ...metadata,
    applies: onResponse(
      (response, { operation }) => isSuccess(response) && specifiedIn(operation, response.json).length > 0,
    ),
    fault: faultInResponse(({ status, json }, { operation }) => {
      const missing = specifiedIn(operation, json)
        .flatMap((entry) => fields.filter((field) => (entry[field] ?? null) === null))
        .at(0);
      return missing && `the ${status} response to ${operation}: ${missing} is null or missing`;
    }),
  });
}

export const passiveSchemasChecks: readonly PassiveCheck[] = [
  schemaCheck("Delivery", {
    id: "passive.delivery-schema",
    clauses: [clause["DLV-1"]],
  }),
  requiredValuesCheck("Delivery", {
    id: "passive.delivery-values",
    title: "every delivery in a response that isn't a test has tracking_url and pin_required",
    clauses: [clause["DLV-65"]],
    fields: ["tracking_url", "pin_required"],
    // The fields of a test delivery are unspecified (OPEN-13).
    isSpecified: ({ test }) => test !== true,
  }),
  schemaCheck("Store", {
    id: "passive.store-schema",
    clauses: [clause["STORE-1"]],
  }),
  schemaCheck("Quote", {
    id: "passive.quote-schema",
    clauses: [clause["QUOTE-1"]],
  }),
  requiredValuesCheck("Quote", {
    id: "passive.quote-values",
    title: "every serviceable quote has couriers_on_shift and expires_at",
    clauses: [clause["QUOTE-25"]],
    fields: ["couriers_on_shift", "expires_at"],
    // The fields of a quote that isn't serviceable are unspecified (OPEN-61, OPEN-67).
    isSpecified: ({ serviceable }) => serviceable === true,
  }),
  schemaCheck("Proof", {
    id: "passive.proof-schema",
    clauses: [clause["PROOF-1"]],
  }),
  schemaCheck("DeliveryArea", {
    id: "passive.delivery-area-schema",
    clauses: [clause["AREA-1"]],
  }),
];
