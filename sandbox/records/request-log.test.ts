import { expect, test } from "vitest";
import { type AnsweredRequest, MAX_CHARACTERS, MAX_REQUESTS, RequestLog } from "./request-log.ts";

const answered = (more: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  at: 0,
  integratorId: null,
  method: "GET",
  path: "/v1/stores",
  status: 200,
  code: null,
  tookMs: 1,
  deliveryId: null,
  requestHeaders: {},
  requestBody: null,
  responseHeaders: {},
  responseBody: null,
  ...more,
});

test("keeps the latest requests up to the limit, and counts the others", () => {
  const log = new RequestLog();
  for (let count = 0; count < 2 * MAX_REQUESTS; count++) log.add(answered());
  expect(log.seen).toBe(2 * MAX_REQUESTS);
  expect(log.kept).toBeLessThanOrEqual(MAX_REQUESTS);
  expect(log.kept).toBeGreaterThanOrEqual(MAX_REQUESTS * 0.9);
  expect(log.search({}).at(0)?.id).toBe(log.seen);
  expect(log.find(1)).toBeUndefined();
});

test("limits the number of characters, even for few requests", () => {
  const log = new RequestLog();
  const text = "x".repeat(MAX_CHARACTERS / 100);
  for (let count = 0; count < 250; count++) {
    log.add(answered({ responseBody: { text, bytes: text.length, isWhole: true } }));
  }
  expect(log.kept).toBeLessThanOrEqual(100);
  expect(log.kept).toBeGreaterThan(80);
});

test("combines all filters, latest first", () => {
  const log = new RequestLog();
  const bodies = { requestBody: { text: '{"external_ref":"Kasa-17"}', bytes: 26, isWhole: true } };
  log.add(answered({ at: 10, integratorId: "a", method: "POST", status: 201, deliveryId: "d", ...bodies }));
  log.add(answered({ at: 20, integratorId: "a", status: 404, code: "BULUNAMADI" }));
  log.add(answered({ at: 30, integratorId: "b", status: 429, code: "HIZ_SINIRI" }));
  const ids = (query: Parameters<RequestLog["search"]>[0]) => log.search(query).map(({ id }) => id);
  expect(ids({})).toEqual([3, 2, 1]);
  expect(ids({ integratorId: "a" })).toEqual([2, 1]);
  expect(ids({ method: "POST" })).toEqual([1]);
  expect(ids({ status: "4" })).toEqual([3, 2]);
  expect(ids({ status: "404" })).toEqual([2]);
  expect(ids({ deliveryId: "d" })).toEqual([1]);
  expect(ids({ text: "kasa-17" })).toEqual([1]);
  expect(ids({ text: "hiz_sin" })).toEqual([3]);
  expect(ids({ from: 20, to: 30 })).toEqual([2]);
});
