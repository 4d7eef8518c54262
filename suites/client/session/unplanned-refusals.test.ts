import { expect, test } from "vitest";
import type { RecordedRequest } from "./request.ts";
import { unplannedRefusals } from "./unplanned-refusals.ts";

const answered = (
  operation: RecordedRequest["operation"],
  status: number,
  error: object,
  fault?: string,
): RecordedRequest => {
  const json = { error };
  const text = JSON.stringify(json);
  return {
    operation,
    number: 1,
    startNumber: 1,
    method: "POST",
    path: "/v1/deliveries",
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.from("{}"),
    json: {},
    token: "token",
    connectionReused: false,
    arrivedAt: 0,
    startedAt: 0,
    completion: {
      at: 1,
      response: { status, headers: {}, bytes: Buffer.from(text), text, json },
      failure: undefined,
    },
    fault,
    servedStatus: status,
  };
};
const TIME = { code: "DOGRULAMA", details: { field: "ready_at", reason: "geçersiz" } };
const NO_STORE = { code: "MAGAZA_YOK" };

test("refusals that no scenario caused are counted by request and field, most frequent first", () => {
  const refusals = unplannedRefusals([
    answered("createQuote", 404, NO_STORE),
    answered("createDelivery", 400, TIME),
    answered("createDelivery", 400, TIME),
    answered("createDelivery", 422, { code: "HIZMET_DISI" }, "422 HIZMET_DISI"),
  ]);
  expect(refusals.map(({ line }) => line)).toEqual([
    "the service refused createDelivery with 400 DOGRULAMA, field ready_at (geçersiz), 2 times, without an injected fault",
    "the service refused createQuote with 404 MAGAZA_YOK, once, without an injected fault",
  ]);
});

test("orders for a store whose registration a scenario refused aren't counted", () => {
  const refusals = unplannedRefusals([
    answered("registerStore", 400, { code: "ESLEME_KODU_GECERSIZ" }, "400 ESLEME_KODU_GECERSIZ"),
    answered("createDelivery", 404, NO_STORE),
  ]);
  expect(refusals).toEqual([]);
});
