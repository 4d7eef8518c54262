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

/** The outcome of a run of such exchanges in the check of server errors. */
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
  ["a 504 in JSON of no error", answered(504, '{"message":"timeout"}')],
])("%s may be of something before the service, and isn't judged", (_, exchange) => {
  expect(outcomeOf(exchange)).toMatchObject({
    status: "passed",
    account: [expect.stringMatching(/^1 response with 502, 503 or 504 wasn't judged: /)],
  });
});

test("a 503 with an error of the service's own is the service's", () => {
  const outcome = outcomeOf(answered(503, OWN), answered(200));
  expect(outcome?.status).toBe("failed");
  expect(outcome).not.toHaveProperty("account");
});

test("a 500 is the service's, with any body, and however the next answer is", () => {
  expect(outcomeOf(answered(500, PAGE), answered(200))).toMatchObject({
    status: "failed",
    message: "getDelivery answered 500 (1 of 3 exchanges; this is the first)",
  });
});

test("the earliest of all that count is reported, with their number", () => {
  const late = answered(500, OWN, { startedAt: 2 });
  const early = answered(500, OWN, { operation: "getStore", startedAt: 1 });
  expect(outcomeOf(late, early, late)).toMatchObject({
    message: "getStore answered 500 (3 of 4 exchanges; this is the first)",
  });
});

/** Outcomes of a check that throws at the exchange with this status, and of the same check without the bug. */
function outcomesBeside(throwsAt: number, ...exchanges: readonly Exchange[]) {
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

test("a passive check that throws has errored, and the others go on", () => {
  const outcomes = outcomesBeside(201, order, answered(200));
  expect(outcomes).toMatchObject([
    { status: "errored", message: expect.stringContaining("a fault of the check") },
    { status: "passed" },
  ]);
});

test("what a passive check found before it threw is still its failure", () => {
  expect(outcomesBeside(404, order, answered(500, OWN), answered(404))[0]).toMatchObject({
    status: "failed",
    message: "getDelivery answered 500 (1 of 2 exchanges; this is the first)",
  });
});
