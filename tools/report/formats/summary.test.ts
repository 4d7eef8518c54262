import { describe, expect, test } from "vitest";
import type { Diagnosis } from "../diagnosis/diagnosis.ts";
import {
  ANOTHER_FAILED,
  aReport,
  blocking,
  contextWith,
  FAILED,
  failures,
  hostileReport,
  unverified,
} from "../testing/sample-report.ts";
import { renderSummary } from "./summary.ts";

const context = contextWith();
const passing = aReport();
const failing = aReport({ outcomes: failures });
const incomplete = aReport({ outcomes: { [FAILED]: unverified } });
const hostile = hostileReport();
const blocked = aReport({ outcomes: blocking });
const all = { passing, failing, incomplete, blocked, hostile };

describe("summary.md", () => {
  test.each(Object.entries(all))("is short enough for a job summary: %s", (_, report) => {
    expect(Buffer.byteLength(renderSummary(report, context))).toBeLessThan(1_000_000);
  });

  test("names the known faults that match the run, and the usual causes", () => {
    const diagnosis: Diagnosis = {
      mutant: "m",
      fault: "a <b>late</b> attempt",
      failing: 1,
      checks: [FAILED],
    };
    const usual_causes = { group: "retries", causes: ["A *timer* drifts"] };
    const summary = renderSummary({ ...failing, diagnoses: [diagnosis], usual_causes }, context);
    expect(summary).toContain(
      "Known faults that fail the same checks (yours may be another):\n\n- a &lt;b&gt;late&lt;/b&gt; attempt (",
    );
    expect(summary).toContain("\n- A \\*timer\\* drifts\n");
    const { usual_causes: _, ...without } = failing;
    expect(renderSummary(without, context)).not.toContain("fail the same checks");
    expect(renderSummary(without, context)).not.toContain("Usual causes");
  });

  /** Lines outside of code blocks. A block closes with at least as many backticks, as in CommonMark. */
  function outsideCodeBlocks(markdown: string): readonly string[] {
    let opening: string | undefined;
    return markdown.split("\n").filter((line) => {
      const [ticks] = /^`{3,}/.exec(line) ?? [];
      if (opening === undefined) {
        opening = ticks;
        return ticks === undefined;
      }
      if (/^`+\s*$/.test(line) && line.trim().length >= opening.length) opening = undefined;
      return false;
    });
  }

  test("a target's text is escaped", () => {
    const lines = outsideCodeBlocks(renderSummary(hostile, context));
    expect(lines.filter((line) => /<(img|script|\/pre)/i.test(line))).toEqual([]);
    expect(lines.filter((line) => /(^|[^\\])\]\(/.test(line))).toEqual([]);
    expect(lines.filter((line) => line.startsWith("# title") || line.startsWith("| cell"))).toEqual([]);
    expect(lines.filter((line) => /^<\/?details>/.test(line)).length % 2).toBe(0);
  });

  test("the checks that one failure blocks take one line", () => {
    const summary = renderSummary(blocked, context);
    expect(summary).toContain("### Failed (1)");
    expect(summary).toContain(`- ${blocked.checks.length - 1} × blocked by ${FAILED}`);
    expect(summary).not.toContain(ANOTHER_FAILED);
  });

  test("apostrophes stay unchanged, and Markdown characters are escaped", () => {
    const outcomes = { [FAILED]: { ...unverified, message: "the target's *answer* isn't there" } };
    const summary = renderSummary(aReport({ outcomes }), context);
    expect(summary).toContain("the target&#39;s \\*answer\\* isn&#39;t there");
  });

  test("each failure has the command that repeats it", () => {
    expect(renderSummary(failing, context)).toContain(`--seed 7 --only ${FAILED}`);
  });
});

test("the command that repeats the run has its selection of checks", () => {
  expect(renderSummary(blocked, context)).toContain(`Repeat with:\n\n\`\`\`text\n${context.repeatRun}\n`);
  expect(context.repeatRun).not.toBe(context.repeatCommand);
});
