import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { newOrder } from "../../support/orders/orders.ts";
import { isOwnStoreId, newStoreId, ownStoreIdsIn } from "../stores/own-stores.ts";
import { drawTextsBy, newReference } from "./sample-data.ts";
import { DEFAULT_POINT } from "./settings.ts";

const context = { externalStoreId: "here", paymentType: "NAKIT", point: DEFAULT_POINT };

function ordersBy(seed: number): readonly string[] {
  drawTextsBy(seed);
  return Array.from({ length: 20 }, () => JSON.stringify({ ...newOrder(context), external_ref: "" }));
}

test("a seed repeats the texts of orders, and another seed changes them", () => {
  expect(ordersBy(5)).toEqual(ordersBy(5));
  expect(ordersBy(5)).not.toEqual(ordersBy(6));
});

test("orders of one run have different customers, items, addresses and amounts", () => {
  drawTextsBy(1);
  const orders = Array.from({ length: 40 }, () => newOrder(context));
  const kinds = (of: (order: (typeof orders)[number]) => unknown) => new Set(orders.map(of)).size;
  expect(kinds(({ customer }) => customer?.name)).toBeGreaterThan(5);
  expect(kinds(({ customer }) => customer?.phone)).toBe(40);
  expect(kinds(({ dropoff }) => dropoff.text)).toBeGreaterThan(20);
  expect(kinds(({ dropoff }) => `${dropoff.lat} ${dropoff.lng}`)).toBeGreaterThan(20);
  expect(kinds(({ payment }) => payment.amount_due)).toBeGreaterThan(20);
});

test("a reference leaves room for two more characters", () => {
  const lengths = [1, 2, 3, 4, 5].map((seed) => {
    drawTextsBy(seed);
    return newReference().length;
  });
  expect(Math.max(...lengths)).toBeLessThanOrEqual(38);
});

test("a store of an earlier run is recognized by its identifier, even with a suffix, and no other store is", () => {
  const own = newStoreId();
  expect(own).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect([own, `${own}-000`].map(isOwnStoreId)).toEqual([true, true]);
  expect([randomUUID(), own.slice(0, -1), `x${own}`, ""].map(isOwnStoreId)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(ownStoreIdsIn(`/v1/stores/${own}?of=${randomUUID()}`)).toEqual([own]);
});
