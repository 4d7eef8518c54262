import { expect, test } from "vitest";
import type { Exchange } from "../../../core/exchange.ts";
import { CheckFailure, CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { forbiddenObservation } from "../../../core/grading/failures/mismatch.ts";
import { CreatedResources } from "../created-resources.ts";
import { refusalDespiteFreeSlot } from "./free-slots.ts";

const registration = (status: number | undefined, json: object = {}): Exchange => ({
  operation: "createWebhook",
  method: "POST",
  url: "http://localhost/v1/webhooks",
  requestHeaders: {},
  requestBody: JSON.stringify({ url: "https://receiver.example/a" }),
  startedAt: 0,
  durationMs: 1,
  response:
    status === undefined ? undefined : { status, headers: {}, bytes: new Uint8Array(), text: "", json },
  failure: status === undefined ? "other side closed" : undefined,
  violates: undefined,
});

/** The verdict on a registration that is refused after these registrations. */
function refusedAfter(...before: readonly Exchange[]) {
  const created = new CreatedResources();
  const refusal = registration(409, { error: { code: "ABONELIK_SINIRI" } });
  for (const exchange of [...before, refusal]) created.observe(exchange);
  return refusalDespiteFreeSlot(
    new CheckFailure(forbiddenObservation("answered 409"), { exchange: refusal }),
    [{ created }],
  );
}

const taken = ["a", "b", "c", "d", "e"].map((id) => registration(201, { id }));

test("a refusal with four known endpoints is a failure, which names the known number", () => {
  expect(refusedAfter(...taken.slice(0, 4))).toMatchObject({
    message: expect.stringContaining("of 5 allowed, 4 exist"),
  });
  expect(refusedAfter(...taken.slice(0, 4))).toBeInstanceOf(CheckFailure);
});

test("a refusal with five known endpoints is correct", () => {
  expect(refusedAfter(...taken)).toBeUndefined();
});

test("an earlier registration without a response may occupy the fifth slot", () => {
  expect(refusedAfter(...taken.slice(0, 2), registration(undefined))).toBeInstanceOf(CheckSkipped);
});
