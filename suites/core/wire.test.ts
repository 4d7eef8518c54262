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

test("a packed value is restored unchanged, and repetitive text gets smaller", () => {
  const all = Array.from({ length: 100 }, () => exchange);
  expect(unpackWire(packWire(all))).toEqual(all);
  expect(packWire(all).length).toBeLessThan(JSON.stringify(all).length / 10);
});

test("the first and last of thousands of entries are kept in order", () => {
  const log = new WireLog<number>();
  for (let number = 0; number < 5_000; number += 1) log.add(number);
  const { exchanges } = log;
  expect(exchanges.length).toBeLessThanOrEqual(600);
  expect(exchanges.slice(0, 300)).toEqual(Array.from({ length: 300 }, (_, index) => index));
  expect(exchanges.at(-1)).toBe(4_999);
  expect(exchanges).toEqual(exchanges.toSorted((one, other) => one - other));
});

test("a small number of entries is kept completely", () => {
  const log = new WireLog<number>();
  for (let number = 0; number < 450; number += 1) log.add(number);
  expect(log.exchanges).toEqual(Array.from({ length: 450 }, (_, index) => index));
});
