import * as fc from "fast-check";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { cases } from "../../../core/grading/expectations/each-element.ts";
import { type Check, check } from "../../check.ts";
import type { Point } from "../../session/sample-data/settings.ts";
import {
  changeDelivery,
  createDelivery,
  expectSameFields,
  integratorFields,
  UNLOCATABLE_ADDRESS,
} from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { prepaidPayment } from "../../support/orders/prepaid.ts";

type Change = Schemas["DeliveryChange"];

const MINUTE_MS = 60_000;

/** The fields that can change at any time before the pick-up. Changes of the schedule have separate checks. */
const PATCHABLE_FIELDS = elementsOf("changeable-fields").filter((field) => field !== "scheduled_for");

type FieldPatch = readonly [field: (typeof PATCHABLE_FIELDS)[number], change: Change];

/** PATCH requests of one field, each with a value that differs from the order's. */
const fieldPatches = (now: number, point: Point): readonly FieldPatch[] => [
  ["dropoff", { dropoff: { text: "Başka Sokak 3, Fatih, İstanbul", ...near(point, 3) } }],
  ["ready_at", { ready_at: isoInstant(now + 50 * MINUTE_MS) }],
  ["notes", { notes: "Arka kapı" }],
  ["notes", { notes: null }],
  ["customer.name", { customer: { name: "Zeynep Kaya" } }],
  ["customer.phone", { customer: { phone: "+905339998877" } }],
  ["customer.phone_extension", { customer: { phone_extension: "12" } }],
  ["customer.phone_extension", { customer: { phone_extension: null } }],
];

const patchCases = (patches: readonly FieldPatch[]) =>
  cases("PATCHes of one field", patches, ([field, change]) =>
    JSON.stringify(change).includes("null") ? `${field}, set to null` : field,
  );

const mergeChanges = (changes: readonly Change[]): Change => {
  const customers = changes.flatMap(({ customer }) => customer ?? []);
  return Object.assign({}, ...changes, customers.length > 0 && { customer: Object.assign({}, ...customers) });
};

/** The parts of an address, which the service may complete or rename some time after the creation (OPEN-237). */
const PLACE = { neighborhood: "Hobyar", district: "Fatih", city: "İstanbul" } as const;

const isPart = (key: string): key is keyof typeof PLACE => key in PLACE;

/** The names of the parts of the address that the delivery shows as sent. */
const partsShown = ({ dropoff }: Schemas["Delivery"]) =>
  Object.keys(PLACE)
    .filter(isPart)
    .filter((key) => dropoff[key] === PLACE[key]);

/**
 * A delivery's changeable fields, by name, without the given fields.
 * @param parts the parts of the address to compare
 */
function fieldsExcept(
  fields: readonly string[],
  delivery: Schemas["Delivery"],
  parts: readonly (keyof typeof PLACE)[],
): Readonly<Record<string, unknown>> {
  const { customer, address, ...rest } = integratorFields(delivery);
  const flat = Object.entries(customer).map(([key, value]) => [`customer.${key}`, value]);
  const { lat, lng } = delivery.dropoff;
  const shown = Object.fromEntries(parts.map((key) => [key, delivery.dropoff[key]]));
  const dropoff = { text: address, lat, lng, ...shown };
  const { origin_channel, pin_required, test } = delivery;
  const fixed = { origin_channel, pin_required, test };
  const values: Record<string, unknown> = { ...rest, ...fixed, dropoff, ...Object.fromEntries(flat) };
  return Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field)));
}

const keepsOtherFields = check({
  id: "changes.keeps-other-fields",
  title: "a PATCH changes only the fields that it contains, also one that adds coordinates to a delivery",
  clauses: [clause["PATCH-18"]],
  async run(context) {
    const { api, recordCoverage, each, order, now, point, property } = context;
    recordCoverage("changeable-fields", elementsOf("changeable-fields"));
    const { customer, dropoff, payment } = await order();
    const prepaid = await prepaidPayment(context);
    const expectOthersKept = async (
      patches: readonly FieldPatch[],
      others: Partial<Schemas["NewDelivery"]> = {},
    ) => {
      const fields = patches.map(([field]) => field);
      const before = await createDelivery(
        { api, order },
        {
          notes: "Ön kapı",
          require_pin: true,
          package_count: 3,
          ready_at: isoInstant(now() + 20 * MINUTE_MS),
          customer: { ...customer, phone_extension: "77", note: "Alerjisi var" },
          dropoff: { ...dropoff, ...PLACE, directions: "3. kat, daire 5" },
          // The amounts agree (OPEN-44).
          payment: { ...payment, subtotal: 260, discount: 10.1, amount_due: 249.9 },
          ...others,
        },
      );
      const after = await changeDelivery(api, before.id, mergeChanges(patches.map(([, change]) => change)));
      const parts = partsShown(before);
      expectSameFields(
        fieldsExcept(fields, after, parts),
        fieldsExcept(fields, before, parts),
        `the delivery after a PATCH of ${fields.join(" and ")}`,
      );
    };
    const patches = fieldPatches(now(), point);
    const scheduled = { scheduled_for: isoInstant(now() + 3 * 60 * MINUTE_MS) };
    await each(patchCases(patches), (patch) => expectOthersKept([patch], scheduled), {
      concurrency: patches.length,
    });
    const locating = patches.filter(([field]) => field === "dropoff");
    await each(
      cases(
        "PATCHes that add coordinates",
        locating,
        ([field]) => `${field} of a delivery without coordinates`,
      ),
      (patch) => expectOthersKept([patch], { ...scheduled, dropoff: UNLOCATABLE_ADDRESS }),
    );
    const ofPrepaidOrders = (subset: readonly FieldPatch[]) =>
      expectOthersKept(subset, prepaid && { payment: prepaid });
    await property(fc.subarray([...patches], { minLength: 2, maxLength: 4 }), ofPrepaidOrders, {
      runs: 5,
      concurrency: 5,
      describe: (patches) => `a PATCH of ${patches.map(([field]) => field)}`,
    });
  },
});

export const otherFieldsChecks: readonly Check[] = [keepsOtherFields];
