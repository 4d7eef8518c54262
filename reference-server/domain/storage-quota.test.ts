import { expect, test } from "vitest";
import { StorageQuota } from "./storage-quota.ts";

test("bytes are added up per integrator until the end of the day", () => {
  const kept = new StorageQuota();
  const evening = Date.parse("2026-05-01T23:59:00Z");
  kept.add("a", 10, evening);
  kept.add("a", 5, evening + 30_000);
  kept.add("b", 1, evening);
  expect([kept.today("a", evening), kept.today("b", evening), kept.today("c", evening)]).toEqual([15, 1, 0]);
  expect(kept.today("a", evening + 60_000)).toBe(0);
});
