import { describe, expect, test } from "vitest";
import { aReport, contextWith } from "../testing/sample-report.ts";
import { renderHtml } from "./page.ts";

const context = contextWith();
const passing = aReport();

describe("report.html", () => {
  test("stays under a megabyte when everything passes", () => {
    expect(Buffer.byteLength(renderHtml(passing, context))).toBeLessThan(1_000_000);
  });
});
