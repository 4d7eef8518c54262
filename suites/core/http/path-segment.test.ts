import { expect, test } from "vitest";
import { pathSegment, segmentText } from "./path-segment.ts";

test("any id of a target can be sent as a path segment", () => {
  expect(pathSegment("a/b ü%")).toBe("a%2Fb%20%C3%BC%25");
  expect(pathSegment("x\ud800y")).toBe("x%EF%BF%BDy");
});

test("every path segment is read", () => {
  expect(["a%2Fb", "%zz", "%", "%ff"].map(segmentText)).toEqual(["a/b", "%zz", "%", "%ff"]);
});
