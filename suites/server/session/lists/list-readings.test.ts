import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { wallClock } from "../../../core/clock.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { Exchange } from "../../../core/exchange.ts";
import { EventuallyConsistentLists, LIST_LAG_MS } from "./list-readings.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const exchange = (operation: OperationId, method: string, seen: Partial<Exchange> = {}): Exchange => ({
  operation,
  method,
  url: "http://service/v1/deliveries",
  requestHeaders: {},
  requestBody: undefined,
  startedAt: wallClock(),
  durationMs: 1,
  response: { status: 200, headers: {}, text: "{}", json: {}, bytes: Buffer.from("{}") },
  failure: undefined,
  violates: undefined,
  ...seen,
});

const list = (seen?: Partial<Exchange>) => exchange("listDeliveries", "GET", seen);
const change = (seen?: Partial<Exchange>) => exchange("updateDelivery", "PATCH", seen);

/** True if a check with these exchanges may have read a lagging list. */
function mayHaveLagged(...steps: readonly (() => Exchange | number)[]): boolean {
  const lists = new EventuallyConsistentLists();
  for (const step of steps) {
    const next = step();
    if (typeof next === "number") vi.setSystemTime(wallClock() + next);
    else lists.observe(next);
  }
  return lists.mayHaveLagged;
}

const long = () => LIST_LAG_MS + 1;

test("a list that is read soon after a change may not show it yet", () => {
  expect(mayHaveLagged(long, change, list)).toBe(true);
});

test("a list read early may not show data from just before the check began", () => {
  expect(mayHaveLagged(list)).toBe(true);
});

test("a list read later must show the change", () => {
  expect(mayHaveLagged(change, long, list)).toBe(false);
});

test("a lagging list isn't the cause if the check continued with a change", () => {
  expect(mayHaveLagged(change, list, change)).toBe(false);
});

test("the deletion of an endpoint at the end, a read and a refused change don't count as a change", () => {
  const cleanup = () => exchange("deleteWebhook", "DELETE");
  const reading = () => exchange("getDelivery", "GET");
  const refused = () =>
    change({ response: { status: 409, headers: {}, text: "{}", json: {}, bytes: Buffer.from("{}") } });
  expect(mayHaveLagged(change, list, cleanup, reading, refused)).toBe(true);
});

test("an intentionally invalid list request isn't a list read", () => {
  expect(mayHaveLagged(change, () => list({ violates: "no cursor" }))).toBe(false);
});

test("a failed list request isn't a list read", () => {
  const missing = { status: 404, headers: {}, text: "{}", json: {}, bytes: Buffer.from("{}") };
  expect(mayHaveLagged(change, () => list({ response: missing }))).toBe(false);
});

test("changes through the control interface count too", () => {
  const lists = new EventuallyConsistentLists();
  vi.setSystemTime(wallClock() + LIST_LAG_MS + 1);
  lists.noteChange();
  lists.observe(list());
  expect(lists.mayHaveLagged).toBe(true);
});
