import { expect, test } from "vitest";
import type { Outcome } from "../outcome.ts";
import { asAbsent } from "./absent-operation.ts";

const failureAt = (path: string, status: number): Outcome => ({
  status: "failed",
  duration_ms: 1,
  requests: 1,
  message: "expected status 200",
  relation: "to answer",
  exchanges: [
    {
      operation: "getDelivery",
      started_at: "2026-11-22T10:00:00Z",
      duration_ms: 1,
      request: { method: "GET", url: `http://service${path}`, headers: {} },
      response: { status, headers: {}, body: "" },
    },
  ],
});

const DELIVERY = "/v1/deliveries/5DE30CBF-4D26-427C-9017-20DA4F8D97E4";

test.each([
  [`${DELIVERY}/proofs`, 404, ", is at another path, or doesn't find the id in its path"],
  [DELIVERY, 404, ", is at another path, or doesn't find the id in its path"],
  [DELIVERY, 405, ", or is at another path"],
  ["/v1/payment-types", 404, ", or is at another path"],
])("%s with status %i: it isn't implemented%s", (path, status, reason) => {
  expect(asAbsent(failureAt(path, status))?.message).toBe(
    `expected status 200: it isn't implemented${reason}`,
  );
});

test("a response with another error isn't one of a missing operation", () => {
  expect(asAbsent(failureAt(DELIVERY, 500))).toBeUndefined();
});
