import type { Delivery } from "../../../../reference-server/domain/model.ts";
import { rejected } from "../../../../reference-server/errors.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { compose } from "../operators/compose.ts";
import { alterChange, findDelivery } from "../operators/deliveries.ts";
import { alterProperty } from "../operators/documents.ts";
import { replaceOperation } from "../operators/operations.ts";

const acceptLongNotesWhile = (status: Delivery["status"]): Mutate =>
  compose(
    alterProperty("DeliveryChange", "notes", { maxLength: undefined }),
    replaceOperation("updateDelivery", async (call, original) => {
      const isLong = (call.body.notes ?? "").length > 500;
      if (isLong && (await findDelivery(call))?.status !== status)
        throw rejected("notes", "en çok 500 karakter olmalı");
      return original(call);
    }),
  );

export const changeBoundsMutants: Mutants = {
  "assigned-delivery-accepts-long-notes": {
    fault: "a PATCH may set notes of any length once a courier is assigned",
    breaks: [{ clause: "PATCH-25" }],
    mutate: acceptLongNotesWhile("ASSIGNED"),
  },
  "courier-at-pickup-accepts-long-notes": {
    fault: "a PATCH may set notes of any length while the courier is at the restaurant",
    breaks: [{ clause: "PATCH-25" }],
    mutate: acceptLongNotesWhile("AT_PICKUP"),
  },
  "changed-ready-at-without-zone-accepted": {
    fault: "a PATCH accepts a ready_at without a time zone",
    breaks: [{ clause: "GEN-10" }],
    caughtBy: ["change-bounds.ready-at-zone"],
    mutate: alterProperty("DeliveryChange", "ready_at", { $ref: undefined, type: ["string", "null"] }),
  },
  "changed-notes-of-501-accepted": {
    fault: "a PATCH may set notes of 501 characters",
    breaks: [{ clause: "PATCH-19" }],
    caughtBy: ["change-bounds.notes-maxlength"],
    mutate: alterProperty("DeliveryChange", "notes", { maxLength: 501 }),
  },
  "changed-notes-of-500-refused": {
    fault: "a PATCH must set notes of fewer than 500 characters",
    breaks: [{ clause: "PATCH-12" }],
    caughtBy: ["change-bounds.notes-maxlength"],
    mutate: alterProperty("DeliveryChange", "notes", { maxLength: 499 }),
  },
  "changed-notes-cut-at-255": {
    fault: "a PATCH cuts notes at 255 characters",
    breaks: [{ clause: "PATCH-12" }],
    caughtBy: ["change-bounds.notes-maxlength"],
    mutate: alterChange((body) => ({ ...body, ...(body.notes && { notes: body.notes.slice(0, 255) }) })),
  },
  "changed-notes-counted-in-bytes": {
    fault: "a PATCH must set notes of at most 500 bytes",
    breaks: [{ clause: "PATCH-12" }],
    caughtBy: ["change-bounds.notes-maxlength"],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      if (Buffer.byteLength(call.body.notes ?? "") > 500) throw rejected("notes", "en çok 500 bayt olmalı");
      return original(call);
    }),
  },
  "refused-notes-are-kept": {
    fault: "a PATCH with too long notes is refused, but stores them cut",
    breaks: [{ clause: "PATCH-19" }],
    caughtBy: ["change-bounds.notes-maxlength", "models.life-without-a-courier"],
    mutate: compose(alterProperty("DeliveryChange", "notes", { maxLength: undefined }), (deps) => ({
      ...deps,
      operations: {
        ...deps.operations,
        updateDelivery: async (call) => {
          const { notes } = call.body;
          if (!notes || notes.length <= 500) return deps.operations.updateDelivery(call);
          await deps.operations.updateDelivery({ ...call, body: { notes: notes.slice(0, 500) } });
          throw rejected("notes", "en çok 500 karakter olmalı");
        },
      },
    })),
  },
  "changed-extension-with-letters-accepted": {
    fault: "a PATCH may set a phone extension with letters",
    breaks: [{ clause: "PATCH-19" }],
    caughtBy: ["change-bounds.customer-phone-extension-pattern"],
    mutate: alterProperty("CustomerChange", "phone_extension", { pattern: "^[0-9a-z]+$" }),
  },
  "changed-extension-of-21-accepted": {
    fault: "a PATCH may set a phone extension of 21 digits",
    breaks: [{ clause: "PATCH-19" }],
    caughtBy: ["change-bounds.customer-phone-extension-maxlength"],
    mutate: alterProperty("CustomerChange", "phone_extension", { maxLength: 21 }),
  },
  "changed-extension-of-20-refused": {
    fault: "a PATCH must set a phone extension of fewer than 20 digits",
    breaks: [{ clause: "PATCH-16" }],
    caughtBy: ["change-bounds.customer-phone-extension-maxlength"],
    mutate: alterProperty("CustomerChange", "phone_extension", { maxLength: 19 }),
  },
  "changed-name-of-any-type-accepted": {
    fault: "a PATCH accepts a customer.name of any type",
    breaks: [{ clause: "ERR-8", case: "customer.name that is an object" }],
    caughtBy: ["change-bounds.other-fields"],
    mutate: alterProperty("CustomerChange", "name", { type: undefined }),
  },
};
