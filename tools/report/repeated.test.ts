import { expect, test } from "vitest";
import { renderJson } from "./formats/json.ts";
import reportSchema from "./formats/report.schema.json" with { type: "json" };
import { renderSummary } from "./formats/summary.ts";
import { renderHtml } from "./html/page.ts";
import { painter, renderTerminal } from "./terminal.ts";
import { schemaErrors } from "./testing/reading.ts";
import { aReport, contextWith } from "./testing/sample-report.ts";

const LINE =
  "3 requests lost their connection before a response, and were repeated: POST /v1/deliveries 2, GET /v1/stores 1.";
const context = contextWith();
const report = aReport({
  repeated: [
    { operation: "createDelivery", count: 2 },
    { operation: "listStores", count: 1 },
  ],
});
const renderings = {
  terminal: (one: typeof report) => renderTerminal(one, context, painter(false)),
  "report.html": (one: typeof report) => renderHtml(one, context),
  "summary.md": (one: typeof report) => renderSummary(one, context),
};

test.each(Object.entries(renderings))("one line of %s lists the repeated requests", (_, render) => {
  expect(render(report).split(LINE)).toHaveLength(2);
  expect(render(aReport())).not.toContain("repeated:");
  const one = aReport({ repeated: [{ operation: "getHealth", count: 1 }] });
  expect(render(one)).toContain(
    "1 request lost its connection before a response, and was repeated: GET /healthz 1.",
  );
});

test("report.json contains the numbers, and fits its schema; without repeated requests it contains nothing", () => {
  const faults = schemaErrors(reportSchema);
  for (const one of [report, aReport()]) expect(faults(JSON.parse(renderJson(one)))).toEqual([]);
  expect(report.repeated_requests).toHaveLength(2);
  expect(aReport()).not.toHaveProperty("repeated_requests");
});
