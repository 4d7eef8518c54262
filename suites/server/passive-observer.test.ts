import { expect, test } from "vitest";
import type { Exchange } from "../core/exchange.ts";
import { parseJson } from "../core/json.ts";
import { Redactor } from "../core/text/redact.ts";
import { passiveChecks } from "./checks/passive/passive.ts";
import { PassiveObserver } from "./passive-observer.ts";

const answered = (status: number, text = "", request: Partial<Exchange> = {}): Exchange => ({
  operation: "getDelivery",
  method: "GET",
  url: "http://service/v1/deliveries/1",
  requestHeaders: {},
  requestBody: undefined,
  startedAt: 0,
  durationMs: 5,
  response: { status, headers: {}, bytes: Buffer.from(text), text, json: parseJson(text) },
  failure: undefined,
  violates: undefined,
  ...request,
});

const order = answered(201, '{"id":"1"}', { operation: "createDelivery", method: "POST" });
const PAGE = "<h1>502 Bad Gateway</h1>";
const OWN = '{"error":{"code":"SUNUCU_HATASI","message":"no"}}';

/** The outcome of passive.no-5xx for these exchanges. */
function outcomeOf(...exchanges: readonly Exchange[]) {
  const check = passiveChecks.filter(({ id }) => id === "passive.no-5xx");
  const observer = new PassiveObserver(check);
  for (const exchange of [order, ...exchanges]) observer.observe(exchange);
  const [outcome] = check.map((one) => observer.outcome(one, new Redactor()));
  return outcome;
}

test.each([
  ["a page of 502", answered(502, PAGE)],
  ["an empty 503", answered(503)],
  ["a 504 with JSON other than an error body", answered(504, '{"message":"timeout"}')],
])("%s may come from a proxy, and isn't judged", (_, exchange) => {
  expect(outcomeOf(exchange)).toMatchObject({
    status: "passed",
    account: [expect.stringMatching(/^1 response with 502, 503 or 504 wasn't judged: /)],
  });
});

test("a 503 with the service's error body is a failure", () => {
  const outcome = outcomeOf(answered(503, OWN), answered(200));
  expect(outcome?.status).toBe("failed");
  expect(outcome).not.toHaveProperty("account");
});

test("a 500 with any body is a failure", () => {
  expect(outcomeOf(answered(500, PAGE), answered(200))).toMatchObject({
    status: "failed",
    message: "getDelivery answered 500 (1 of 3 exchanges; this is the first)",
  });
});

test("the earliest fault is reported, with the number of faults", () => {
  const late = answered(500, OWN, { startedAt: 2 });
  const early = answered(500, OWN, { operation: "getStore", startedAt: 1 });
  expect(outcomeOf(late, early, late)).toMatchObject({
    message: "getStore answered 500 (3 of 4 exchanges; this is the first)",
  });
});

test("the steps contain the last change of the delivery", () => {
  const change = answered(200, "{}", {
    operation: "updateDelivery",
    method: "PATCH",
    requestBody: '{"notes":"Zile basmayın"}',
  });
  const ofAnother = { ...change, url: "http://service/v1/deliveries/2" };
  expect(outcomeOf(change, ofAnother, answered(500, OWN, { startedAt: 1 }))?.steps).toEqual([
    'PATCH /v1/deliveries/1 {notes: "Zile basmayın"} → 200',
    "GET /v1/deliveries/1 → 500 SUNUCU_HATASI",
  ]);
  expect(outcomeOf(ofAnother, answered(500, OWN))).not.toHaveProperty("steps");
});

/** Outcomes of a check that throws at a response with this status, and of the same check without this bug. */
function outcomesOfBoth(throwsAt: number, ...exchanges: readonly Exchange[]) {
  const [fine] = passiveChecks.filter(({ id }) => id === "passive.no-5xx");
  if (!fine) throw new Error("no check");
  const broken = {
    ...fine,
    id: "passive.broken",
    applies(exchange: Exchange) {
      if (exchange.response?.status === throwsAt) throw new TypeError("a fault of the check");
      return fine.applies(exchange);
    },
  };
  const observer = new PassiveObserver([broken, fine]);
  for (const exchange of exchanges) observer.observe(exchange);
  return [broken, fine].map((check) => observer.outcome(check, new Redactor()));
}

test("a passive check that throws is errored, and the other checks continue", () => {
  const outcomes = outcomesOfBoth(201, order, answered(200));
  expect(outcomes).toMatchObject([
    { status: "errored", message: expect.stringContaining("a fault of the check") },
    { status: "passed" },
  ]);
});

test("a failure that a passive check found before it threw is reported", () => {
  expect(outcomesOfBoth(404, order, answered(500, OWN), answered(404))[0]).toMatchObject({
    status: "failed",
    message: "getDelivery answered 500 (1 of 2 exchanges; this is the first)",
  });
});
