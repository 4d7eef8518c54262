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

/** True if a check that saw these exchanges in order may have read a list that lagged. */
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

test("nor what was there just before the check began", () => {
  expect(mayHaveLagged(list)).toBe(true);
});

test("later it has to", () => {
  expect(mayHaveLagged(change, long, list)).toBe(false);
});

test("a check that went on to change something failed at something else", () => {
  expect(mayHaveLagged(change, list, change)).toBe(false);
});

test("an address that is deleted at the end is no such change, and neither is a reading or a refused change", () => {
  const cleanup = () => exchange("deleteWebhook", "DELETE");
  const reading = () => exchange("getDelivery", "GET");
  const refused = () =>
    change({ response: { status: 409, headers: {}, text: "{}", json: {}, bytes: Buffer.from("{}") } });
  expect(mayHaveLagged(change, list, cleanup, reading, refused)).toBe(true);
});

test("a list that was asked for wrongly on purpose is looked at for its refusal", () => {
  expect(mayHaveLagged(change, () => list({ violates: "no cursor" }))).toBe(false);
});

test("an endpoint that answers no list shows nothing later either", () => {
  const missing = { status: 404, headers: {}, text: "{}", json: {}, bytes: Buffer.from("{}") };
  expect(mayHaveLagged(change, () => list({ response: missing }))).toBe(false);
});

test("what changes through the control interface counts as well", () => {
  const lists = new EventuallyConsistentLists();
  vi.setSystemTime(wallClock() + LIST_LAG_MS + 1);
  lists.noteChange();
  lists.observe(list());
  expect(lists.mayHaveLagged).toBe(true);
});
