import { describe, expect, test } from "vitest";
import { schemaErrors } from "../testing/reading.ts";
import { aReport, blocking, FAILED, failures, hostileReport, unverified } from "../testing/sample-report.ts";
import { renderJson } from "./json.ts";
import reportSchema from "./report.schema.json" with { type: "json" };

const passing = aReport();
const failing = aReport({ outcomes: failures });
const incomplete = aReport({ outcomes: { [FAILED]: unverified } });
const hostile = hostileReport();
const blocked = aReport({ outcomes: blocking });
const all = { passing, failing, incomplete, blocked, hostile };

describe("report.json", () => {
  const faults = schemaErrors(reportSchema);
  test.each(Object.entries(all))("follows its schema: %s", (_, report) => {
    expect(faults(JSON.parse(renderJson(report)))).toEqual([]);
  });
});
