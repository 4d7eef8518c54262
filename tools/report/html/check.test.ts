import { expect, test } from "vitest";
import { aReport, contextWith, failures } from "../testing/sample-report.ts";
import { renderHtml } from "./page.ts";

const context = contextWith();
const page = renderHtml(aReport({ outcomes: failures }), context);

test("text in backticks in a clause is code", () => {
  const clauses = page.match(/<ul class="clauses">.*?<\/ul>/gs)?.join("") ?? "";
  expect(clauses).toContain("<code>");
  expect(clauses).not.toContain("`");
});

test("a failure explains how to read it", () => {
  expect(page).toContain("How to read a failure");
  expect(renderHtml(aReport(), context)).not.toContain("How to read a failure");
});

test("the page stays under a megabyte when everything passes", () => {
  expect(Buffer.byteLength(renderHtml(aReport(), context))).toBeLessThan(1_000_000);
});
