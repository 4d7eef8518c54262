import { expect, test } from "vitest";
import type { Exchange } from "../../core/exchange.ts";
import { TargetEnd } from "./target-end.ts";

const exchange: Exchange = {
  operation: "createDelivery",
  method: "POST",
  url: "http://service/v1/deliveries",
  requestHeaders: {},
  requestBody: undefined,
  startedAt: 0,
  durationMs: 1,
  response: undefined,
  failure: "read ECONNRESET",
  violates: undefined,
};
const invalid = { violates: "a body that isn't JSON" };
const answered = (more: Partial<Exchange> = {}): Exchange => ({
  ...exchange,
  operation: "getStore",
  response: { status: 400, headers: {}, bytes: new Uint8Array(), text: "", json: undefined },
  failure: undefined,
  stoppedTarget: "after its answer",
  ...more,
});
const lost = (more: Partial<Exchange> = {}): Exchange => ({
  ...exchange,
  stoppedTarget: "before its answer",
  ...more,
});

test.each([
  ["no request at which the target stopped", [exchange], undefined],
  ["an answered request alone", [answered()], "getStore"],
  ["a lost request", [lost()], "createDelivery"],
  ["a lost request after an answered one", [answered(invalid), lost()], "createDelivery"],
  [
    "an invalid one before one on a kept connection",
    [answered(invalid), lost({ isRetried: true })],
    "getStore",
  ],
  ["a valid one before one on a kept connection", [answered(), lost({ isRetried: true })], "createDelivery"],
  [
    "an invalid one before another invalid one",
    [answered(invalid), lost({ ...invalid, isRetried: true })],
    "createDelivery",
  ],
])("the request that stopped the target is found: %s", (_, exchanges, operation) => {
  const end = new TargetEnd();
  for (const one of exchanges) end.observe(one);
  expect(end.failure?.exchange.operation).toBe(operation);
  expect(end.disturbances.map((one) => one.operation)).toEqual(operation === undefined ? [] : [operation]);
});
