import { setTimeout as pause } from "node:timers/promises";
import { pointOf } from "../../../../reference-server/domain/places.ts";
import { rejected } from "../../../../reference-server/errors.ts";
import type { Mutants } from "../mutant.ts";
import { escapedForHtml, withoutMembers } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import {
  acceptUnknownDelivery,
  alterChange,
  alterCustomerChange,
  alterRefusalCode,
  alterUpdate,
  findDelivery,
  overwriteDelivery,
} from "../operators/deliveries.ts";
import { alterProperty } from "../operators/documents.ts";
import { OVERLAP_MS, replaceOperation } from "../operators/operations.ts";

export const changesMutants: Mutants = {
  "concurrent-changes-share-a-version": {
    fault: "concurrent changes give the delivery the same version",
    breaks: [{ clause: "DLV-73" }],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      const before = await findDelivery(call);
      await pause(OVERLAP_MS);
      const reply = await original(call);
      if (before) await overwriteDelivery(call, before.id, { version: before.version + 1 });
      return reply;
    }),
  },
  "concurrent-changes-lose-each-others-fields": {
    fault: "of concurrent changes, each restores the fields that it doesn't name",
    breaks: [{ clause: "PATCH-18" }],
    caughtBy: ["changes.concurrent"],
    mutate: replaceOperation("updateDelivery", async (call, original) => {
      const before = await findDelivery(call);
      await pause(OVERLAP_MS);
      const reply = await original(call);
      const after = await findDelivery(call);
      // Without another change meanwhile, nothing is lost.
      if (before === undefined || after === undefined || after.version <= before.version + 1) return reply;
      const { notes, customer } = before;
      await overwriteDelivery(call, before.id, {
        ...(call.body.notes === undefined && { notes }),
        ...(!call.body.customer && { customer }),
      });
      return reply;
    }),
  },
  "patch-is-not-stored": {
    fault: "a change is in its response, but isn't stored",
    breaks: [{ clause: "PATCH-1" }, { clause: "PATCH-12" }],
    caughtBy: ["changes.notes"],
    mutate: replaceOperation("updateDelivery", (call, original) => {
      const { records } = call.deps;
      const deliveries = { ...records.deliveries, update: async () => {} };
      return original({ ...call, deps: { ...call.deps, records: { ...records, deliveries } } });
    }),
  },
  "address-change-ignores-the-other-fields": {
    fault: "a PATCH with a dropoff changes only the address",
    breaks: [{ clause: "PATCH-1" }],
    caughtBy: ["changes.dropoff"],
    mutate: alterChange((body) => (body.dropoff ? { dropoff: body.dropoff } : body)),
  },
  "patch-cuts-long-notes": {
    fault: "a change cuts notes at 100 characters",
    breaks: [{ clause: "PATCH-1" }],
    caughtBy: ["changes.any-change"],
    mutate: alterChange((body) => ({ ...body, ...(body.notes && { notes: body.notes.slice(0, 100) }) })),
  },
  "patched-name-loses-digits": {
    fault: "a customer's new name loses its digits",
    breaks: [{ clause: "PATCH-1" }],
    caughtBy: ["changes.any-change"],
    mutate: alterCustomerChange((customer) => ({
      ...customer,
      ...(customer.name && { name: customer.name.replaceAll(/\d/g, "") }),
    })),
  },
  "patched-notes-are-appended": {
    fault: "new notes are added to the old ones",
    breaks: [{ clause: "PATCH-1" }, { clause: "PATCH-12" }, { clause: "PATCH-18" }],
    caughtBy: ["changes.notes", "models.life-without-a-courier"],
    mutate: alterChange((body, { notes }) => ({
      ...body,
      ...(typeof body.notes === "string" && { notes: `${notes ?? ""} ${body.notes}`.trim() }),
    })),
  },
  "patched-notes-on-one-line": {
    fault: "spaces and line breaks in new notes are merged into one space",
    breaks: [{ clause: "PATCH-1" }, { clause: "PATCH-12" }],
    caughtBy: ["changes.notes"],
    mutate: alterChange((body) => ({
      ...body,
      ...(typeof body.notes === "string" && { notes: body.notes.replaceAll(/\s+/g, " ") }),
    })),
  },
  "patched-notes-escaped-for-html": {
    fault: "new notes are stored HTML-escaped",
    breaks: [{ clause: "PATCH-1" }, { clause: "PATCH-12" }],
    caughtBy: ["changes.notes"],
    mutate: alterChange((body) => ({ ...body, ...(body.notes && { notes: escapedForHtml(body.notes) }) })),
  },
  "notes-not-cleared-by-null": {
    fault: "notes can't be cleared by null",
    breaks: [{ clause: "PATCH-1" }, { clause: "PATCH-13" }],
    caughtBy: ["changes.notes"],
    mutate: alterChange((body) => (body.notes === null ? withoutMembers(body, "notes") : body)),
  },
  "notes-not-cleared-by-empty-string": {
    fault: "notes can't be cleared by an empty string",
    breaks: [{ clause: "PATCH-12" }],
    caughtBy: ["changes.notes-emptied"],
    mutate: alterChange((body) => (body.notes === "" ? withoutMembers(body, "notes") : body)),
  },
  "patched-ready-at-is-lost": {
    fault: "a new ready_at is accepted, but not stored",
    breaks: [{ clause: "PATCH-7" }],
    mutate: alterChange((body) => (body.ready_at === null ? body : withoutMembers(body, "ready_at"))),
  },
  "null-ready-at-is-refused": {
    fault: "ready_at: null is refused",
    breaks: [{ clause: "PATCH-8" }],
    mutate: alterProperty("DeliveryChange", "ready_at", { $ref: "#/components/schemas/RequestInstant" }),
  },
  "null-ready-at-becomes-1970": {
    fault: "ready_at: null is stored as 1970-01-01T00:00:00Z",
    breaks: [{ clause: "PATCH-8" }],
    mutate: alterChange((body) =>
      body.ready_at === null ? { ...body, ready_at: "1970-01-01T00:00:00Z" } : body,
    ),
  },
  "patched-name-is-lost": {
    fault: "a customer's new name is accepted, but not stored",
    breaks: [{ clause: "PATCH-14" }],
    mutate: alterCustomerChange((customer) => withoutMembers(customer, "name")),
  },
  "patched-name-escaped-for-html": {
    fault: "a customer's new name is stored HTML-escaped",
    breaks: [{ clause: "PATCH-14" }],
    mutate: alterCustomerChange((customer) => ({
      ...customer,
      ...(customer.name && { name: escapedForHtml(customer.name) }),
    })),
  },
  "patched-phone-is-lost": {
    fault: "a customer's new phone number is accepted, but not stored",
    breaks: [{ clause: "PATCH-15" }],
    caughtBy: ["changes.customer-phone"],
    mutate: alterCustomerChange((customer) => withoutMembers(customer, "phone")),
  },
  "patched-phone-stays-national": {
    fault: "a new phone number is returned as it was sent",
    breaks: [{ clause: "PATCH-15", case: "in national format" }],
    caughtBy: ["changes.customer-phone"],
    mutate: replaceOperation("updateDelivery", (call, original) =>
      original({ ...call, deps: { ...call.deps, phone: { international: (text) => text } } }),
    ),
  },
  "patched-extension-is-lost": {
    fault: "a new phone extension is accepted, but not stored",
    breaks: [{ clause: "PATCH-16" }],
    caughtBy: ["changes.customer-name", "changes.phone-extension"],
    mutate: alterCustomerChange((customer) => withoutMembers(customer, "phone_extension")),
  },
  "patched-extension-loses-leading-zeros": {
    fault: "a new phone extension loses its leading zeros",
    breaks: [{ clause: "PATCH-16", case: "0071" }],
    caughtBy: ["changes.phone-extension"],
    mutate: alterCustomerChange((customer) =>
      customer.phone_extension
        ? { ...customer, phone_extension: customer.phone_extension.replace(/^0+(?=.)/, "") }
        : customer,
    ),
  },
  "extension-not-cleared-by-null": {
    fault: "the phone extension can't be removed by null",
    breaks: [{ clause: "PATCH-17", case: "4711" }],
    mutate: alterCustomerChange((customer) =>
      customer.phone_extension === null ? withoutMembers(customer, "phone_extension") : customer,
    ),
  },
  "patched-address-keeps-the-text": {
    fault: "a new dropoff changes the coordinates, but not the text",
    breaks: [{ clause: "PATCH-2" }],
    caughtBy: ["changes.dropoff"],
    mutate: alterUpdate((after, before) => ({
      dropoff: { ...after.dropoff, address: before.dropoff.address },
    })),
  },
  "patched-address-needs-a-point": {
    fault: "a new address without coordinates is accepted, but not stored",
    breaks: [{ clause: "PATCH-2" }],
    caughtBy: ["changes.dropoff-without-coordinates"],
    mutate: alterChange((body) =>
      body.dropoff && pointOf(body.dropoff) === null ? withoutMembers(body, "dropoff") : body,
    ),
  },
  "patched-directions-are-lost": {
    fault: "the directions of a new address are lost",
    breaks: [{ clause: "PATCH-24" }],
    mutate: alterChange((body) =>
      body.dropoff ? { ...body, dropoff: withoutMembers(body.dropoff, "directions") } : body,
    ),
  },
  "patched-directions-before-the-address": {
    fault: "the directions of a new address are put before it",
    breaks: [{ clause: "PATCH-24" }],
    mutate: alterChange((body) => {
      const { text = "", directions } = body.dropoff ?? {};
      if (directions === undefined) return body;
      return { ...body, dropoff: { ...body.dropoff, text: directions, directions: text } };
    }),
  },
  "patched-address-keeps-the-district": {
    fault: "a new address doesn't change neighborhood, district and city",
    breaks: [{ clause: "PATCH-2" }],
    caughtBy: ["changes.dropoff"],
    mutate: alterUpdate(({ dropoff }, { dropoff: { neighborhood, district, city } }) => ({
      dropoff: { ...dropoff, neighborhood, district, city },
    })),
  },
  "patched-address-keeps-the-coordinates": {
    fault: "a new address changes the distance, but dropoff shows the old coordinates",
    breaks: [{ clause: "PATCH-2" }],
    caughtBy: ["changes.dropoff"],
    mutate: alterUpdate(({ dropoff }, before) => ({
      dropoff: { ...dropoff, point: before.dropoff.point ?? dropoff.point },
    })),
  },
  "patched-address-keeps-the-distance": {
    fault: "a new address doesn't change the distance",
    breaks: [{ clause: "PATCH-3" }],
    caughtBy: ["changes.dropoff"],
    mutate: alterUpdate((after, before) => ({ distance_m: before.distance_m ?? after.distance_m })),
  },
  "patch-stores-the-valid-fields": {
    fault: "a change with an invalid field is refused, but its other fields are stored",
    breaks: [{ clause: "PATCH-20" }],
    mutate: compose(
      alterProperty("CustomerChange", "phone_extension", { pattern: undefined, maxLength: undefined }),
      replaceOperation("updateDelivery", async (call, original) => {
        const { customer, ...rest } = call.body;
        const extension = customer?.phone_extension ?? "0";
        if (/^\d{1,20}$/.test(extension)) return original(call);
        await original({ ...call, body: rest });
        throw rejected("customer.phone_extension", "en çok 20 rakam olmalı");
      }),
    ),
  },
  "patch-stores-fields-before-validating-the-address": {
    fault: "a change with an address that isn't a string is refused, but its other fields are stored",
    breaks: [{ clause: "PATCH-20" }],
    mutate: compose(
      alterProperty("DropoffChange", "text", { type: undefined }),
      replaceOperation("updateDelivery", async (call, original) => {
        const { dropoff, ...rest } = call.body;
        if (dropoff === undefined || typeof dropoff.text === "string") return original(call);
        await original({ ...call, body: rest });
        throw rejected("dropoff.text", "metin olmalı");
      }),
    ),
  },
  "changing-an-unknown-delivery-answers-204": {
    fault: "changing an unknown delivery returns 204",
    breaks: [{ clause: "PATCH-21" }],
    mutate: acceptUnknownDelivery("updateDelivery"),
  },
  "changing-an-unknown-delivery-answers-409": {
    fault: "changing an unknown delivery returns SON_DURUM",
    breaks: [{ clause: "PATCH-21" }],
    mutate: alterRefusalCode("updateDelivery", "BULUNAMADI", "SON_DURUM"),
  },
};
