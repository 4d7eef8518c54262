import { describe, expect, test } from "vitest";
import { changeFields } from "../change-bounds.ts";
import { registrationFields } from "../registration-bounds.ts";
import { realNow } from "../target/clock.ts";
import { type OperationId, requestFault } from "../target/document.ts";
import { boundsOf, type Rule } from "./bounds.ts";
import { type FieldTable, illegalBody, legalBody } from "./checks.ts";
import { creationFields } from "./creation-fields.ts";
import { fieldsOf, valueAt, withValue } from "./fields.ts";

/** Bounds that no JSON Schema can state: a validator of the document doesn't know them. */
const BEYOND_SCHEMA: readonly Rule[] = ["decimals", "ahead"];

/** The operations whose bounds are checked from the document, each with its table and a plain legal body. */
const tables: readonly { operation: OperationId; table: FieldTable; body: object }[] = [
  {
    operation: "createDelivery",
    table: creationFields,
    body: {
      external_ref: "c-00000000-0000-4000-8000-000000000000",
      store: { external_store_id: "s" },
      customer: { name: "Ayşe", phone: "05321234567" },
      dropoff: { text: "Uyum Sokak 5", lat: 41, lng: 29 },
      payment: { type: "X", amount_due: 249.9, prepaid: false },
      items: [{ name: "Ayran", quantity: 1, total: 30 }],
    },
  },
  { operation: "updateDelivery", table: changeFields, body: {} },
  {
    operation: "registerStore",
    table: registrationFields,
    body: {
      external_store_id: "s",
      name: "Uyum Lokantası",
      phone: "+902125550100",
      address: { text: "Deneme Caddesi 1", lat: 41, lng: 29 },
    },
  },
];

describe.each(tables)("$operation", ({ operation, table, body }) => {
  const subject = { operation, table };
  const now = realNow();

  test("every field and bound of the document stands in the table, and nothing else does", () => {
    const inDocument = fieldsOf(operation).map(({ name }) => [
      name,
      boundsOf(operation)
        .filter(({ field }) => field.name === name)
        .map(({ rule }) => rule)
        .toSorted(),
    ]);
    const inTable = Object.entries(table).map(([name, { rules }]) => [name, Object.keys(rules).toSorted()]);
    expect(inTable.toSorted()).toEqual(inDocument.toSorted());
  });

  test("every field has a legal value to start from", () => {
    const without = fieldsOf(operation).filter(
      ({ name, path }) => table[name]?.example === undefined && valueAt(body, path) === undefined,
    );
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  for (const bound of boundsOf(operation)) {
    const { field, rule } = bound;
    test(`${field.name} ${rule}: the legal side is legal, and the other isn't`, () => {
      // What a field stands in has to be there, where the plain body hasn't got it.
      const parent = field.path.slice(0, -1);
      const outer = table[parent.filter((key) => typeof key === "string").join(".")]?.example?.(now);
      const plain =
        parent.length > 0 && valueAt(body, parent) === undefined ? withValue(body, parent, outer) : body;
      expect(requestFault(operation, legalBody(subject, bound, plain, now))).toBeUndefined();
      if (bound.illegal === undefined || BEYOND_SCHEMA.includes(rule)) return;
      expect(requestFault(operation, illegalBody(subject, bound, plain, now))).toBeDefined();
    });
  }
});
