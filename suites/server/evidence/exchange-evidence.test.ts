import { expect, test } from "vitest";
import type { Exchange } from "../../core/exchange.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import { Redactor } from "../../core/text/redact.ts";
import { exchangeEvidence } from "./exchange-evidence.ts";

const exchange = (at: number, path: string, json: unknown): Exchange => ({
  operation: "getStore",
  method: "GET",
  url: `http://127.0.0.1:8080${path}`,
  requestHeaders: {},
  requestBody: undefined,
  startedAt: at,
  durationMs: 1,
  failure: undefined,
  violates: undefined,
  response: { status: 200, headers: {}, bytes: Buffer.alloc(0), text: JSON.stringify(json), json },
});

const company = (id: string) => ({ courier_company: { id } });
const registered = exchange(1, "/v1/stores/a", company("c-1"));
const listed = exchange(2, "/v1/stores", [company("c-1"), company("c-2")]);
const health = exchange(3, "/healthz", { status: "ok" });

const evidence = (field: string, actual: unknown, exchanges: readonly Exchange[], isOfWebhook = false) =>
  exchangeEvidence(new CheckFailure({ subject: field, field, relation: "to be", expected: "ok", actual }), {
    exchanges,
    at: 9,
    other: { inboxes: [], trace: [] },
    isOfWebhook,
    redact: new Redactor(),
    baseUrl: "http://127.0.0.1:8080",
  });

test.each([
  ["the last response with the value", [registered, listed], "c-2", "[1].courier_company.id"],
  [
    "an earlier response, if the last one hasn't the member",
    [registered, health],
    "c-1",
    "courier_company.id",
  ],
  [
    "the last response with the member, if its value was derived",
    [listed, registered],
    1,
    "courier_company.id",
  ],
] as const)("the decisive exchange is %s", (_, exchanges, actual, path) => {
  const { exchanges: shown = [], curl } = evidence("courier_company.id", actual, exchanges);
  expect(shown.at(-1)?.blamed?.path).toBe(path);
  expect(curl).toContain(shown.at(-1)?.request.url);
});

test("the delivery with the wrong value is decisive, not a later one", () => {
  const read = (at: number, total: number) => exchange(at, `/v1/deliveries/d-${at}`, { items: [{ total }] });
  const { exchanges = [] } = evidence("delivery.items[0].total", 0.28, [read(1, 0.28), read(2, 180)]);
  expect(exchanges.at(-1)?.request.url).toContain("/d-1");
});

test("an earlier response with another member of the same name isn't decisive", () => {
  const { exchanges = [] } = evidence("center.id", "c-1", [registered, health]);
  expect(exchanges.at(-1)?.request.url).toContain("/healthz");
});

test("without a decisive exchange the last one is repeated, but not for a webhook", () => {
  expect(evidence("attempt", undefined, [registered, health]).curl).toContain("/healthz");
  expect(evidence("attempt", undefined, [registered, health], true)).not.toHaveProperty("curl");
});

test("for a webhook, the last response shows the correct value", () => {
  expect(evidence("status", "wrong", [health], true).exchanges?.at(-1)?.blamed?.path).toBe("status");
});
