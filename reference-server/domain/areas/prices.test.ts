import { expect, test } from "vitest";
import { distance } from "../places.ts";
import { prices } from "./prices.ts";

test("a fee is base and distance, to the kuruş", () => {
  const table = { base: 40, per_km: 15, currency: "TRY", vat_included: false };
  expect(prices.fee(table, 2.97)).toEqual({ amount: 84.55, currency: "TRY", vat_included: false });
  expect(prices.fee(null, 2.97)).toBeNull();
  expect(distance.roadKm(1635)).toBe(2.13);
});
