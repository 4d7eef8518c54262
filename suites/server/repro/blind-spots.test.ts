import { expect, test } from "vitest";
import type { Exchange } from "../../core/exchange.ts";
import { hangsOnReceiver, isBlindTo, veilOf } from "./blind-spots.ts";

const exchangeTo = (path: string): Exchange => ({
  operation: "testWebhook",
  method: "POST",
  url: `https://dispatch.example${path}`,
  requestHeaders: {},
  requestBody: undefined,
  startedAt: 0,
  durationMs: 10,
  response: undefined,
  failure: undefined,
  violates: undefined,
});

test("what hangs on how the suite's receiver answered, where nobody answers a script's webhooks", () => {
  const delivery = exchangeTo("/v1/deliveries/1");
  const subscription = exchangeTo("/v1/webhooks/1/test");
  expect(hangsOnReceiver(delivery, [])).toBe(false);
  expect(hangsOnReceiver(delivery, [204, 204])).toBe(false);
  for (const status of [410, 500, 302, undefined]) {
    expect(hangsOnReceiver(delivery, [204, status])).toBe(true);
  }
  expect(hangsOnReceiver(subscription, [])).toBe(false);
  expect(hangsOnReceiver(subscription, [204])).toBe(true);
});

test("what a script is blind to is the same on every server", () => {
  const seen = { needs: [], isAboutWebhooks: false, isAboutAnswer: true, isOfReceiver: false };
  expect(isBlindTo(seen)).toBe(false);
  expect(isBlindTo({ ...seen, needs: ["receiver", "credit"] })).toBe(false);
  expect(isBlindTo({ ...seen, needs: ["credit"], isAboutAnswer: false })).toBe(true);
  expect(isBlindTo({ ...seen, needs: ["company-codes"] })).toBe(true);
  expect(isBlindTo({ ...seen, isOfReceiver: true })).toBe(true);
  expect(isBlindTo({ ...seen, isAboutWebhooks: true })).toBe(true);
});

test("the same answers may hide a secret, and a header's number", () => {
  expect(veilOf("version: 2 where more than 2 was due")).toBeUndefined();
  expect(veilOf("there is no x-ratelimit-limit")).toBeUndefined();
  expect(veilOf("X-RateLimit-Remaining of the second answer: 99 where at most 98 was due")).toMatch(/header/);
  expect(veilOf("the client_secret is shown")).toMatch(/secret/);
});

test("times that lie nearer to each other than a script's calls do can't be told apart", () => {
  const [due, near, far] = [
    "2030-05-01T12:00:00.500Z or later",
    "2030-05-01T12:00:00.100Z",
    "2030-05-01T11:00:00Z",
  ];
  expect(veilOf("updated_at", due, near)).toContain("times");
  expect(veilOf("updated_at", due, far)).toBeUndefined();
});
