import { clause } from "../../../../openapi/generated/clauses.ts";
import { responseSchemaError } from "../../../core/contract/document.ts";
import type { Resource } from "../../../core/contract/resource-fields.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type PassiveCheck, passiveCheck } from "../../check.ts";
import { schemaFaultOf } from "../../evidence/schema-failure.ts";
import { faultInResponse, onResponse } from "./responses.ts";
import { type Entry, entriesOf, isEmptyList, membersShown, showsResource } from "./shown-resources.ts";

interface SpecifiedFields {
  readonly fields: readonly string[];
  /** True for a resource whose fields are specified and must have values. */
  readonly isSpecified: (entry: Entry) => boolean;
}

/**
 * Fields that the specification's tables don't allow to be null. The OpenAPI document allows null, because
 * some deliveries and quotes may lack these fields.
 */
const NEVER_NULL: Readonly<Partial<Record<Resource, SpecifiedFields>>> = {
  // The fields of a test delivery are unspecified (OPEN-13).
  Delivery: { fields: ["tracking_url", "pin_required"], isSpecified: ({ test }) => test !== true },
  // The fields of a quote that isn't serviceable are unspecified (OPEN-61, OPEN-67).
  Quote: {
    fields: ["couriers_on_shift", "expires_at"],
    isSpecified: ({ serviceable }) => serviceable === true,
  },
};

/** Names the first field that is null or missing although it must not be. */
const missingValueIn = (resource: Resource, entries: readonly Entry[]): string | undefined => {
  const { fields, isSpecified } = NEVER_NULL[resource] ?? { fields: [], isSpecified: () => false };
  return entries
    .filter(isSpecified)
    .flatMap((entry) => fields.filter((field) => (entry[field] ?? null) === null))
    .map((field) => `${field} is null or missing`)
    .at(0);
};

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
      const wrong =
        json === undefined
          ? undefined
          : (responseSchemaError(operation, status, json) ??
            missingValueIn(resource, entriesOf(operation, json)));
      return wrong && `the ${status} response to ${operation}: ${wrong}`;
    }),
    commonCause: schemaFaultOf,
  });

export const passiveSchemasChecks: readonly PassiveCheck[] = [
  schemaCheck("Delivery", {
    id: "passive.delivery-schema",
    clauses: [clause["DLV-1"], clause["DLV-65"]],
  }),
  schemaCheck("Store", {
    id: "passive.store-schema",
    clauses: [clause["STORE-1"]],
  }),
  schemaCheck("Quote", {
    id: "passive.quote-schema",
    clauses: [clause["QUOTE-1"], clause["QUOTE-25"]],
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
