import { describe, expect, test } from "vitest";
import { parseXml } from "../testing/reading.ts";
import { aReport, failures } from "../testing/sample-report.ts";
import { renderBadge } from "./badge.ts";

const passing = aReport();
const failing = aReport({ outcomes: failures });

describe("badge.svg", () => {
  test.each([
    ["CONFORMANT", passing, "Courier Dispatch: CONFORMANT; api CONFORMANT, events CONFORMANT"],
    ["NONCONFORMANT", failing, "Courier Dispatch: NONCONFORMANT; api NONCONFORMANT"],
  ])("is SVG, and exposes its verdict to screen readers: %s", (_, report, told) => {
    const { svg } = parseXml(renderBadge(report));
    expect(svg).toMatchObject({ role: "img", "aria-label": expect.stringContaining(told) });
    expect(svg).toMatchObject({ title: expect.stringContaining(told) });
  });
});
