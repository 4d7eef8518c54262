import { rejected } from "../../../../reference-server/errors.ts";
import type { Mutant } from "../mutant.ts";
import { together } from "../operators/compose.ts";
import { property } from "../operators/documents.ts";

export const changeBoundsMutants = {
  "changed-ready-at-without-zone-taken": {
    fault: "a PATCH takes a ready_at without a time zone for local time",
    mutate: property("DeliveryChange", "ready_at", { $ref: undefined, type: ["string", "null"] }),
  },
  "changed-notes-of-501-taken": {
    fault: "a PATCH may set notes of 501 characters",
    mutate: property("DeliveryChange", "notes", { maxLength: 501 }),
  },
  "changed-notes-of-500-refused": {
    fault: "a PATCH must set notes of fewer than 500 characters",
    mutate: property("DeliveryChange", "notes", { maxLength: 499 }),
  },
  "refused-notes-are-kept": {
    fault: "notes that are too long are cut and written before they are refused",
    mutate: together(property("DeliveryChange", "notes", { maxLength: undefined }), (parts) => ({
      ...parts,
      operations: {
        ...parts.operations,
        updateDelivery: async (call) => {
          const { notes } = call.body;
          if (!notes || notes.length <= 500) return parts.operations.updateDelivery(call);
          await parts.operations.updateDelivery({ ...call, body: { notes: notes.slice(0, 500) } });
          throw rejected("notes", "en çok 500 karakter olmalı");
        },
      },
    })),
  },
  "changed-extension-with-letters-taken": {
    fault: "a PATCH may set a phone extension with letters",
    mutate: property("CustomerChange", "phone_extension", { pattern: "^[0-9a-z]+$" }),
  },
  "changed-extension-of-21-taken": {
    fault: "a PATCH may set a phone extension of 21 digits",
    mutate: property("CustomerChange", "phone_extension", { maxLength: 21 }),
  },
  "changed-extension-of-20-refused": {
    fault: "a PATCH must set a phone extension of fewer than 20 digits",
    mutate: property("CustomerChange", "phone_extension", { maxLength: 19 }),
  },
  "changed-name-of-any-type-taken": {
    fault: "a PATCH may set customer.name to anything",
    mutate: property("CustomerChange", "name", { type: undefined }),
  },
} satisfies Record<string, Mutant>;
