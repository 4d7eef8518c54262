import { isObject } from "../../../core/json.ts";
import type { Mutants } from "../mutant.ts";
import { alterDocument, movePath } from "../operators/documents.ts";

export const versioningMutants: Mutants = {
  "payment-types-at-another-path": {
    fault: "the payment types are served at /v1/payment_types",
    breaks: [{ clause: "VER-1" }],
    mutate: movePath("/v1/payment-types", "/v1/payment_types"),
  },
  "cancel-by-delete": {
    fault: "a delivery is cancelled by DELETE instead of POST",
    breaks: [{ clause: "VER-1", case: "cancelDelivery" }],
    mutate: alterDocument(({ paths }) => {
      const cancel = paths["/v1/deliveries/{id}/cancel"];
      if (!isObject(cancel)) throw new Error("the document has no cancellation");
      cancel.delete = cancel.post;
      delete cancel.post;
    }),
  },
};
