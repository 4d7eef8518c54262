import { expect, test } from "vitest";
import { expectNoEarlier, expectNoLater, expectSameInstant, instantIn, numberIn } from "./shown-values.ts";

const NOON = Date.UTC(2026, 10, 23, 12);

/** The message of an assertion that fails. */
function messageOf(assertion: () => unknown): string {
  try {
    assertion();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("the assertion passed");
}

test("a value that isn't a time is shown unchanged, and the expected one in readable form", () => {
  expect(messageOf(() => expectNoEarlier(null, NOON, "assigned_at of A"))).toBe(
    "expected assigned_at of A to be 2026-11-23T12:00:00.000Z or later, got null",
  );
  expect(messageOf(() => expectNoLater("soon", NOON, "assigned_at"))).toBe(
    "expected assigned_at to be 2026-11-23T12:00:00.000Z or earlier, got 'soon'",
  );
  expect(messageOf(() => instantIn(undefined, "created_at"))).toBe(
    "expected created_at to be an instant, got null",
  );
  expect(
    messageOf(() => expectSameInstant(null, "2026-11-23T12:00:00Z", "assigned_at", { toleranceMs: 1000 })),
  ).toBe("expected assigned_at to be '2026-11-23T12:00:00Z', got null");
});

test("a value that isn't a number is shown unchanged", () => {
  expect(messageOf(() => numberIn("far", "lat"))).toBe("expected lat to be a number, got 'far'");
  expect(messageOf(() => numberIn(null, "lat"))).toBe("expected lat to be a number, got null");
});

test("times in any notation and numbers as text are accepted", () => {
  expectNoEarlier("2026-11-23T15:00:00+03:00", NOON, "an instant at the edge");
  expectNoLater("2026-11-23T12:00:00Z", NOON, "an instant at the edge");
  expectSameInstant("2026-11-23T12:00:00Z", "2026-11-23T12:00:00.999Z", "an instant without its fraction", {
    toleranceMs: 1000,
  });
  expect(instantIn("2026-11-23T12:00:00.000000Z", "an instant")).toBe(NOON);
  expect(numberIn("41.5", "lat")).toBe(41.5);
});
