import { expect, test } from "vitest";
import { randomFrom } from "../../../../sandbox/simulator/random.ts";
import { drawGate } from "./gate.ts";
import { changeAt, placesInDocument } from "./places.ts";
import { tryGates } from "./run.ts";

const places = placesInDocument();

test("every field of the document's requests, responses and events can get a gate", () => {
  const names = places.map(({ operation, part, path }) => `${operation} ${part} ${path.join(".")}`);
  expect(names).toEqual(
    expect.arrayContaining([
      "createDelivery body items.*.quantity",
      "createDelivery headers Idempotency-Key",
      "getDelivery answer customer.phone",
      "getStore path external_store_id",
      "listDeliveries query since",
      "listDeliveries answer items.*.items.*.name",
      "event event data.payment.amount_due",
    ]),
  );
  expect(new Set(names).size).toBe(names.length);
});

test("the same seed draws the same gate, and another seed another gate", () => {
  const faults = [1, 1, 2].map((seed) => drawGate(randomFrom("gate", seed), places).fault);
  expect(faults[1]).toBe(faults[0]);
  expect(faults[2]).not.toBe(faults[0]);
});

test("a value is changed in each entry of a list, and nothing else", () => {
  const order = { items: [{ name: "a", total: 1 }, { name: "b" }], notes: "a" };
  const upper = changeAt(order, ["items", "*", "name"], (name) => String(name).toUpperCase());
  expect(upper).toEqual({ items: [{ name: "A", total: 1 }, { name: "B" }], notes: "a" });
  expect(changeAt(order, ["items"], () => undefined)).toEqual({ notes: "a" });
  expect(changeAt(order, ["customer", "name"], () => "x")).toBe(order);
});

/** Only values of orders, so that the result doesn't depend on the time of day. */
const TRIED = ["creation.any-order", "changes.any-change", "quotes.matches-order"];

test("checks run on servers with a gate, and one of them detects a gate that they trigger", async () => {
  const results = await tryGates({ seed: 6, gates: 6, isTried: ({ id }) => TRIED.includes(id) });
  expect(results).toHaveLength(6);
  const caught = results.flatMap((result) => (result.status === "caught" ? [result.by] : []));
  expect(caught.length).toBeGreaterThan(0);
  expect(caught.filter((id) => !TRIED.includes(id) && !id.startsWith("passive."))).toEqual([]);
});
