import { expect, test } from "vitest";
import { requestSchemaError } from "../../../core/contract/document.ts";
import { valueAt } from "../../../core/text/member-paths.ts";
import { fieldsOf } from "../../checks/bounds/fields.ts";
import { newOrder } from "./orders.ts";
import { changesByField, fullOrder, possiblyRefusedChanges, unchangedFields } from "./other-bodies.ts";

const NOW = Date.parse("2026-03-02T10:00:00Z");
const order = fullOrder(
  newOrder({ externalStoreId: "s", paymentType: "X", point: { lat: 41, lng: 29 } }),
  NOW,
);
const fields = fieldsOf("createDelivery");
const leafFields = fields.filter(
  ({ name }) => !fields.some((other) => other.name !== name && /^[.[]/.test(other.name.replace(name, ""))),
);
const changes = { ...changesByField, ...possiblyRefusedChanges };

test("each field without nested fields has a change, or a reason for having none", () => {
  const named = [...Object.keys(changes), ...Object.keys(unchangedFields)];
  expect(named.toSorted()).toEqual(leafFields.map(({ name }) => name).toSorted());
});

test.each(Object.entries(changes))(
  "an order with another %s is valid, and differs only in that field",
  (name, change) => {
    const other = change(order);
    expect(requestSchemaError("createDelivery", other)).toBeUndefined();
    const changed = leafFields.filter(
      ({ path }) => JSON.stringify(valueAt(other, path)) !== JSON.stringify(valueAt(order, path)),
    );
    expect(changed.map((field) => field.name)).toEqual([name]);
  },
);
