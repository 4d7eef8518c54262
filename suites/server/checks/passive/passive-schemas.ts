import { clause } from "../../../../openapi/generated/clauses.ts";
import { type OperationId, responseFault } from "../../../core/document.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type PassiveCheck, passiveCheck } from "../define.ts";
import { answered, faultOf } from "./responses.ts";

const schemaCheck = (
  resource: string,
  operations: readonly OperationId[],
  facts: Pick<PassiveCheck, "id" | "clauses" | "mutants">,
): PassiveCheck =>
  passiveCheck({
    ...facts,
    title: `every ${resource} in an answer has the stated types`,
    applies: answered((response, { operation }) => isSuccess(response) && operations.includes(operation)),
    fault: faultOf(({ status, json }, { operation }) => {
      const wrong = json === undefined ? undefined : responseFault(operation, status, json);
      return wrong && `the ${status} answer to ${operation}: ${wrong}`;
    }),
  });

/** One schema check for each resource, so that a failure names the clause of the resource that is wrong. */
export const passiveSchemas: readonly PassiveCheck[] = [
  // What a change and a cancellation answer with isn't shown (OPEN-149, OPEN-158).
  schemaCheck("delivery", ["createDelivery", "getDelivery", "listDeliveries"], {
    id: "passive.delivery-schema",
    clauses: [clause["DLV-1"]],
    mutants: ["delivery-package-count-is-text"],
  }),
  schemaCheck("store", ["registerStore", "getStore", "listStores"], {
    id: "passive.store-schema",
    clauses: [clause["STORE-1"]],
    mutants: ["store-latitude-is-text"],
  }),
  schemaCheck("quote", ["createQuote"], {
    id: "passive.quote-schema",
    clauses: [clause["QUOTE-1"]],
    mutants: ["quote-serviceable-is-text"],
  }),
  schemaCheck("proof", ["listProofs"], {
    id: "passive.proof-schema",
    clauses: [clause["PROOF-1"]],
    mutants: ["photo-size-is-text"],
  }),
  schemaCheck("delivery-area", ["listDeliveryAreas"], {
    id: "passive.delivery-area-schema",
    clauses: [clause["AREA-1"]],
    mutants: ["area-radius-is-text"],
  }),
];
