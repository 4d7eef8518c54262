import { expect, test } from "vitest";
import type { ReportedExchange } from "./exchange.ts";
import { packWire, unpackWire, WireLog } from "./wire.ts";

const exchange: ReportedExchange = {
  operation: "getHealth",
  started_at: "2026-11-21T10:00:00.000Z",
  duration_ms: 2,
  request: { method: "GET", url: "https://dispatch.example/healthz", headers: {} },
  response: { status: 200, headers: {}, body: '{"ok":true,"note":"Çiğ köfte 🍢"}' },
};

test("what is packed comes out as it was, and is smaller where it says the same again and again", () => {
  const all = Array.from({ length: 100 }, () => exchange);
  expect(unpackWire(packWire(all))).toEqual(all);
  expect(packWire(all).length).toBeLessThan(JSON.stringify(all).length / 10);
});

test("of thousands the first and the last are kept, in their order", () => {
  const log = new WireLog<number>();
  for (let number = 0; number < 5_000; number += 1) log.add(number);
  const { exchanges } = log;
  expect(exchanges.length).toBeLessThanOrEqual(600);
  expect(exchanges.slice(0, 300)).toEqual(Array.from({ length: 300 }, (_, index) => index));
  expect(exchanges.at(-1)).toBe(4_999);
  expect(exchanges).toEqual(exchanges.toSorted((one, other) => one - other));
});

test("few are kept whole", () => {
  const log = new WireLog<number>();
  for (let number = 0; number < 450; number += 1) log.add(number);
  expect(log.exchanges).toEqual(Array.from({ length: 450 }, (_, index) => index));
});
