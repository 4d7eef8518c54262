import { DomainError } from "../../../../reference-server/errors.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants } from "../mutant.ts";
import { alterProperty } from "../operators/documents.ts";
import { replaceOperation } from "../operators/operations.ts";

function refuseLongId<Call>(call: Call, external_store_id: string): Call {
  if (external_store_id.length > 64) throw new DomainError("DOGRULAMA");
  return call;
}

export const registrationBoundsMutants: Mutants = {
  "store-name-of-any-type-accepted": {
    fault: "a store's name may have any type",
    breaks: [{ clause: "REG-17", case: "name that is an object" }],
    mutate: alterProperty("StoreRegistration", "name", { type: undefined }),
  },
  "store-latitude-of-any-type-accepted": {
    fault: "a latitude that isn't a number counts as missing",
    breaks: [{ clause: "REG-17", case: "address.lat that is a string" }],
    mutate: alterProperty("StoreAddress", "lat", { type: undefined }),
  },
  "store-id-of-80-refused": {
    fault: "external_store_id must have fewer than 80 characters",
    breaks: [{ clause: "LIMIT-17" }],
    mutate: alterProperty("StoreRegistration", "external_store_id", { maxLength: 79 }),
  },
  "store-id-cut-at-64": {
    fault: "a long external_store_id is accepted and cut",
    breaks: [{ clause: "LIMIT-17" }],
    mutate: (deps) => ({
      ...deps,
      operations: {
        ...deps.operations,
        registerStore: (call) => {
          const external_store_id = call.body.external_store_id.slice(0, 64);
          return deps.operations.registerStore({ ...call, body: { ...call.body, external_store_id } });
        },
      },
    }),
  },
  "getStore-finds-ids-up-to-64-characters": {
    fault: "a store with a long external_store_id can't be read",
    breaks: [{ clause: "LIMIT-17" }],
    mutate: replaceOperation("getStore", (call, original) =>
      original(refuseLongId(call, call.path.external_store_id)),
    ),
  },
  "createDelivery-finds-ids-up-to-64-characters": {
    fault: "a store with a long external_store_id can't receive orders",
    breaks: breaking("createDelivery", "LIMIT-17"),
    mutate: replaceOperation("createDelivery", (call, original) =>
      original(refuseLongId(call, call.body.store.external_store_id)),
    ),
  },
  "createQuote-finds-ids-up-to-64-characters": {
    fault: "no quote is issued for a store with a long external_store_id",
    breaks: breaking("createQuote", "LIMIT-17"),
    mutate: replaceOperation("createQuote", (call, original) =>
      original(refuseLongId(call, call.body.store.external_store_id)),
    ),
  },
  "listDeliveries-finds-ids-up-to-64-characters": {
    fault: "the list can't be filtered by a long external_store_id",
    breaks: breaking("listDeliveries", "LIMIT-17"),
    mutate: replaceOperation("listDeliveries", (call, original) =>
      original(refuseLongId(call, call.query.external_store_id ?? "")),
    ),
  },
};
