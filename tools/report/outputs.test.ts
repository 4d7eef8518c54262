import { describe, expect, test } from "vitest";
import { renderBadge } from "./badge.ts";
import { renderHtml } from "./html/page.ts";
import { renderJson } from "./json.ts";
import reportSchema from "./report.schema.json" with { type: "json" };
import { painter, renderTerminal } from "./terminal.ts";
import { parseXml, schemaErrors } from "./testing/reading.ts";
import {
  aReport,
  blocking,
  contextWith,
  FAILED,
  failures,
  hostileReport,
  untestable,
} from "./testing/sample-report.ts";

const context = contextWith();
const passing = aReport();
const failing = aReport({ outcomes: failures });
const incomplete = aReport({ outcomes: { [FAILED]: untestable } });
const hostile = hostileReport();
const blocked = aReport({ outcomes: blocking });
const all = { passing, failing, incomplete, blocked, hostile };

describe("report.json", () => {
  const faults = schemaErrors(reportSchema);
  test.each(Object.entries(all))("follows its schema: %s", (_, report) => {
    expect(faults(JSON.parse(renderJson(report)))).toEqual([]);
  });
});

describe("report.html", () => {
  test("stays under a megabyte when everything passes", () => {
    expect(Buffer.byteLength(renderHtml(passing, context))).toBeLessThan(1_000_000);
  });
});

test("the terminal tells the one failure, and in a line what it blocks", () => {
  const text = renderTerminal(blocked, context, painter(false));
  expect(text.split("\n").filter((line) => line.startsWith("FAILED"))).toEqual([`FAILED  ${FAILED}`]);
  const lines = text.split("\n").filter((line) => line.includes("blocked by"));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trim()).toMatch(new RegExp(`^${blocked.checks.length - 1}  blocked by ${FAILED} \\(`));
});

describe("badge.svg", () => {
  test.each([
    ["CONFORMANT", passing, "Courier Dispatch: CONFORMANT; api CONFORMANT, events CONFORMANT"],
    ["NONCONFORMANT", failing, "Courier Dispatch: NONCONFORMANT; api NONCONFORMANT"],
  ])("is SVG, and says its verdict to whoever can't see it: %s", (_, report, told) => {
    const { svg } = parseXml(renderBadge(report));
    expect(svg).toMatchObject({ role: "img", "aria-label": expect.stringContaining(told) });
    expect(svg).toMatchObject({ title: expect.stringContaining(told) });
  });
});
