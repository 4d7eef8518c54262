import { rejected } from "../../../../reference-server/errors.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import { OPTIONAL_TEXTS } from "../../support/orders/optional-texts.ts";
import type { Mutants } from "../mutant.ts";
import { alterDelivery, alterPage, escapedForHtml, shiftInstant } from "../operators/answers.ts";
import { alterUpdate } from "../operators/deliveries.ts";
import { alterCreation, alterOrder } from "../operators/operations.ts";

const rounded = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places;

/** Truncates 19.99 to 19.98, because 19.99 * 100 is 1998.9999999999998. */
const truncateToKurus = (value: number) => Math.trunc(value * 100) / 100;

export const deliveryFieldsEchoMutants: Mutants = {
  "reference-loses-leading-zeros": {
    fault: "a numeric external_ref loses its leading zeros",
    breaks: [{ clause: "DLV-4" }],
    mutate: alterDelivery(({ external_ref }) => ({
      external_ref: /^\d+$/.test(external_ref) ? external_ref.replace(/^0+(?=.)/, "") : external_ref,
    })),
  },
  "reference-in-capitals": {
    fault: "external_ref is returned in upper case",
    breaks: [{ clause: "DLV-4" }],
    mutate: alterDelivery(({ external_ref }) => ({ external_ref: external_ref.toUpperCase() })),
  },
  "coordinates-rounded": {
    fault: "coordinates are rounded to four decimal places",
    breaks: [{ clause: "DLV-16" }],
    mutate: alterDelivery(({ dropoff }) => ({
      dropoff: {
        ...dropoff,
        lat: dropoff.lat && rounded(dropoff.lat, 4),
        lng: dropoff.lng && rounded(dropoff.lng, 4),
      },
    })),
  },
  "coordinates-swapped": {
    fault: "latitude and longitude are swapped",
    breaks: [{ clause: "DLV-16" }],
    mutate: alterDelivery(({ dropoff }) => ({ dropoff: { ...dropoff, lat: dropoff.lng, lng: dropoff.lat } })),
  },
  "neighborhood-is-lost": {
    fault: "dropoff.neighborhood isn't stored",
    breaks: [{ clause: "DLV-17" }],
    mutate: alterDelivery(({ dropoff }) => ({ dropoff: { ...dropoff, neighborhood: null } })),
  },
  "district-from-the-geocoder": {
    fault: "dropoff.district is derived from the coordinates instead of the sent value",
    breaks: [{ clause: "DLV-17" }],
    mutate: alterDelivery(({ dropoff }) => ({ dropoff: { ...dropoff, district: "Fatih" } })),
  },
  "district-is-the-neighbourhood-if-none-is-sent": {
    fault: "without a neighbourhood, the district is returned as neighborhood, and the city as district",
    breaks: [{ clause: "DLV-17" }],
    mutate: alterDelivery(({ dropoff }) => {
      const { neighborhood, district, city } = dropoff;
      if (neighborhood !== null) return {};
      return { dropoff: { ...dropoff, neighborhood: district, district: city, city: null } };
    }),
  },
  "notes-are-the-directions-if-left-out": {
    fault: "notes is the directions if the order leaves notes out",
    breaks: breaking("notes", "DLV-75"),
    mutate: alterDelivery(({ notes }, { dropoff }) => ({ notes: notes ?? dropoff.directions })),
  },
  "item-without-a-price-is-refused": {
    fault: "an item with the total 0 is refused as if the total were missing",
    breaks: [{ clause: "DLV-28" }],
    mutate: alterCreation((call, create) => {
      const free = call.body.items?.findIndex(({ total }) => total === 0) ?? -1;
      if (free >= 0) throw rejected(`items.${free}.total`, "zorunlu alan");
      return create(call);
    }),
  },
  "code-of-the-previous-item-if-left-out": {
    fault: "an item without a code gets the code of the item before it",
    breaks: breaking("code of the second item", "DLV-75"),
    mutate: alterDelivery(({ items }) => ({
      items: items?.map((item, i) => ({ ...item, code: item.code ?? items[i - 1]?.code ?? null })),
    })),
  },
  ...forEachElement(
    OPTIONAL_TEXTS,
    (field) => `${field}-takes-the-value-of-another-field`,
    (field) => ({
      fault: `${field} is filled from another field if the order leaves it out`,
      breaks: breaking(field, "DLV-75"),
      mutate: alterDelivery(({ notes, customer, dropoff }) => {
        const [group, name = ""] = field.split(".");
        if (group === "notes") return { notes: notes ?? customer?.note };
        if (group === "customer")
          return { customer: { ...customer, [name]: Object(customer)[name] ?? notes ?? customer?.note } };
        const filled = Object(dropoff)[name] ?? dropoff.district ?? dropoff.city;
        return { dropoff: { ...dropoff, [name]: filled } };
      }),
    }),
  ),
  "payment-type-is-the-number": {
    fault: "payment.type is the number of the payment type",
    breaks: [{ clause: "DLV-18" }],
    caughtBy: ["delivery-fields.payment-type"],
    mutate: alterDelivery(({ payment }, _, { paymentTypes }) => ({
      payment: { ...payment, type: paymentTypes.find(({ kod }) => kod === payment.type)?.no },
    })),
  },
  "amount-in-whole-liras": {
    fault: "amount_due is rounded to whole liras",
    breaks: [{ clause: "DLV-19" }],
    caughtBy: ["delivery-fields.amount-due"],
    mutate: alterDelivery(({ payment }) => ({
      payment: { ...payment, amount_due: Math.round(payment.amount_due) },
    })),
  },
  "amounts-of-at-most-four-digits": {
    fault: "an amount_due is at most 9,999.99",
    breaks: [{ clause: "DLV-102" }],
    mutate: alterDelivery(({ payment }) => ({
      payment: { ...payment, amount_due: Math.min(payment.amount_due, 9_999.99) },
    })),
  },
  "item-totals-of-at-most-four-digits": {
    fault: "the total of an item is at most 9,999.99",
    breaks: [{ clause: "DLV-102" }],
    mutate: alterDelivery(({ items }) => ({
      items: items?.map((item) => ({ ...item, total: Math.min(Number(item.total), 9_999.99) })),
    })),
  },
  "amount-without-the-discount": {
    fault: "the discount is subtracted from amount_due",
    breaks: [{ clause: "DLV-19" }],
    caughtBy: ["delivery-fields.amount-due"],
    mutate: alterDelivery(({ payment }) => ({
      payment: { ...payment, amount_due: rounded(payment.amount_due - (payment.discount ?? 0), 2) },
    })),
  },
  "amounts-cut-to-the-kurus": {
    fault: "amounts are truncated instead of rounded to the kuruş",
    breaks: [{ clause: "DLV-19" }, { clause: "DLV-20" }, { clause: "DLV-28" }],
    caughtBy: ["delivery-fields.amount-due", "delivery-fields.items", "delivery-fields.subtotal"],
    mutate: alterDelivery(({ payment, items }) => ({
      payment: {
        ...payment,
        amount_due: truncateToKurus(payment.amount_due),
        subtotal: payment.subtotal && truncateToKurus(payment.subtotal),
        discount: payment.discount && truncateToKurus(payment.discount),
      },
      items: items?.map((item) => ({ ...item, total: truncateToKurus(Number(item.total)) })),
    })),
  },
  "amount-due-of-0-is-the-subtotal": {
    fault: "the subtotal is returned as an amount_due of 0",
    breaks: [{ clause: "DLV-19" }],
    caughtBy: ["delivery-fields.prepaid-sums"],
    mutate: alterDelivery(({ payment }) => ({
      payment: { ...payment, amount_due: payment.amount_due || (payment.subtotal ?? 0) },
    })),
  },
  "discount-is-negative": {
    fault: "a discount is returned as a negative number",
    breaks: [{ clause: "DLV-20" }],
    caughtBy: ["delivery-fields.subtotal"],
    mutate: alterDelivery(({ payment }) => ({
      payment: { ...payment, discount: payment.discount && -payment.discount },
    })),
  },
  "discount-of-0-is-null": {
    fault: "a discount of 0 is returned as null",
    breaks: [{ clause: "DLV-20" }],
    caughtBy: ["delivery-fields.subtotal"],
    mutate: alterDelivery(({ payment }) => ({ payment: { ...payment, discount: payment.discount || null } })),
  },
  "subtotal-of-five-digits-is-rounded": {
    fault: "a subtotal of 10,000 or more is rounded to one decimal",
    breaks: [{ clause: "DLV-102" }],
    mutate: alterDelivery(({ payment }) => ({
      payment: {
        ...payment,
        subtotal:
          payment.subtotal && payment.subtotal >= 10_000
            ? Math.round(payment.subtotal * 10) / 10
            : payment.subtotal,
      },
    })),
  },
  "subtotal-is-lost": {
    fault: "payment.subtotal isn't stored",
    breaks: [{ clause: "DLV-20" }],
    caughtBy: ["delivery-fields.subtotal"],
    mutate: alterDelivery(({ payment }) => ({ payment: { ...payment, subtotal: null } })),
  },
  "name-in-capitals": {
    fault: "the customer's name is returned in upper case",
    breaks: [{ clause: "DLV-24" }],
    mutate: alterDelivery(({ customer }) => ({
      customer: { ...customer, name: customer?.name?.toLocaleUpperCase("tr") },
    })),
  },
  "note-shown-as-notes": {
    fault: "customer.note contains the restaurant's notes",
    breaks: [{ clause: "DLV-24" }],
    mutate: alterDelivery(({ customer, notes }) => ({ customer: { ...customer, note: notes } })),
  },
  "extension-is-lost": {
    fault: "the phone extension isn't stored",
    breaks: [{ clause: "DLV-27" }],
    mutate: alterDelivery(({ customer }) => ({ customer: { ...customer, phone_extension: null } })),
  },
  "extension-loses-leading-zeros": {
    fault: "the phone extension loses its leading zeros",
    breaks: [{ clause: "DLV-27" }],
    mutate: alterDelivery(({ customer }) => ({
      customer: {
        ...customer,
        phone_extension: customer?.phone_extension?.replace(/^0+(?=.)/, "") ?? null,
      },
    })),
  },
  "items-merged-by-name": {
    fault: "items with the same name are merged",
    breaks: [{ clause: "DLV-28" }],
    mutate: alterDelivery(({ items }) => ({
      items: items?.filter(({ name }, i) => items.findIndex((other) => other.name === name) === i),
    })),
  },
  "items-merged-by-code": {
    fault: "items with the same code are merged",
    breaks: [{ clause: "DLV-28" }],
    mutate: alterOrder(({ items }) => ({
      ...(items && {
        items: items.filter(
          ({ code }, i) => code === undefined || items.findIndex((other) => other.code === code) === i,
        ),
      }),
    })),
  },
  "item-named-as-the-first-with-its-code": {
    fault: "an item has the name of the first item that any order had with its code",
    breaks: [{ clause: "DLV-28" }],
    mutate: (deps) => {
      const names = new Map<string, string>();
      const nameOf = (name: string, code: string) => {
        const known = names.get(code) ?? name;
        names.set(code, known);
        return known;
      };
      return alterOrder(({ items }) => ({
        ...(items && {
          items: items.map((item) =>
            item.code === undefined ? item : { ...item, name: nameOf(item.name, item.code) },
          ),
        }),
      }))(deps);
    },
  },
  "item-total-is-the-price": {
    fault: "an item's total is multiplied by its quantity",
    breaks: [{ clause: "DLV-28" }],
    mutate: alterDelivery(({ items }) => ({
      items: items?.map((item) => ({ ...item, total: Number(item.total) * Number(item.quantity) })),
    })),
  },
  "quantity-to-2-decimals": {
    fault: "quantities are returned with two decimal places",
    breaks: [{ clause: "DLV-28" }],
    mutate: alterDelivery(({ items }) => ({
      items: items?.map((item) => ({ ...item, quantity: rounded(Number(item.quantity), 2) })),
    })),
  },
  "item-names-cut-at-50": {
    fault: "long item names are cut",
    breaks: [{ clause: "DLV-28" }],
    mutate: alterDelivery(({ items }) => ({
      items: items?.map((item) => ({ ...item, name: item.name?.slice(0, 50) })),
    })),
  },
  "schedule-shifted-by-the-offset": {
    fault: "scheduled_for is local time marked as UTC (Z)",
    breaks: [{ clause: "DLV-29" }],
    mutate: alterDelivery(({ scheduled_for }) => ({
      scheduled_for: scheduled_for && shiftInstant(scheduled_for, 3 * 3_600_000),
    })),
  },
  "schedule-defaults-to-now": {
    fault: "scheduled_for of an unscheduled delivery is the time of its creation",
    breaks: [{ clause: "DLV-29" }],
    mutate: alterDelivery(({ scheduled_for, created_at }) => ({
      scheduled_for: scheduled_for ?? created_at,
    })),
  },
  "notes-default-to-a-text": {
    fault: "notes default to a text instead of null",
    breaks: [{ clause: "DLV-30" }],
    caughtBy: ["delivery-fields.notes"],
    mutate: alterDelivery(({ notes }) => ({ notes: notes ?? "Not yok" })),
  },
  "notes-shown-as-note": {
    fault: "notes contains the customer's note",
    breaks: [{ clause: "DLV-30" }],
    caughtBy: ["delivery-fields.notes"],
    mutate: alterDelivery(({ customer }) => ({ notes: customer?.note ?? null })),
  },
  "channel-always-pos": {
    fault: "origin_channel is POS on every delivery",
    breaks: breaking(["PHONE", "TELEFON", "YEMEKSEPETI", "GETIRYEMEK-PAZARYERI", "Şölen Çörek"], "DLV-31"),
    mutate: alterDelivery(() => ({ origin_channel: "POS" })),
  },
  "channel-cut-to-three": {
    fault: "origin_channel is cut to three characters",
    breaks: breaking(["PHONE", "TELEFON", "YEMEKSEPETI", "GETIRYEMEK-PAZARYERI", "Şölen Çörek"], "DLV-31"),
    mutate: alterDelivery(({ origin_channel }) => ({ origin_channel: origin_channel?.slice(0, 3) })),
  },
  "channel-reset-by-a-change": {
    fault: "a change of the notes resets origin_channel",
    breaks: [{ clause: "DLV-31" }],
    mutate: alterUpdate(({ notes, origin_channel }, before) => ({
      origin_channel: notes === before.notes ? origin_channel : "POS",
    })),
  },
  "channel-cut-to-16": {
    fault: "a long origin_channel is cut",
    breaks: breaking(["GETIRYEMEK-PAZARYERI"], "DLV-31"),
    mutate: alterDelivery(({ origin_channel }) => ({ origin_channel: origin_channel?.slice(0, 16) })),
  },
  "packages-always-1": {
    fault: "package_count is 1 on every delivery",
    breaks: [{ clause: "DLV-32" }],
    mutate: alterDelivery(() => ({ package_count: 1 })),
  },
  "prepaid-within-payment": {
    fault: "prepaid is in payment instead of the top level",
    breaks: [{ clause: "DLV-33" }],
    mutate: alterDelivery(({ payment, prepaid }) => ({
      prepaid: undefined,
      payment: { ...payment, prepaid },
    })),
  },
  "notes-escaped-for-html": {
    fault: "notes are returned HTML-escaped",
    breaks: [{ clause: "DLV-30" }],
    caughtBy: ["delivery-fields.markup"],
    mutate: alterDelivery(({ notes }) => ({ notes: notes && escapedForHtml(notes) })),
  },
  "customer-note-escaped-for-html": {
    fault: "the customer's note is returned HTML-escaped",
    breaks: [{ clause: "DLV-24" }],
    mutate: alterDelivery(({ customer }) => ({
      customer: customer && { ...customer, note: customer.note && escapedForHtml(customer.note) },
    })),
  },
  "notes-on-one-line": {
    fault: "notes are returned without their line breaks",
    breaks: [{ clause: "DLV-30" }],
    caughtBy: ["delivery-fields.notes"],
    mutate: alterDelivery(({ notes }) => ({ notes: notes?.replaceAll("\n", " ") })),
  },
  "sums-lost-when-prepaid": {
    fault: "a prepaid delivery has no subtotal and no discount",
    breaks: [{ clause: "DLV-20" }],
    caughtBy: ["delivery-fields.prepaid-sums"],
    mutate: alterDelivery(({ prepaid, payment }) =>
      prepaid ? { payment: { ...payment, subtotal: null, discount: null } } : {},
    ),
  },
  "prepaid-always-false": {
    fault: "prepaid is false on every delivery",
    breaks: [{ clause: "DLV-33", case: "prepaid: true" }],
    mutate: alterDelivery(() => ({ prepaid: false })),
  },
  "prepaid-if-nothing-is-due": {
    fault: "prepaid is true on every delivery with an amount_due of 0",
    breaks: [{ clause: "DLV-33", case: "prepaid: false and an amount_due of 0" }],
    mutate: alterDelivery(({ payment }) => ({ prepaid: payment.amount_due === 0 })),
  },
  "prepaid-true-by-default": {
    fault: "payment.prepaid defaults to true",
    breaks: [{ clause: "DLV-67" }],
    mutate: alterOrder(({ payment }) => ({ payment: { prepaid: true, ...payment } })),
  },
  "prepaid-false-in-the-list": {
    fault: "prepaid is false on every item of the list",
    breaks: [{ clause: "DLV-33", case: "prepaid: true" }],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, prepaid: false })) })),
  },
  "ready-at-on-the-hour": {
    fault: "ready_at loses its minutes",
    breaks: [{ clause: "DLV-47" }],
    mutate: alterDelivery(({ ready_at }) => ({ ready_at: ready_at?.replace(/:.*/, ":00:00.000Z") })),
  },
  "ready-at-is-lost": {
    fault: "ready_at isn't stored",
    breaks: [{ clause: "DLV-47" }],
    mutate: alterDelivery(() => ({ ready_at: null })),
  },
  "ready-at-is-lost-with-a-schedule": {
    fault: "ready_at of a scheduled order isn't stored",
    breaks: [{ clause: "DLV-47" }],
    mutate: alterDelivery(({ ready_at, scheduled_for }) => ({ ready_at: scheduled_for ? null : ready_at })),
  },
};
