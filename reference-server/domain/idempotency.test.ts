import { expect, test } from "vitest";
import { idempotency } from "./idempotency.ts";

test("bodies are compared as JSON", () => {
  const { fingerprint } = idempotency;
  expect(fingerprint({ a: 1, b: [1, { c: "ş" }] })).toBe(fingerprint({ b: [1, { c: "ş" }], a: 1 }));
  expect(fingerprint({ a: [1, 2] })).not.toBe(fingerprint({ a: [2, 1] }));
  expect(fingerprint({ a: "1" })).not.toBe(fingerprint({ a: 1 }));
});
