import type { Delivery } from "../../../../reference-server/domain/model.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterDelivery, asLocalTime, shiftInstant } from "../operators/answers.ts";
import { alterOrder } from "../operators/operations.ts";

const HOUR_MS = 3_600_000;

/** A server that returns the first tracking_url for all deliveries with the same name. */
const withSharedTrackingUrl =
  (nameOf: (delivery: Delivery) => readonly unknown[]): Mutate =>
  (deps) => {
    const urls = new Map<string, unknown>();
    const share = alterDelivery(({ tracking_url }, delivery) => {
      const name = JSON.stringify(nameOf(delivery));
      const shared = urls.get(name) ?? tracking_url;
      urls.set(name, shared);
      return { tracking_url: shared };
    });
    return share(deps);
  };

/** A server that returns numbers of a certain form in its own way. */
const showPhonesLike =
  (form: RegExp, show: (text: string) => string): Mutate =>
  (deps) => {
    const international = (text: string) => (form.test(text) ? show(text) : deps.phone.international(text));
    return { ...deps, phone: { ...deps.phone, international } };
  };

const omitNullsIf = (applies: (shown: Schemas["Delivery"]) => boolean): Mutate =>
  alterDelivery((shown) =>
    Object.fromEntries(
      Object.entries(shown).map(([key, value]) => [key, applies(shown) ? (value ?? undefined) : value]),
    ),
  );

export const deliveryFieldsMutants: Mutants = {
  "null-fields-omitted": {
    fault: "null fields are omitted",
    breaks: [{ clause: "DLV-2" }],
    mutate: omitNullsIf(() => true),
  },
  "null-fields-omitted-without-coordinates": {
    fault: "null fields are omitted in a delivery without coordinates",
    breaks: [{ clause: "DLV-2", case: "a delivery that waits for coordinates" }],
    mutate: omitNullsIf(({ status }) => status === "RECEIVED"),
  },
  "null-fields-omitted-once-cancelled": {
    fault: "null fields are omitted in a cancelled delivery",
    breaks: [{ clause: "DLV-2", case: "a cancelled delivery" }],
    mutate: omitNullsIf(({ status }) => status === "CANCELLED"),
  },
  "dropoff-without-ref": {
    fault: "dropoff lacks ref",
    breaks: [{ clause: "DLV-14", case: "ref" }],
    mutate: alterDelivery(({ dropoff }) => ({ dropoff: { ...dropoff, ref: undefined } })),
  },
  "courier-is-empty-object": {
    fault: "courier is an empty object instead of null until one is assigned",
    breaks: [{ clause: "DLV-10" }, { clause: "DLV-101" }],
    caughtBy: ["delivery-fields.no-later-times", "event-kinds.offered"],
    mutate: alterDelivery(({ courier }) => ({ courier: courier ?? {} })),
  },
  "collected-type-is-the-payment-type": {
    fault: "collected_type is the payment type from the start",
    breaks: [{ clause: "DLV-21" }],
    mutate: alterDelivery(({ payment }) => ({
      payment: { ...payment, collected_type: payment.collected_type ?? payment.type },
    })),
  },
  "picked-up-at-from-the-start": {
    fault: "picked_up_at is the time of the last change until the pick-up",
    breaks: [{ clause: "DLV-48" }],
    caughtBy: ["delivery-fields.no-later-times"],
    mutate: alterDelivery(({ picked_up_at, updated_at }) => ({ picked_up_at: picked_up_at ?? updated_at })),
  },
  "address-with-the-country": {
    fault: "dropoff.text has the country appended",
    breaks: [{ clause: "DLV-12" }],
    mutate: alterDelivery(({ dropoff }) => ({ dropoff: { ...dropoff, text: `${dropoff.text}, Türkiye` } })),
  },
  "directions-before-the-address": {
    fault: "dropoff.text has the directions before the address",
    breaks: [{ clause: "DLV-13" }],
    mutate: alterDelivery(({ dropoff }, { dropoff: { address, directions } }) => ({
      dropoff: { ...dropoff, text: directions === null ? address : `${directions}, ${address}` },
    })),
  },
  "directions-lost-without-coordinates": {
    fault: "dropoff.text lacks the directions if there are no coordinates",
    breaks: [{ clause: "DLV-13", case: "without coordinates" }],
    mutate: alterDelivery(({ dropoff }, { dropoff: { address, point } }) => ({
      dropoff: { ...dropoff, text: point === null ? address : dropoff.text },
    })),
  },
  "directions-are-lost": {
    fault: "dropoff.text lacks the directions",
    breaks: [{ clause: "DLV-13" }],
    mutate: alterDelivery(({ dropoff }, { dropoff: { address } }) => ({
      dropoff: { ...dropoff, text: address },
    })),
  },
  "directions-cut-at-255": {
    fault: "directions are cut at 255 characters",
    breaks: [{ clause: "DLV-13", case: "with 300 letters each" }],
    mutate: alterOrder((body) => ({
      ...body,
      dropoff: { ...body.dropoff, directions: body.dropoff.directions?.slice(0, 255) },
    })),
  },
  "address-cut-at-255": {
    fault: "the address is cut at 255 characters",
    breaks: [{ clause: "DLV-13", case: "with 300 letters each" }],
    mutate: alterOrder((body) => ({
      ...body,
      dropoff: { ...body.dropoff, text: body.dropoff.text.slice(0, 255) },
    })),
  },
  "candidates-are-an-object": {
    fault: "candidates is an object instead of an array",
    breaks: [{ clause: "DLV-15", case: "without coordinates" }],
    mutate: alterDelivery(({ dropoff }) => ({
      dropoff: { ...dropoff, candidates: dropoff.candidates && { ...dropoff.candidates } },
    })),
  },
  "phone-shown-as-sent": {
    fault: "a phone number is returned as it was sent",
    breaks: [{ clause: "DLV-25" }],
    mutate: (deps) => ({ ...deps, phone: { ...deps.phone, international: (text) => text } }),
  },
  "phone-keeps-its-national-zero": {
    fault: "a national phone number keeps its leading zero after the country code",
    breaks: [{ clause: "DLV-25" }],
    mutate: showPhonesLike(/^0[1-9]/, (text) => `+90${text}`),
  },
  "landline-stays-national": {
    fault: "a landline number is returned in national form",
    breaks: breaking(["landline"], "DLV-25"),
    mutate: showPhonesLike(/^0[234]\d{9}$/, (text) => text),
  },
  "phone-with-spaces-stays-national": {
    fault: "a national number with spaces is returned as it was sent",
    breaks: [{ clause: "DLV-25" }],
    mutate: showPhonesLike(/^0.* /, (text) => text),
  },
  "cancel-reason-from-the-start": {
    fault: "cancel_reason is an empty string instead of null before a cancellation",
    breaks: [{ clause: "DLV-60" }],
    caughtBy: ["delivery-fields.no-later-times"],
    mutate: alterDelivery(({ cancel_reason }) => ({ cancel_reason: cancel_reason ?? "YOK" })),
  },
  "failure-reason-from-the-start": {
    fault: "failure_reason is a text instead of null before a failure",
    breaks: [{ clause: "DLV-60" }],
    caughtBy: ["delivery-fields.no-later-times"],
    mutate: alterDelivery(({ failure_reason }) => ({ failure_reason: failure_reason ?? "YOK" })),
  },
  "tracking-url-null-until-assigned": {
    fault: "tracking_url is null until a courier is assigned",
    breaks: [{ clause: "DLV-65" }],
    mutate: alterDelivery(({ courier, tracking_url }) => ({ tracking_url: courier ? tracking_url : null })),
  },
  "pin-required-null-unless-asked-for": {
    fault: "pin_required is null if no PIN was requested",
    breaks: breaking(["createDelivery", "getDelivery"], "DLV-65"),
    mutate: alterDelivery(({ pin_required }) => ({ pin_required: pin_required || null })),
  },
  "phone-without-plus": {
    fault: "a phone number is returned without its plus sign",
    breaks: [{ clause: "DLV-26" }],
    mutate: alterDelivery(({ customer }) => ({
      customer: { ...customer, phone: customer?.phone?.replace("+", "") },
    })),
  },
  "phone-in-national-form": {
    fault: "a Turkish phone number is returned in national form",
    breaks: [{ clause: "DLV-26" }],
    mutate: alterDelivery(({ customer }) => ({
      customer: { ...customer, phone: customer?.phone?.replace("+90", "0") },
    })),
  },
  "foreign-phone-gets-the-country-code": {
    fault: "+90 is put before a phone number of another country",
    breaks: [{ clause: "DLV-26" }],
    mutate: alterDelivery(({ customer }) => ({
      customer: { ...customer, phone: customer?.phone?.replace(/^\+(?!90)/, "+90") },
    })),
  },
  "tracking-url-is-a-path": {
    fault: "tracking_url is a path on the service",
    breaks: [{ clause: "DLV-44" }],
    mutate: alterDelivery(({ tracking_url }) => ({
      tracking_url: tracking_url && new URL(tracking_url).pathname,
    })),
  },
  "tracking-url-follows-the-reference": {
    fault: "deliveries with one external_ref share a tracking_url, also those of different stores",
    breaks: breaking("an equal order with the same external_ref at another store", "DLV-74"),
    mutate: withSharedTrackingUrl(({ integrator_id, external_ref }) => [integrator_id, external_ref]),
  },
  "tracking-url-follows-the-order": {
    fault: "deliveries of one store with equal customers and drop-offs share a tracking_url",
    breaks: breaking("an equal order with another external_ref", "DLV-74"),
    mutate: withSharedTrackingUrl(({ store_id, customer, dropoff, items }) => [
      store_id,
      customer,
      dropoff,
      items,
    ]),
  },
  "created-at-moves": {
    fault: "created_at is the time of the last change",
    breaks: [{ clause: "DLV-45" }],
    mutate: alterDelivery(({ updated_at }) => ({ created_at: updated_at })),
  },
  "created-at-is-local-time": {
    fault: "created_at is local time marked as UTC (Z)",
    breaks: [{ clause: "DLV-45" }],
    mutate: alterDelivery(({ created_at, updated_at }) => ({
      created_at: shiftInstant(created_at, 3 * HOUR_MS),
      updated_at: shiftInstant(updated_at, 3 * HOUR_MS),
    })),
  },
  "updated-at-is-local-time": {
    fault: "updated_at is local time marked as UTC (Z)",
    breaks: breaking(
      [
        "updated_at of a new delivery",
        "updated_at of a changed delivery",
        "updated_at of a cancelled delivery",
      ],
      "GEN-14",
    ),
    caughtBy: ["times.utc"],
    mutate: alterDelivery(({ updated_at }) => ({ updated_at: asLocalTime(updated_at) })),
  },
  "updated-at-before-created-at": {
    fault: "updated_at of an unchanged delivery is before created_at",
    breaks: [{ clause: "DLV-46" }],
    mutate: alterDelivery(({ created_at, updated_at }) => ({
      updated_at: updated_at === created_at ? "1970-01-01T00:00:00.000Z" : updated_at,
    })),
  },
  "updated-at-goes-back": {
    fault: "updated_at of a cancelled delivery goes back to its creation time",
    breaks: [{ clause: "DLV-46" }],
    mutate: alterDelivery(({ cancelled_at, created_at, updated_at }) => ({
      updated_at: cancelled_at ? shiftInstant(created_at, -1) : updated_at,
    })),
  },
  "pin-required-always-false": {
    fault: "pin_required is false on every delivery",
    breaks: [{ clause: "DLV-53" }],
    caughtBy: ["delivery-fields.pin-required"],
    mutate: alterDelivery(() => ({ pin_required: false })),
  },
};
