import { expect, test } from "vitest";
import type { Exchange } from "../../../core/exchange.ts";
import { RequestDisturbances } from "./request-disturbances.ts";

const exchange = (seen: Partial<Exchange>): Exchange => ({
  operation: "getStore",
  method: "GET",
  url: "http://service/v1/stores/one",
  requestHeaders: {},
  requestBody: undefined,
  startedAt: 0,
  durationMs: 1,
  response: undefined,
  failure: undefined,
  violates: undefined,
  ...seen,
});

const answered = (status: number): Partial<Exchange> => ({
  response: { status, headers: {}, bytes: new Uint8Array(), text: "", json: undefined },
});

function seenOf(...exchanges: readonly Partial<Exchange>[]) {
  const requests = new RequestDisturbances();
  for (const one of exchanges) requests.observe(exchange(one));
  return requests.all.map(({ kind, operation, respondsOtherwise }) => ({
    kind,
    operation,
    respondsOtherwise,
  }));
}

test("a repeated request is a disturbance without an operation", () => {
  expect(seenOf({ ...answered(200), isRetried: true })).toEqual([
    { kind: "connection-lost", operation: undefined, respondsOtherwise: false },
  ]);
});

test("lost connections and late responses are recorded by operation, the last one first", () => {
  expect(seenOf({ isConnectionLost: true }, { isLate: true, operation: "createQuote" })).toMatchObject([
    { kind: "no-answer", operation: "createQuote" },
    { kind: "connection-lost", operation: "getStore" },
  ]);
});

test.each([502, 503, 504])(
  "%i is a proxy's response, unless the operation also returned others",
  (status) => {
    expect(seenOf(answered(status))).toMatchObject([{ kind: "unavailable", respondsOtherwise: false }]);
    expect(seenOf(answered(status), answered(404))).toMatchObject([
      { kind: "unavailable", respondsOtherwise: true },
    ]);
  },
);

test.each([200, 404, 429, 500])("%i is the target's own response", (status) => {
  expect(seenOf(answered(status))).toEqual([]);
});

test("a lost control interface call is a disturbance too", () => {
  const requests = new RequestDisturbances();
  requests.endedByControl();
  expect(requests.all).toMatchObject([{ kind: "connection-lost" }]);
  expect(requests.account).toEqual([]);
});
