import { expect, test } from "vitest";
import type { Exchange } from "../../../core/exchange.ts";
import { OperationRecord } from "./operation-record.ts";

/** An exchange without a response for ten seconds. */
const silence = (startedAt: number): Exchange => ({
  operation: "createDelivery",
  method: "POST",
  url: "http://service/v1/deliveries",
  requestHeaders: {},
  requestBody: undefined,
  startedAt,
  durationMs: 10_000,
  response: undefined,
  failure: "Headers Timeout Error",
  violates: undefined,
});

test("an operation is given up after consecutive requests without a response", () => {
  const record = new OperationRecord();
  record.observe(silence(0));
  expect(record.isGivenUp("createDelivery")).toBe(false);
  record.observe(silence(10_000));
  expect(record.isGivenUp("createDelivery")).toBe(true);
});

const refusal: Pick<Exchange, "response" | "failure"> = {
  response: { status: 422, headers: {}, bytes: new Uint8Array(), text: "", json: undefined },
  failure: undefined,
};

test("an operation that got only invalid requests isn't missing; one that serves no valid request is", () => {
  const record = new OperationRecord();
  record.observe({ ...silence(0), ...refusal, violates: "a body that is null" });
  expect(record.isMissing("createDelivery")).toBe(false);
  record.observe({ ...silence(0), ...refusal });
  expect(record.isMissing("createDelivery")).toBe(true);
});

test("a success without a body is enough where the document allows one", () => {
  const done: Pick<Exchange, "response" | "failure"> = {
    response: { status: 204, headers: {}, bytes: new Uint8Array(), text: "", json: undefined },
    failure: undefined,
  };
  const record = new OperationRecord();
  record.observe({ ...silence(0), ...done, operation: "updateDelivery" });
  record.observe({ ...silence(0), ...done, operation: "getDelivery" });
  expect(record.isMissing("updateDelivery")).toBe(false);
  expect(record.isMissing("getDelivery")).toBe(true);
});

test("concurrent requests count once", () => {
  const record = new OperationRecord();
  for (const startedAt of [0, 10, 500, 9_999]) record.observe(silence(startedAt));
  expect(record.isGivenUp("createDelivery")).toBe(false);
});
