import { expect, test } from "vitest";
import { criticalPath, spansOf } from "./critical-path.ts";

const start = Date.parse("2026-11-22T10:00:00.000Z");
const entry = (pageref: string, from: number, time: number) => ({
  pageref,
  startedDateTime: new Date(start + from).toISOString(),
  time,
});

test("a check goes from its first request to its last answer", () => {
  const log = { entries: [entry("a", 300, 100), entry("b", 50, 20), entry("a", 0, 100)] };
  expect(spansOf({ log })).toEqual([
    { id: "a", from: start, to: start + 400 },
    { id: "b", from: start + 50, to: start + 70 },
  ]);
});

test("the run waited for the check that ended last, and for those that had to end for it to begin", () => {
  const spans = [
    { id: "first", from: 0, to: 100 },
    { id: "beside the first", from: 0, to: 90 },
    { id: "second", from: 101, to: 500 },
    { id: "beside the second", from: 91, to: 499 },
    { id: "last", from: 501, to: 900 },
    { id: "over before it", from: 501, to: 800 },
  ];
  expect(criticalPath(spans).map(({ id }) => id)).toEqual(["first", "second", "last"]);
});

test("where nothing was sent nothing was waited for", () => {
  expect(criticalPath(spansOf({ log: { entries: [] } }))).toEqual([]);
});

test("a check that ends as it begins is on the path once", () => {
  expect(criticalPath([{ id: "a", from: 5, to: 5 }])).toEqual([{ id: "a", from: 5, to: 5 }]);
});
