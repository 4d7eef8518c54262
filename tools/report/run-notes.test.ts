import { describe, expect, test } from "vitest";
import { renderJson } from "./formats/json.ts";
import reportSchema from "./formats/report.schema.json" with { type: "json" };
import { renderSummary } from "./formats/summary.ts";
import { renderHtml } from "./html/page.ts";
import type { Report } from "./model.ts";
import { renderTerminal } from "./terminal.ts";
import { schemaErrors } from "./testing/reading.ts";
import { aReport, contextWith } from "./testing/sample-report.ts";
import { painter } from "./text/paint.ts";

const context = contextWith();
const terminal = (report: Report) => renderTerminal(report, context, painter(false));

const CUT =
  "Cut short: the target stopped responding at GET /healthz. The report contains the results until then.";
const OUTAGE = "the target stopped responding at GET /v1/stores, and was back 0.4 s later";
const REPEATED =
  "3 requests lost their connection before a response, and were repeated: POST /v1/deliveries 2, GET /v1/stores 1.";
const cutShort = aReport({ earlyEnd: [CUT] });
const withOutage = aReport({ outages: [OUTAGE] });
const withRepeated = aReport({
  repeated: [
    { operation: "createDelivery", count: 2 },
    { operation: "listStores", count: 1 },
  ],
});

describe.each([
  ["how an incomplete run ended", cutShort, CUT, "Cut short"],
  ["how the target went down", withOutage, OUTAGE, "Outages of the target"],
  ["which requests were repeated", withRepeated, REPEATED, "repeated:"],
])("a report tells %s", (_, report, line, words) => {
  test.each([
    ["report.html", renderHtml],
    ["summary.md", renderSummary],
  ] as const)("in %s", (_name, render) => {
    expect(render(report, context).replaceAll("\\", "")).toContain(line);
    expect(render(aReport(), context)).not.toContain(words);
  });

  test("in report.json, which fits its schema", () => {
    const faults = schemaErrors(reportSchema);
    for (const one of [report, aReport()]) expect(faults(JSON.parse(renderJson(one)))).toEqual([]);
  });
});

test("report.json has these members only if there is something to tell", () => {
  expect(cutShort.run).toMatchObject({ complete: false, ended_early: [CUT] });
  expect(cutShort.verdict).toBe("INCOMPLETE");
  expect(withOutage.outages).toEqual([OUTAGE]);
  expect(withRepeated.repeated_requests).toHaveLength(2);
  expect(aReport().run).not.toHaveProperty("ended_early");
  expect(aReport()).not.toHaveProperty("outages");
  expect(aReport()).not.toHaveProperty("repeated_requests");
});

test.each([
  ["the terminal", terminal],
  ["report.html", (report: Report) => renderHtml(report, context)],
  ["summary.md", (report: Report) => renderSummary(report, context)],
])("one line of %s is about repeated requests, in the singular for one", (_, render) => {
  expect(render(withRepeated).split(REPEATED)).toHaveLength(2);
  expect(render(aReport())).not.toContain("repeated:");
  expect(render(aReport({ repeated: [{ operation: "getHealth", count: 1 }] }))).toContain(
    "1 request lost its connection before a response, and was repeated: GET /healthz 1.",
  );
});
