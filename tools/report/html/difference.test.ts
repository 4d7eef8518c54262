import { expect, test } from "vitest";
import { html } from "../template.ts";
import { difference } from "./difference.ts";

const shown = (expected: string | undefined, actual: string | undefined) =>
  html`${difference(expected, actual)}`.text;

test("a difference is marked on both sides", () => {
  expect(shown("a b", "a c")).toContain("a <del>b</del>");
  expect(shown("a b", "a c")).toContain("a <ins>c</ins>");
});

test.each([
  ["", ""],
  ["", "a"],
  ["a", ""],
  [undefined, ""],
  ["", undefined],
])("%j beside %j can be shown", (expected, actual) => {
  expect(shown(expected, actual)).toContain("difference");
});
