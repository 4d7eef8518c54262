import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldsOf } from "../../checks/bounds/fields.ts";
import { changes, orders } from "./generated-orders.ts";

const NOW = Date.UTC(2030, 4, 1, 12);
const point = { lat: 41, lng: 29 };

/** The names of all members of a value: `customer.name`, `items[].total`. */
function namesIn(value: unknown, prefix = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => namesIn(entry, `${prefix}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const name = prefix === "" ? key : `${prefix}.${key}`;
    return [name, ...namesIn(member, name)];
  });
}

test.each([
  [
    "createDelivery",
    orders({ externalStoreId: "s", paymentType: "NAKIT", point }, NOW),
    ["external_ref", "origin_channel"],
  ],
  ["updateDelivery", changes(point, NOW), ["dropoff.directions", "scheduled_for"]],
] as const)("the bodies of %s have every field of the document but the open ones", (id, bodies, open) => {
  const found = new Set(
    fc.sample<unknown>(bodies, { seed: 1, numRuns: 200 }).flatMap((body) => namesIn(body)),
  );
  const missing = fieldsOf(id).filter(({ name }) => !found.has(name));
  expect(missing.map(({ name }) => name)).toEqual(open);
});
