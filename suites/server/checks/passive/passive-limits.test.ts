import { expect, test } from "vitest";
import type { Exchange } from "../../../core/exchange.ts";
import { passiveLimitsChecks } from "./passive-limits.ts";

const NOW = Date.parse("2026-11-22T10:00:00Z");

const exchangeWith429 = (retryAfter: string, clockOffsetMs: number): Exchange => ({
  operation: "createQuote",
  method: "POST",
  url: "http://service/v1/quotes",
  requestHeaders: {},
  requestBody: undefined,
  startedAt: NOW,
  clockOffsetMs,
  durationMs: 5,
  response: {
    status: 429,
    headers: { "retry-after": retryAfter, date: new Date(NOW).toUTCString() },
    bytes: Buffer.alloc(0),
    text: "",
    json: undefined,
  },
  failure: undefined,
  violates: undefined,
});

const faultOf = (retryAfter: string, clockOffsetMs = 0) =>
  passiveLimitsChecks
    .find(({ id }) => id === "passive.retry-after-within-the-minute")
    ?.fault(exchangeWith429(retryAfter, clockOffsetMs));

const instantAfter = (seconds: number) => NOW + seconds * 1000;

test.each([
  ["seconds", "41"],
  ["a whole minute, rounded up", "61"],
  ["parts of a second", "0.5"],
  ["a Unix time", String(instantAfter(41) / 1000)],
  ["a date", new Date(instantAfter(41)).toUTCString()],
  [
    "a date a minute and two seconds later, with both times rounded",
    new Date(instantAfter(62)).toUTCString(),
  ],
  ["a date that has passed when the response arrives", new Date(instantAfter(-1)).toUTCString()],
  ["an unreadable value", "soon"],
])("a retry-after with %s is no fault", (_, retryAfter) => {
  expect(faultOf(retryAfter)).toBeUndefined();
});

test.each([
  ["milliseconds", "41000", "41000 s"],
  ["two minutes", "120", "120 s"],
  ["a minute and two seconds", "62", "62 s"],
  ["a date a minute and three seconds later", new Date(instantAfter(63)).toUTCString(), "63 s"],
  ["a date in an hour", new Date(instantAfter(3600)).toUTCString(), "3600 s"],
])("a retry-after with %s is too long", (_, retryAfter, wait) => {
  expect(faultOf(retryAfter)).toContain(wait);
});

const DAY_S = 86_400;

test.each([
  ["the integrator's clock", new Date(instantAfter(DAY_S + 41)).toUTCString()],
  ["real time", new Date(instantAfter(41)).toUTCString()],
])("if the integrator's clock is a day ahead, a date may be in %s", (_, retryAfter) => {
  expect(faultOf(retryAfter, DAY_S * 1000)).toBeUndefined();
});

test("a date that is too late on the integrator's clock too is a fault", () => {
  expect(faultOf(new Date(instantAfter(DAY_S + 3600)).toUTCString(), DAY_S * 1000)).toContain("3600 s");
});
