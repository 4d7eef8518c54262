import { DomainError } from "../../../../reference-server/errors.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterRefusal, wrongStatus } from "../operators/answers.ts";
import { alterSchema } from "../operators/documents.ts";
import { alterCreation, onRefusal, replaceOperation } from "../operators/operations.ts";

const alterDetails = (
  code: string,
  change: (details: Readonly<Record<string, unknown>>) => object | undefined,
) =>
  alterRefusal((failure, original) =>
    original(failure.code === code ? { ...failure, details: change({ ...failure.details }) } : failure),
  );

/** A server that adds the missing end of an object before it parses the body. */
const completeTruncated =
  (operation: string): Mutate =>
  (deps) => ({
    ...deps,
    bodyOf: (route, bytes) => {
      try {
        return deps.bodyOf(route, bytes);
      } catch (error) {
        if (route.operationId !== operation || !Buffer.isBuffer(bytes)) throw error;
        return deps.bodyOf(route, Buffer.concat([bytes, Buffer.from("}")]));
      }
    },
  });

/** The first complete object of a text, or else the whole text. */
function firstValueIn(bytes: Buffer): Buffer {
  const text = bytes.toString("utf8");
  const ends = [...text.matchAll(/\}/g)].map(({ index }) => text.slice(0, index + 1));
  const first = ends.find((candidate) => isJson(candidate));
  return first === undefined ? bytes : Buffer.from(first);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export const errorMutants: Mutants = {
  "validation-without-details": {
    fault: "DOGRULAMA has no details",
    breaks: [{ clause: "ERR-4" }],
    caughtBy: ["errors.validation-names-the-field"],
    mutate: alterDetails("DOGRULAMA", () => undefined),
  },
  "validation-without-details-elsewhere": {
    fault: "DOGRULAMA has no details for notes and description",
    breaks: [{ clause: "ERR-4" }],
    caughtBy: ["errors.validation-names-the-field-elsewhere"],
    mutate: alterDetails("DOGRULAMA", (details) =>
      ["notes", "description"].some((name) => String(details.field).endsWith(name)) ? undefined : details,
    ),
  },
  "validation-names-the-parent": {
    fault: "the details of DOGRULAMA name the body instead of the field",
    breaks: [{ clause: "ERR-4" }],
    caughtBy: ["errors.validation-names-the-field"],
    mutate: alterDetails("DOGRULAMA", ({ reason }) => ({ field: "body", reason })),
  },
  "validation-without-reason": {
    fault: "the details of DOGRULAMA have no reason",
    breaks: [{ clause: "ERR-5" }],
    caughtBy: ["errors.validation-gives-a-reason"],
    mutate: alterDetails("DOGRULAMA", ({ field }) => ({ field })),
  },
  "unlisted-payment-names-no-field": {
    fault: "the error for an unlisted payment.type names no field",
    breaks: [{ clause: "ERR-4", case: "a payment.type that isn't listed" }],
    caughtBy: ["errors.validation-names-the-field"],
    mutate: alterDetails("DOGRULAMA", ({ field, ...rest }) =>
      field === "payment.type" ? rest : { field, ...rest },
    ),
  },
  "unlisted-payment-without-reason": {
    fault: "the error for an unlisted payment.type has no reason",
    breaks: [{ clause: "ERR-5", case: "a payment.type that isn't listed" }],
    caughtBy: ["errors.validation-gives-a-reason"],
    mutate: alterDetails("DOGRULAMA", ({ field, ...rest }) =>
      field === "payment.type" ? { field } : { field, ...rest },
    ),
  },
  "validation-answers-422": {
    fault: "invalid bodies return 422",
    breaks: [{ clause: "ERR-9" }, { clause: "ERR-8" }],
    caughtBy: ["errors.not-json", "passive.code-dogrulama"],
    ...wrongStatus("DOGRULAMA", 422),
  },
  ...forEachElement(
    elementsOf("operations-with-a-body-and-a-token"),
    (operation) => `${operation}-accepts-truncated-json`,
    (operation) => ({
      fault: `${operation} accepts truncated JSON`,
      breaks: breaking(operation, "ERR-9"),
      mutate: completeTruncated(operation),
    }),
  ),
  "text-after-the-json-is-ignored": {
    fault: "text after the JSON of a body is ignored",
    breaks: [
      { clause: "ERR-9", case: "a body followed by a brace" },
      { clause: "ERR-9", case: "two bodies, one after the other" },
    ],
    mutate: (deps) => ({
      ...deps,
      bodyOf: (route, bytes) => deps.bodyOf(route, Buffer.isBuffer(bytes) ? firstValueIn(bytes) : bytes),
    }),
  },
  "change-that-is-not-an-object-accepted": {
    fault: "a change whose body isn't an object is accepted",
    breaks: [{ clause: "ERR-30" }],
    mutate: (deps) => ({
      ...deps,
      bodyOf: (route, bytes) => {
        const body = deps.bodyOf(route, bytes);
        return route.operationId === "updateDelivery" ? { ...Object(body) } : body;
      },
    }),
  },
  "null-body-is-an-error": {
    fault: "an order with a body of null fails with 500",
    breaks: [{ clause: "ERR-30", case: "createDelivery with null" }],
    mutate: alterSchema("NewDelivery", (order) => {
      order.type = ["object", "null"];
    }),
  },
  "list-body-is-an-error": {
    fault: "a quote with an array as its body fails with 500",
    breaks: [{ clause: "ERR-30", case: "createQuote with []" }],
    mutate: alterSchema("QuoteRequest", (quote) => {
      quote.type = ["object", "array"];
    }),
  },
  "null-item-is-an-error": {
    fault: "an order with an item of null fails with 500",
    breaks: [{ clause: "ERR-30", case: "null" }],
    mutate: alterSchema("NewItem", (item) => {
      item.type = ["object", "null"];
    }),
  },
  "text-item-is-an-error": {
    fault: "an item that is a text is accepted and stored without name, quantity and total",
    breaks: [{ clause: "ERR-30", case: '"sipariş"' }],
    mutate: alterSchema("NewItem", (item) => {
      item.type = ["object", "string"];
    }),
  },
  "existing-reference-error-without-id": {
    fault: "EXTERNAL_REF_TEKRAR lacks the existing delivery's id",
    breaks: [{ clause: "ERR-6" }],
    caughtBy: ["errors.taken-reference"],
    mutate: alterDetails("EXTERNAL_REF_TEKRAR", () => undefined),
  },
  "existing-reference-answers-422": {
    fault: "a used external_ref returns 422",
    breaks: [{ clause: "ERR-18" }],
    caughtBy: ["errors.taken-reference"],
    ...wrongStatus("EXTERNAL_REF_TEKRAR", 422),
  },
  "existing-reference-error-with-another-id": {
    fault: "EXTERNAL_REF_TEKRAR contains an id that doesn't exist",
    breaks: [{ clause: "ERR-6" }],
    caughtBy: ["errors.taken-reference"],
    mutate: alterCreation((call, create) =>
      onRefusal("EXTERNAL_REF_TEKRAR", create(call), async () => {
        throw new DomainError("EXTERNAL_REF_TEKRAR", { delivery_id: call.deps.ids.uuid() });
      }),
    ),
  },
  "absent-delivery-answers-410": {
    fault: "reading an unknown delivery returns 410",
    breaks: [{ clause: "ERR-16", case: "getDelivery" }],
    caughtBy: ["errors.absent-records"],
    mutate: replaceOperation("getDelivery", (call, original) =>
      onRefusal("BULUNAMADI", original(call), async () => {
        throw new DomainError("TAKIP_KAPANDI");
      }),
    ),
  },
  "absent-store-answers-400": {
    fault: "an order for an unknown store returns 400",
    breaks: [{ clause: "ERR-16", case: "createDelivery" }],
    caughtBy: ["errors.absent-records"],
    mutate: alterCreation((call, create) =>
      onRefusal("MAGAZA_YOK", create(call), async () => {
        throw new DomainError("DOGRULAMA", { field: "store.external_store_id", reason: "yok" });
      }),
    ),
  },
  "absent-record-with-another-code": {
    fault: "an unknown record returns the code NOT_FOUND",
    breaks: breaking(["getDelivery", "updateDelivery", "cancelDelivery", "getStore"], "ERR-16"),
    caughtBy: ["errors.absent-records"],
    mutate: alterRefusal((failure, original) =>
      original(failure.code === "BULUNAMADI" ? { ...failure, code: "NOT_FOUND" } : failure),
    ),
  },
  "outside-area-without-details": {
    fault: "HIZMET_DISI lacks max_km",
    breaks: [{ clause: "ERR-7" }],
    caughtBy: ["errors.outside-area"],
    mutate: alterDetails("HIZMET_DISI", ({ road_km }) => ({ road_km })),
  },
  "outside-area-answers-400": {
    fault: "a drop-off outside the area returns 400",
    breaks: [{ clause: "ERR-26" }],
    ...wrongStatus("HIZMET_DISI", 400),
  },
};
