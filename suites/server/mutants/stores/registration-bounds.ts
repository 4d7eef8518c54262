import type { Mutant } from "../mutant.ts";
import { alterProperty } from "../operators/documents.ts";

export const registrationBoundsMutants = {
  "store-name-of-any-type-taken": {
    fault: "a store's name may be anything",
    breaks: [{ clause: "REG-17", case: "name that is an object" }],
    mutate: alterProperty("StoreRegistration", "name", { type: undefined }),
  },
  "store-latitude-of-any-type-taken": {
    fault: "a latitude that is no number counts as none",
    breaks: [{ clause: "REG-17", case: "address.lat that is a word" }],
    mutate: alterProperty("StoreAddress", "lat", { type: undefined }),
  },
  "store-id-of-80-refused": {
    fault: "external_store_id must have fewer than 80 characters",
    breaks: [{ clause: "LIMIT-17" }],
    mutate: alterProperty("StoreRegistration", "external_store_id", { maxLength: 79 }),
  },
  "store-id-cut-at-64": {
    fault: "external_store_id is cut at 64 characters, silently",
    breaks: [{ clause: "LIMIT-17" }],
    mutate: (parts) => ({
      ...parts,
      operations: {
        ...parts.operations,
        registerStore: (call) => {
          const external_store_id = call.body.external_store_id.slice(0, 64);
          return parts.operations.registerStore({ ...call, body: { ...call.body, external_store_id } });
        },
      },
    }),
  },
} satisfies Record<string, Mutant>;
