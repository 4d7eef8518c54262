import type { Delivery } from "../../../../reference-server/domain/model.ts";
import type { Call } from "../../../../reference-server/operations/operation.ts";
import { type ElementOf, elementsOf } from "../../../core/contract/element-sets.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterChange, alterCustomerChange, alterUpdate } from "../operators/deliveries.ts";
import { replaceOperation } from "../operators/operations.ts";

type Field = ElementOf<"changeable-fields">;

type Body = Call<"updateDelivery">["body"];

/** True if a change contains a field, including null. */
const hasField = ({ customer, ...fields }: Body, field: Field): boolean => {
  const [holder, key = field] = field.includes(".") ? [customer ?? {}, field.split(".")[1]] : [fields];
  return Object.hasOwn(holder, key);
};

/** For each field, what a change stores if it loses the field. */
const FIELD_LOSSES: Readonly<Record<Field, (after: Delivery) => Partial<Delivery>>> = {
  dropoff: ({ dropoff }) => ({ dropoff: { ...dropoff, address: "-" } }),
  ready_at: () => ({ ready_at: null }),
  scheduled_for: () => ({ scheduled_for: null }),
  notes: () => ({ notes: null }),
  "customer.name": ({ customer }) => ({ customer: { ...customer, name: null } }),
  "customer.phone": ({ customer }) => ({ customer: { ...customer, phone: null } }),
  "customer.phone_extension": ({ customer }) => ({ customer: { ...customer, phone_extension: null } }),
};

/** A server in which a change stores more than its fields. */
const storeMore = (more: (after: Delivery, body: Body) => Partial<Delivery>): Mutate =>
  replaceOperation("updateDelivery", (call, original) => {
    const { records } = call.deps;
    const { update } = records.deliveries;
    const deliveries = {
      ...records.deliveries,
      update: (...[tx, after, dueAt]: Parameters<typeof update>) =>
        update(tx, { ...after, ...more(after, call.body) }, dueAt),
    };
    return original({ ...call, deps: { ...call.deps, records: { ...records, deliveries } } });
  });

const loseField = (field: Field): Mutate =>
  storeMore((after, body) => (hasField(body, field) ? {} : FIELD_LOSSES[field](after)));

/** A server in which a change without a dropoff loses parts of the address. */
const losePlace = (lost: Partial<Delivery["dropoff"]>): Mutate =>
  storeMore(({ dropoff }, body) => (body.dropoff ? {} : { dropoff: { ...dropoff, ...lost } }));

const changeAnotherField = (field: Field): Mutate =>
  alterChange((body) => {
    if (!hasField(body, field)) return body;
    return field === "notes"
      ? { ...body, customer: { ...body.customer, name: "-" } }
      : { ...body, notes: body.notes ?? null };
  });

/** What a change that adds coordinates stores if it builds the delivery anew without some of its fields. */
const LOCATING_LOSSES: Readonly<Record<string, (before: Delivery) => Partial<Delivery>>> = {
  scheduled_for: () => ({ scheduled_for: null }),
  ready_at: () => ({ ready_at: null }),
  notes: () => ({ notes: null }),
  items: () => ({ items: [] }),
  "customer.phone": ({ customer }) => ({ customer: { ...customer, phone: null } }),
  "customer.note": ({ customer }) => ({ customer: { ...customer, note: null } }),
  package_count: () => ({ package_count: 1 }),
  delivery_pin: () => ({ delivery_pin: null }),
  "payment.discount": ({ payment }) => ({ payment: { ...payment, discount: null } }),
};

/** Fields that the check also sets to null. */
const CLEARED_FIELDS: readonly string[] = ["notes", "customer.phone_extension"];

const NOTES_CASES = ["notes", "notes, set to null"];
const CUSTOMER_CASES = [
  "customer.name",
  "customer.phone",
  "customer.phone_extension",
  "customer.phone_extension, set to null",
];
const CASES_WITHOUT_ADDRESS = ["ready_at", ...NOTES_CASES, ...CUSTOMER_CASES];

export const changesOtherFieldsMutants: Mutants = {
  ...forEachElement(
    elementsOf("changeable-fields"),
    (field) => `patch-loses-${field}`,
    (field) => ({
      fault: `a change without ${field} clears it`,
      breaks: breaking(field, "PATCH-18"),
      caughtBy: ["changes.keeps-other-fields"],
      mutate: loseField(field),
    }),
  ),
  ...forEachElement(
    elementsOf("changeable-fields").filter((field) => field !== "scheduled_for"),
    (field) => `patch-of-${field}-spills`,
    (field) => ({
      fault: `a change of ${field} changes another field too`,
      breaks: breaking(CLEARED_FIELDS.includes(field) ? [field, `${field}, set to null`] : field, "PATCH-18"),
      caughtBy: ["changes.keeps-other-fields"],
      mutate: changeAnotherField(field),
    }),
  ),
  ...forEachElement(
    Object.keys(LOCATING_LOSSES),
    (field) => `locating-loses-${field}`,
    (field) => ({
      fault: `a change that adds coordinates to a delivery loses its ${field}`,
      breaks: [{ clause: "PATCH-18", case: "dropoff of a delivery without coordinates" }],
      caughtBy: ["changes.keeps-other-fields"],
      mutate: alterUpdate((after, before) =>
        before.dropoff.point === null && after.dropoff.point !== null
          ? (LOCATING_LOSSES[field]?.(after) ?? {})
          : {},
      ),
    }),
  ),
  "patch-of-customer-drops-the-extension": {
    fault: "a change of the customer without phone_extension removes it",
    breaks: [
      { clause: "PATCH-18", case: "customer.name" },
      { clause: "PATCH-18", case: "customer.phone" },
    ],
    caughtBy: ["changes.keeps-other-fields"],
    mutate: alterCustomerChange((customer) => ({ phone_extension: null, ...customer })),
  },
  "patch-of-address-clears-notes": {
    fault: "a new address clears the notes",
    breaks: [{ clause: "PATCH-18", case: "dropoff" }],
    caughtBy: ["changes.keeps-other-fields"],
    mutate: alterChange((body) => (body.dropoff ? { notes: null, ...body } : body)),
  },
  "patch-without-ready-at-clears-it": {
    fault: "a change without ready_at clears it",
    breaks: breaking(["dropoff", ...NOTES_CASES, ...CUSTOMER_CASES], "PATCH-18"),
    caughtBy: ["changes.keeps-other-fields"],
    mutate: alterChange((body) => ({ ready_at: null, ...body })),
  },
  "patch-of-customer-drops-the-note": {
    fault: "a change of the customer removes customer.note",
    breaks: breaking(CUSTOMER_CASES, "PATCH-18"),
    caughtBy: ["changes.keeps-other-fields"],
    mutate: alterUpdate((after, before) =>
      after.customer === before.customer || JSON.stringify(after.customer) === JSON.stringify(before.customer)
        ? {}
        : { customer: { ...after.customer, note: null } },
    ),
  },
  "patch-renews-the-pin": {
    fault: "each change generates a new delivery_pin",
    breaks: [{ clause: "PATCH-18" }],
    caughtBy: ["changes.keeps-other-fields"],
    mutate: alterUpdate(({ delivery_pin, cancelled_at }, before) =>
      delivery_pin === null || cancelled_at !== null
        ? {}
        : { delivery_pin: before.delivery_pin === "4711" ? "4712" : "4711" },
    ),
  },
  "patch-drops-the-directions": {
    fault: "a change without a dropoff removes the directions from dropoff.text",
    breaks: breaking(CASES_WITHOUT_ADDRESS, "PATCH-18"),
    caughtBy: ["changes.keeps-other-fields"],
    mutate: losePlace({ directions: null }),
  },
  "patch-drops-the-district": {
    fault: "a change without a dropoff removes neighborhood, district and city",
    breaks: breaking(CASES_WITHOUT_ADDRESS, "PATCH-18"),
    caughtBy: ["changes.keeps-other-fields"],
    mutate: losePlace({ neighborhood: null, district: null, city: null }),
  },
  "patch-makes-a-prepaid-order-payable": {
    fault: "prepaid is false after each change",
    breaks: [{ clause: "PATCH-18" }],
    caughtBy: ["changes.keeps-other-fields"],
    mutate: storeMore(({ payment }) => ({ payment: { ...payment, prepaid: false } })),
  },
};
