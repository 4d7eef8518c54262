import { expect, test } from "vitest";
import type { Exchange } from "../../../core/exchange.ts";
import { passiveLimitsChecks } from "./passive-limits.ts";

const NOW = Date.parse("2026-11-22T10:00:00Z");

const limited = (retryAfter: string): Exchange => ({
  operation: "createQuote",
  method: "POST",
  url: "http://service/v1/quotes",
  requestHeaders: {},
  requestBody: undefined,
  startedAt: NOW,
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

const faultOf = (retryAfter: string) =>
  passiveLimitsChecks
    .find(({ id }) => id === "passive.retry-after-within-the-minute")
    ?.fault(limited(retryAfter));

const after = (seconds: number) => NOW + seconds * 1000;

test.each([
  ["seconds", "41"],
  ["a whole minute, rounded up", "61"],
  ["parts of a second", "0.5"],
  ["the time as Unix counts it", String(after(41) / 1000)],
  ["a date", new Date(after(41)).toUTCString()],
  ["a date that is over when the answer comes", new Date(after(-1)).toUTCString()],
  ["what can't be read", "soon"],
])("%s may name the wait", (_, given) => {
  expect(faultOf(given)).toBeUndefined();
});

test.each([
  ["milliseconds", "41000", "41000 s"],
  ["two minutes", "120", "120 s"],
  ["a date in an hour", new Date(after(3600)).toUTCString(), "3600 s"],
])("%s are too long a wait", (_, given, told) => {
  expect(faultOf(given)).toContain(told);
});
