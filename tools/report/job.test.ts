import { describe, expect, test } from "vitest";
import { renderAnnotations } from "./github.ts";
import { renderSummary } from "./summary.ts";
import {
  ANOTHER_FAILED,
  aReport,
  blocking,
  contextWith,
  FAILED,
  failures,
  HOSTILE,
  hostileReport,
  passed,
  SCHEDULE,
  untestable,
  WARNED,
} from "./testing/sample-report.ts";

const context = contextWith();
const passing = aReport();
const failing = aReport({ outcomes: failures });
const incomplete = aReport({ outcomes: { [FAILED]: untestable } });
const hostile = hostileReport();
const blocked = aReport({ outcomes: blocking });
const all = { passing, failing, incomplete, blocked, hostile };

describe("summary.md", () => {
  test.each(Object.entries(all))("is short enough for a job's page: %s", (_, report) => {
    expect(Buffer.byteLength(renderSummary(report, context))).toBeLessThan(1_000_000);
  });

  /** Lines outside of fences, as CommonMark finds fences: one closes with at least as many backticks. */
  function outsideFences(markdown: string): readonly string[] {
    let fence: string | undefined;
    return markdown.split("\n").filter((line) => {
      const [ticks] = /^`{3,}/.exec(line) ?? [];
      if (fence === undefined) {
        fence = ticks;
        return ticks === undefined;
      }
      if (/^`+\s*$/.test(line) && line.trim().length >= fence.length) fence = undefined;
      return false;
    });
  }

  test("what a target sent has no meaning in it", () => {
    const lines = outsideFences(renderSummary(hostile, context));
    expect(lines.filter((line) => /<(img|script|\/pre)/i.test(line))).toEqual([]);
    expect(lines.filter((line) => /(^|[^\\])\]\(/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith("# title") || line.startsWith("| cell"))).toEqual([]);
    expect(lines.filter((line) => /^<\/?details>/.test(line)).length % 2).toBe(0);
  });

  test("what one failure blocks is one line", () => {
    const summary = renderSummary(blocked, context);
    expect(summary).toContain("### Failed (1)");
    expect(summary).toContain(`- ${blocked.checks.length - 1} × blocked by ${FAILED}`);
    expect(summary).not.toContain(ANOTHER_FAILED);
  });

  test("each failure tells how to see it again", () => {
    expect(renderSummary(failing, context)).toContain(`--seed 7 --only ${FAILED}`);
  });
});

describe("annotations", () => {
  /** What GitHub's runner reads of a line. */
  function read(line: string) {
    const [, command, title, data] = /^::(error|warning) title=([^:,]*)::(.*)$/.exec(line) ?? [];
    const plain = (text = "") =>
      text
        .replaceAll("%0D", "\r")
        .replaceAll("%0A", "\n")
        .replaceAll("%3A", ":")
        .replaceAll("%2C", ",")
        .replaceAll("%25", "%");
    return { command, title: plain(title), data: plain(data) };
  }

  test("what failed is an error, and a SHOULD a warning", () => {
    const found = renderAnnotations(failing).map(read);
    expect(found.map(({ command, title }) => [command, title])).toEqual([
      ...failing.checks.filter(({ id }) => id === FAILED || id === SCHEDULE).map(({ id }) => ["error", id]),
      ["warning", WARNED],
    ]);
  });

  test("what a target sent stays in one line, and comes back as it was", () => {
    const lines = renderAnnotations(hostile);
    expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([]);
    expect(lines.map(read).find(({ title }) => title === FAILED)?.data).toContain(HOSTILE);
  });

  test("there are never more than a step can show", () => {
    const outcomes = Object.fromEntries(
      passing.checks.map(({ id }) => [id, { ...passed, status: "failed" as const }]),
    );
    const found = renderAnnotations(aReport({ outcomes })).map(read);
    expect(found.filter(({ command }) => command === "error")).toHaveLength(10);
    expect(found.filter(({ command }) => command === "warning")).toHaveLength(10);
  });
});
