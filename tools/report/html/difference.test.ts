import { expect, test } from "vitest";
import { html } from "../template.ts";
import { difference } from "./difference.ts";

const shown = (expected: string | undefined, actual: string | undefined) =>
  html`${difference(expected, actual)}`.text;

test("a difference is marked on both sides", () => {
  expect(shown("a b", "a c")).toContain("a <del>b</del>");
  expect(shown("a b", "a c")).toContain("a <ins>c</ins>");
});

test("only the missing or additional rest of a text is marked", () => {
  expect(shown("note0000", "note00")).toContain("note00<del>00</del>");
  expect(shown("note0000", "note00")).not.toContain("<ins>");
  expect(shown("note00", "note0000")).toContain("note00<ins>00</ins>");
  expect(shown("note00", "note00")).not.toMatch(/<ins>|<del>/);
});

test.each([
  ["", ""],
  ["", "a"],
  ["a", ""],
  [undefined, ""],
  ["", undefined],
])("%j and %j can be compared", (expected, actual) => {
  expect(shown(expected, actual)).toContain("difference");
});
