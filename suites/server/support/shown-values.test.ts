import { expect, test } from "vitest";
import { sentenceOf } from "../../core/text/sentence.ts";
import { expectNoEarlier, expectNoLater, expectSameInstant, instantIn, numberIn } from "./shown-values.ts";

const NOON = Date.UTC(2026, 10, 23, 12);

/** What is said of an assertion that fails. */
function saidOf(assertion: () => unknown): string {
  try {
    assertion();
  } catch (error) {
    return sentenceOf(error instanceof Error ? error.message : String(error));
  }
  throw new Error("the assertion held");
}

test("what is no instant is told as what stands there, and what was due as people read it", () => {
  expect(saidOf(() => expectNoEarlier(null, NOON, "assigned_at of A"))).toBe(
    "assigned_at of A: null where '2026-11-23T12:00:00.000Z or later' was due",
  );
  expect(saidOf(() => expectNoLater("soon", NOON, "assigned_at"))).toBe(
    "assigned_at: 'soon' where '2026-11-23T12:00:00.000Z or earlier' was due",
  );
  expect(saidOf(() => instantIn(undefined, "created_at"))).toBe(
    "created_at: null where 'an instant' was due",
  );
  expect(saidOf(() => expectSameInstant(null, "2026-11-23T12:00:00Z", 1000, "assigned_at"))).toBe(
    "assigned_at: null where '2026-11-23T12:00:00Z' was due",
  );
});

test("what is no number is told as what stands there", () => {
  expect(saidOf(() => numberIn("far", "lat"))).toBe("lat: 'far' where any number was due");
  expect(saidOf(() => numberIn(null, "lat"))).toBe("lat: null where any number was due");
});

test("instants of any writing and numbers as text are taken", () => {
  expectNoEarlier("2026-11-23T15:00:00+03:00", NOON, "an instant at the edge");
  expectNoLater("2026-11-23T12:00:00Z", NOON, "an instant at the edge");
  expectSameInstant(
    "2026-11-23T12:00:00Z",
    "2026-11-23T12:00:00.999Z",
    1000,
    "an instant without its fraction",
  );
  expect(instantIn("2026-11-23T12:00:00.000000Z", "an instant")).toBe(NOON);
  expect(numberIn("41.5", "lat")).toBe(41.5);
});
