import { describe, expect, test } from "vitest";
import { ENDED_EARLY, expectChangesListed, expectListed, OMITTED } from "./listed-deliveries.ts";

/** The message about a delivery that is missing behind another. */
function messageFor(before: string, lost: string): string {
  try {
    expectListed(
      [{ items: [{ id: "A", updated_at: before }] }],
      [{ id: "B", updated_at: lost }],
      "deliveries",
    );
  } catch (error) {
    return String(error);
  }
  throw new Error("nothing was thrown");
}

test("the time between a missing delivery and the previous one is shown in a suitable unit", () => {
  const second = "2026-11-23T12:00:00";
  expect(messageFor(`${second}.123456Z`, `${second}.123457Z`)).toContain("is 1 microsecond after that of");
  expect(messageFor(`${second}.123Z`, `${second}.135Z`)).toContain("is 12 milliseconds after that of");
  expect(messageFor(`${second}.9Z`, "2026-11-23T12:00:03.4Z")).toContain("is 2.5 seconds after that of");
  expect(messageFor(`${second}Z`, "2026-11-23T12:02:00Z")).toContain("is 2 minutes after that of");
});

test("a missing delivery with the same updated_at is described as such", () => {
  expect(messageFor("2026-11-23T12:00:00.5Z", "2026-11-23T15:00:00.500+03:00")).toContain(
    ", is the same as that of the previous delivery",
  );
});

test("a cursor that skips deliveries with the same updated_at is named", () => {
  const delivery = { id: "A", updated_at: "2026-11-23T12:00:00Z" };
  const lost = [{ ...delivery, id: "B" }];
  const message =
    "is the same as that of the previous delivery, the last one on its page: the cursor may skip deliveries with the same updated_at";
  const end = { items: [], has_more: false };
  expect(() => expectListed([{ items: [delivery], has_more: true }, end], lost, "deliveries")).toThrow(
    message,
  );
  expect(() => expectListed([end], lost, "deliveries", [delivery])).toThrow(message);
});

test("the page with which reading ended is described", () => {
  const delivery = { id: "A", updated_at: "2026-11-23T12:00:00Z" };
  const pages = [
    { items: [], has_more: true, limit: 2 },
    { items: [delivery], has_more: false, limit: 2 },
  ];
  expect(() => expectListed(pages, [{ ...delivery, id: "B" }], "deliveries of the store")).toThrow(
    "1 of 1 deliveries of the store not listed: the first is B, and its updated_at, 2026-11-23T12:00:00Z, is the same as that of the previous delivery; reading ended at page 2 (1 entry, limit 2, has_more false)",
  );
});

test("a short only page before the missing deliveries isn't the cursor's fault", () => {
  const pages = [{ items: [{ id: "A", updated_at: "2026-11-23T12:00:00Z" }], has_more: false, limit: 2 }];
  const messageOf = (updated_at: string) => () =>
    expectListed(pages, [{ id: "B", updated_at }], "deliveries of the store");
  expect(messageOf("2026-11-23T12:00:01Z")).toThrow(
    "1 of 1 deliveries of the store not listed: the first is B, as if the page was cut to its limit before it was filtered; reading ended at page 1 (1 entry, limit 2, has_more false)",
  );
  expect(messageOf("2026-11-23T11:59:59Z")).toThrow(
    /the first is B, and its updated_at is 2026-11-23T11:59:59Z; reading ended at page 1 \(1 entry, limit 2, has_more false\)$/,
  );
});

test("an updated_at that isn't a time is shown unchanged", () => {
  expect(messageFor("2026-11-23T12:00:00Z", "soon")).toMatch(/its updated_at is soon$/);
});

test("changes that the list doesn't show are named, with whether updated_at changed", () => {
  const earlier = { id: "A", updated_at: "2026-11-23T12:00:00Z" };
  const later = { id: "B", updated_at: "2026-11-23T12:00:01Z" };
  const changed = [
    { change: "a cancellation", delivery: { ...earlier, id: "C" } },
    { change: "the courier action arrived", delivery: earlier },
    { change: "a PATCH of notes", delivery: { ...later, updated_at: "2026-11-23T12:00:09Z" } },
  ];
  const pages = [{ items: [{ ...earlier, id: "C" }] }];
  expect(() => expectChangesListed(pages, changed, [earlier, later])).toThrow(
    "2 of 3 deliveries that changed after the cursor was returned not listed: those with the courier action arrived (which didn't change updated_at), a PATCH of notes (updated_at 2026-11-23T12:00:09Z)",
  );
});

test("a change of the entry that a cursor refers to is described", () => {
  const delivery = { id: "B", updated_at: "soon" };
  expect(() =>
    expectListed([{ items: [] }], [delivery], "deliveries", [], () => "the page's last entry changed"),
  ).toThrow(
    "1 of 1 deliveries not listed: the first is B, and its updated_at is soon; the page's last entry changed",
  );
});

describe("has_more that is false too early", () => {
  const at = (second: number) => ({ id: `D${second}`, updated_at: `2026-11-23T12:00:0${second}Z` });
  const failureOf = (listed: readonly number[], lost: number, has_more = false) => {
    const pages = [
      { items: [at(0)], has_more: true, limit: 2 },
      { items: listed.map(at), has_more, limit: 2 },
    ];
    try {
      expectListed(pages, [at(lost)], "deliveries");
    } catch (error) {
      return error;
    }
    throw new Error("nothing was thrown");
  };

  test("is the fault if reading ended at a full page, and the missing deliveries follow", () => {
    const failure = failureOf([1, 2], 3);
    expect(failure).toMatchObject({ fault: ENDED_EARLY });
    expect(String(failure)).toContain(
      "1 of 1 deliveries not listed: the first is D3; reading ended at page 2 (2 entries, limit 2, has_more false)",
    );
  });

  test("is the fault of an only page that is full, because no cursor was used", () => {
    const only = { items: [at(1), at(4)], has_more: false, limit: 2 };
    expect(() => expectListed([only], [at(3)], "deliveries")).toThrow(
      expect.objectContaining({ fault: ENDED_EARLY }),
    );
  });

  test.each([
    ["a page that isn't full", failureOf([1], 3)],
    ["a delivery before the page's end", failureOf([1, 4], 3)],
    ["a page that others follow", failureOf([1, 2], 3, true)],
  ])("isn't the fault with %s", (_, failure) => {
    expect(failure).toMatchObject({ fault: OMITTED });
  });
});
