import { expect, test } from "vitest";
import { renderJson } from "./formats/json.ts";
import reportSchema from "./formats/report.schema.json" with { type: "json" };
import { renderSummary } from "./formats/summary.ts";
import { renderHtml } from "./html/page.ts";
import { schemaErrors } from "./testing/reading.ts";
import { aReport, contextWith } from "./testing/sample-report.ts";

const LINE = "the target stopped responding at GET /v1/stores, and was back 0.4 s later";
const context = contextWith();
const report = aReport({ outages: [LINE] });

test.each([
  ["report.html", renderHtml],
  ["summary.md", renderSummary],
])("%s tells how the target went down", (_, render) => {
  expect(render(report, context).replaceAll("\\", "")).toContain(LINE);
  expect(render(aReport(), context)).not.toContain("Outages of the target");
});

test("report.json contains it, and fits its schema; without outages it contains nothing", () => {
  const faults = schemaErrors(reportSchema);
  for (const one of [report, aReport()]) expect(faults(JSON.parse(renderJson(one)))).toEqual([]);
  expect(report.outages).toEqual([LINE]);
  expect(aReport()).not.toHaveProperty("outages");
});
