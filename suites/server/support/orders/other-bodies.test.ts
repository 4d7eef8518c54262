import { expect, test } from "vitest";
import { requestSchemaError } from "../../../core/contract/document.ts";
import { fieldsOf, valueAt } from "../../checks/bounds/fields.ts";
import { newOrder } from "./orders.ts";
import { fullOrder, neverOther, otherByField, otherThoughMaybeRefused } from "./other-bodies.ts";

const NOW = Date.parse("2026-03-02T10:00:00Z");
const order = fullOrder(
  newOrder({ externalStoreId: "s", paymentType: "X", point: { lat: 41, lng: 29 } }),
  NOW,
);
const fields = fieldsOf("createDelivery");
const leaves = fields.filter(
  ({ name }) => !fields.some((other) => other.name !== name && /^[.[]/.test(other.name.replace(name, ""))),
);
const others = { ...otherByField, ...otherThoughMaybeRefused };

test("each field that holds a value is tried otherwise, or it is said why not", () => {
  const named = [...Object.keys(others), ...Object.keys(neverOther)];
  expect(named.toSorted()).toEqual(leaves.map(({ name }) => name).toSorted());
});

test.each(Object.entries(others))(
  "an order with another %s is legal, and differs there alone",
  (name, change) => {
    const other = change(order);
    expect(requestSchemaError("createDelivery", other)).toBeUndefined();
    const different = leaves.filter(
      ({ path }) => JSON.stringify(valueAt(other, path)) !== JSON.stringify(valueAt(order, path)),
    );
    expect(different.map((field) => field.name)).toEqual([name]);
  },
);
