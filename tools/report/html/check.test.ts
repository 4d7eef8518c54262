import { expect, test } from "vitest";
import { aReport, contextWith, failures } from "../testing/sample-report.ts";
import { renderHtml } from "./page.ts";

const context = contextWith();
const page = renderHtml(aReport({ outcomes: failures }), context);

test("what stands in backticks in a clause is code", () => {
  const clauses = page.match(/<ul class="clauses">.*?<\/ul>/gs)?.join("") ?? "";
  expect(clauses).toContain("<code>");
  expect(clauses).not.toContain("`");
});

test("how to read a failure is told where there is one", () => {
  expect(page).toContain("How to read a failure");
  expect(renderHtml(aReport(), context)).not.toContain("How to read a failure");
});
