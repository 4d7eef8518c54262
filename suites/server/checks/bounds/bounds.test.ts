import { describe, expect, test } from "vitest";
import { wallClock } from "../../../core/clock.ts";
import {
  allOperations,
  type OperationId,
  requestSchemaError,
  serviceApi,
} from "../../../core/contract/document.ts";
import { valueAt } from "../../../core/text/member-paths.ts";
import { tokenFields } from "../access/token-bounds.ts";
import { cancellationFields } from "../changes/cancellation-bounds.ts";
import { changeFields } from "../changes/change-bounds.ts";
import { creationFields } from "../deliveries/creation-bounds-fields.ts";
import { checks } from "../index.ts";
import { quoteFields } from "../quotes/quote-bounds.ts";
import { registrationFields } from "../stores/registration-bounds.ts";
import { subscriptionFields } from "../webhooks/subscription-bounds.ts";
import { type Bound, boundsOf, parameterBoundsOf, type Rule } from "./bounds.ts";
import { type FieldTable, illegalBody, legalBody } from "./checks.ts";
import { type Field, fieldsOf, parametersOf, withValue } from "./fields.ts";
import { parameterTables } from "./parameter-tables.ts";

/** Rules that JSON Schema can't express, so a validator of the document ignores them. */
const RULES_BEYOND_SCHEMA: readonly Rule[] = ["decimals", "exponent", "ahead"];

/** Every operation with a body, its table, and a valid body. */
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
  {
    operation: "createQuote",
    table: quoteFields,
    body: { store: { external_store_id: "s" }, dropoff: { lat: 41, lng: 29 } },
  },
  {
    operation: "createWebhook",
    table: subscriptionFields,
    body: { url: "https://example.com/", event_types: ["delivery.created"], description: "Mutfak" },
  },
  { operation: "cancelDelivery", table: cancellationFields, body: { reason: "Müşteri vazgeçti" } },
  {
    operation: "obtainToken",
    table: tokenFields,
    body: { grant_type: "client_credentials", client_id: "pos-1", client_secret: "s" },
  },
];

/** The names of fields, each with the rules of the field's bounds. */
const rulesIn = (fields: readonly Field[], bounds: readonly Bound[]) =>
  fields.map(({ name }) => [
    name,
    bounds
      .filter(({ field }) => field.name === name)
      .map(({ rule }) => rule)
      .toSorted(),
  ]);

test("every operation with a body or with parameters has a table", () => {
  const withBody = allOperations.filter(({ id }) => fieldsOf(id).length > 0).map(({ id }) => id);
  expect(tables.map(({ operation }) => operation).toSorted()).toEqual(withBody.toSorted());
  const withParameters = allOperations.filter(({ id }) => parametersOf(id).length > 0).map(({ id }) => id);
  expect(Object.keys(parameterTables).toSorted()).toEqual(withParameters.toSorted());
});

test("the id of a bound's check ends in the bound's field and rule", () => {
  const wrong = tables.flatMap(({ table }) =>
    Object.entries(table).flatMap(([field, { rules }]) =>
      Object.entries(rules).flatMap(([rule, placement]) => {
        if (typeof placement !== "object" || !("id" in placement)) return [];
        const expected = `${field}-${rule}`.toLowerCase().replaceAll(/[^a-z]+/g, "-");
        return placement.id.endsWith(`-bounds.${expected}`) ? [] : [`${placement.id}, not ${expected}`];
      }),
    ),
  );
  expect(wrong).toEqual([]);
});

test("the clause of a bound that another check verifies has a check", () => {
  const verified = new Set<string>(checks.flatMap(({ clauses }) => clauses));
  const placements = [
    ...tables.flatMap(({ table }) => Object.values(table).map(({ rules }) => rules)),
    ...Object.values(parameterTables).flatMap((table) => Object.values(table)),
  ].flatMap((rules) => Object.values(rules));
  const clausesOfOtherChecks = placements.flatMap((placement) =>
    typeof placement === "object" && "inCheckOf" in placement ? [placement.inCheckOf] : [],
  );
  expect(clausesOfOtherChecks.filter((clause) => !verified.has(clause))).toEqual([]);
});

const parameters = allOperations.flatMap(({ id: operation }) => {
  const table = parameterTables[operation];
  return table ? [{ operation, table }] : [];
});

describe.each(parameters)("parameters of $operation", ({ operation, table }) => {
  test("the table contains exactly the parameters and bounds of the document", () => {
    const inTable = Object.entries(table).map(([name, rules]) => [name, Object.keys(rules).toSorted()]);
    const inDocument = rulesIn(parametersOf(operation), parameterBoundsOf(operation));
    expect(inTable.toSorted()).toEqual(inDocument.toSorted());
  });

  const sides = parameterBoundsOf(operation).flatMap(({ field, rule, legal, illegal }) => [
    ...(legal ? [{ field, rule, side: legal, isLegal: true }] : []),
    ...(illegal ? [{ field, rule, side: illegal, isLegal: false }] : []),
  ]);
  for (const { field, rule, side, isLegal } of sides) {
    test(`${field.name} ${rule}: a value ${side.words} is ${isLegal ? "valid" : "invalid"}`, () => {
      const value = side.value("order-A-1001-try", wallClock());
      // A missing value is always invalid: it violates the bound "required".
      expect(value !== undefined && serviceApi.ajv.validate(field.schema, value)).toBe(isLegal);
    });
  }
});

describe.each(tables)("$operation", ({ operation, table, body }) => {
  const subject = { operation, table };
  const now = wallClock();

  test("the table contains exactly the fields and bounds of the document", () => {
    const inDocument = rulesIn(fieldsOf(operation), boundsOf(operation));
    const inTable = Object.entries(table).map(([name, { rules }]) => [name, Object.keys(rules).toSorted()]);
    expect(inTable.toSorted()).toEqual(inDocument.toSorted());
  });

  test("the table or the body has a valid value of every field", () => {
    const without = fieldsOf(operation).filter(
      ({ name, path }) => table[name]?.example === undefined && valueAt(body, path) === undefined,
    );
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  /** A valid body that contains the parent of the bound's field. */
  const bodyFor = ({ field }: Bound) => {
    const parent = field.path.slice(0, -1);
    const outer = table[parent.filter((key) => typeof key === "string").join(".")]?.example?.(now, body);
    return parent.length > 0 && valueAt(body, parent) === undefined ? withValue(body, parent, outer) : body;
  };

  for (const bound of boundsOf(operation)) {
    test(`${bound.field.name} ${bound.rule}: the last valid value is valid`, () => {
      const legal = legalBody(subject, bound, bodyFor(bound), now);
      expect(requestSchemaError(operation, legal)).toBeUndefined();
    });
  }

  const lengths = boundsOf(operation).filter(({ rule }) => rule === "maxLength" || rule === "minLength");
  test.for(lengths)(
    "$field.name $rule: the values contain only letters of the Basic Multilingual Plane (OPEN-30)",
    (bound) => {
      for (const body of [
        legalBody(subject, bound, bodyFor(bound), now),
        illegalBody(subject, bound, bodyFor(bound), now),
      ]) {
        expect(String(valueAt(body, bound.field.path))).toMatch(/^[ -~ğ]*$/);
      }
    },
  );

  const broken = boundsOf(operation).filter(
    ({ illegal, rule }) => illegal !== undefined && !RULES_BEYOND_SCHEMA.includes(rule),
  );
  for (const bound of broken) {
    test(`${bound.field.name} ${bound.rule}: the first invalid value is invalid`, () => {
      const illegal = illegalBody(subject, bound, bodyFor(bound), now);
      expect(requestSchemaError(operation, illegal)).toBeDefined();
    });
  }
});
