import { expect, test } from "vitest";
import { renderJson } from "./formats/json.ts";
import reportSchema from "./formats/report.schema.json" with { type: "json" };
import { renderSummary } from "./formats/summary.ts";
import { renderHtml } from "./html/page.ts";
import { schemaErrors } from "./testing/reading.ts";
import { aReport, contextWith } from "./testing/sample-report.ts";

const LINE =
  "Cut short: the target stopped responding at GET /healthz. The report contains the results until then.";
const context = contextWith();
const report = aReport({ earlyEnd: [LINE] });

test.each([
  ["report.html", renderHtml],
  ["summary.md", renderSummary],
] as const)("%s tells how an incomplete run ended", (_, render) => {
  expect(render(report, context).replaceAll("\\", "")).toContain(LINE);
  expect(render(aReport(), context)).not.toContain("Cut short");
});

test("report.json contains it, fits its schema, and isn't a report of a complete run", () => {
  const faults = schemaErrors(reportSchema);
  expect(faults(JSON.parse(renderJson(report)))).toEqual([]);
  expect(report.run).toMatchObject({ complete: false, ended_early: [LINE] });
  expect(report.verdict).toBe("INCOMPLETE");
  expect(aReport().run).not.toHaveProperty("ended_early");
});
