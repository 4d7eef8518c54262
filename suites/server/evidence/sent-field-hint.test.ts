import { expect, test } from "vitest";
import { inTwoUnits } from "../../core/durations.ts";
import type { Exchange } from "../../core/exchange.ts";
import { sentFieldHint } from "./sent-field-hint.ts";

const NOW = Date.parse("2026-12-01T12:00:00Z");
const PLACE = { lat: 41, lng: 29 };

const refused = (
  body: object,
  error: object,
  operation: Exchange["operation"] = "createDelivery",
): Exchange => ({
  operation,
  method: "POST",
  url: "http://127.0.0.1:8080/v1/deliveries",
  requestHeaders: {},
  requestBody: JSON.stringify(body),
  startedAt: NOW,
  durationMs: 0,
  failure: undefined,
  violates: undefined,
  response: { status: 422, headers: {}, bytes: Buffer.alloc(0), text: "", json: { error } },
});

const order = {
  store: { external_store_id: "one" },
  dropoff: { lat: 41.2, lng: 29 },
  payment: { type: "NAKIT" },
  items: [{ quantity: 1.001 }],
  scheduled_for: "2026-12-08T13:00:00+03:00",
  ready_at: "2026-12-01T11:58:30Z",
};
const register = (id: string) => ({
  exchange: refused({ external_store_id: id, address: PLACE }, {}, "registerStore"),
  at: NOW - 1,
});

test.each([
  [
    "a schedule",
    { code: "PLAN_COK_UZAK" },
    "its scheduled_for, 2026-12-08T13:00:00+03:00, was 6 days 22 hours ahead",
  ],
  [
    "a field in the details",
    { code: "DOGRULAMA", details: { field: "ready_at" } },
    "its ready_at, 2026-12-01T11:58:30Z, was 1 minute 30 seconds in the past",
  ],
  ["the area", { code: "HIZMET_DISI" }, "its drop-off was 22.2 km from the store"],
  ["a payment type", { code: "ODEME_TIPI_YOK" }, "its payment.type was NAKIT"],
  [
    "the JSON pointer in the details",
    { code: "DOGRULAMA", details: [{ alan: "/items/0/quantity", neden: "en çok 3 ondalık" }] },
    "its items[0].quantity was 1.001",
  ],
  [
    "the path that is a name in the details",
    { code: "DOGRULAMA", details: { "items[0].quantity": ["three places"] } },
    "its items[0].quantity was 1.001",
  ],
  [
    "a path that the request hasn't",
    { code: "DOGRULAMA", details: { field: "items.1.quantity" } },
    undefined,
  ],
  ["another code", { code: "MAGAZA_PASIF" }, undefined],
])("a refusal about %s shows the sent value", (_, error, hint) => {
  expect(sentFieldHint(refused(order, error), {}, [register("two"), register("one")])).toBe(hint);
});

test("times are compared with the sender's clock", () => {
  const sent = { ...refused(order, { code: "PLAN_COK_UZAK" }), clockOffsetMs: 86_400_000 };
  expect(sentFieldHint(sent, {}, [])).toContain("5 days 22 hours ahead");
});

test("the drop-off of a change is compared with the store of the delivery", () => {
  const created = refused(order, {});
  const response = { status: 201, headers: {}, bytes: Buffer.alloc(0), text: "", json: { id: "d-1" } };
  const change = refused({ dropoff: { lat: 41.1, lng: 29 } }, { code: "HIZMET_DISI" }, "updateDelivery");
  const steps = [register("one"), { exchange: { ...created, response }, at: NOW - 1 }];
  expect(sentFieldHint({ ...change, url: `${change.url}/d-1` }, {}, steps)).toBe(
    "its drop-off was 11.1 km from the store",
  );
});

test("a long text is described by its length", () => {
  const sent = { ...order, notes: "ş".repeat(500) };
  const error = { code: "DOGRULAMA", details: { field: "notes" } };
  expect(sentFieldHint(refused(sent, error), {}, [])).toBe("its notes had 500 characters");
});

test("the place of a store that the check didn't register isn't known", () => {
  const area = refused(order, { code: "HIZMET_DISI" });
  expect(sentFieldHint(area, {}, [register("two")])).toBe("its drop-off was 41.2,29");
});

test("an accepted request shows the value for which it should have been refused", () => {
  const { response, ...sent } = refused(order, {});
  expect(sentFieldHint({ ...sent, response }, { code: "HIZMET_DISI" }, [register("one")])).toBe(
    "its drop-off was 22.2 km from the store",
  );
});

test("a request that is invalid on purpose needs no hint", () => {
  const sent = { ...refused(order, { code: "PLAN_COK_UZAK" }), violates: "8 days ahead" };
  expect(sentFieldHint(sent, {}, [])).toBeUndefined();
});

test.each([
  [45, "45 seconds"],
  [7_199.9, "2 hours"],
  [90, "1 minute 30 seconds"],
])("%s seconds in two units", (seconds, text) => {
  expect(inTwoUnits(seconds)).toBe(text);
});
