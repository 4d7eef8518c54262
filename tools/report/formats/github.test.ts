import { describe, expect, test } from "vitest";
import { visible } from "../../../suites/core/text/visible-text.ts";
import { withoutCommands } from "../../terminal/workflow-commands.ts";
import {
  aReport,
  FAILED,
  failures,
  HOSTILE,
  hostileReport,
  passed,
  SCHEDULE,
  WARNED,
} from "../testing/sample-report.ts";
import { renderAnnotations } from "./github.ts";

const passing = aReport();
const failing = aReport({ outcomes: failures });
const hostile = hostileReport();

describe("annotations", () => {
  /** A line as GitHub's runner parses it. */
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

  test("a failure is an error, and a failed SHOULD a warning", () => {
    const found = renderAnnotations(failing).map(read);
    expect(found.map(({ command, title }) => [command, title])).toEqual([
      ...failing.checks.filter(({ id }) => id === FAILED || id === SCHEDULE).map(({ id }) => ["error", id]),
      ["warning", WARNED],
    ]);
  });

  test("a target's text stays in one line, and the runner shows it unescaped", () => {
    const lines = renderAnnotations(hostile);
    expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([]);
    expect(lines.map((line) => read(line).data).join("\n")).toContain(withoutCommands(visible(HOSTILE)));
  });

  test("a target's text contains no command of the older format, which may begin anywhere in a line", () => {
    const message = "x ##[stop-commands]y";
    const outcomes = { [FAILED]: { ...passed, status: "failed" as const, message } };
    const lines = renderAnnotations(aReport({ outcomes }));
    expect(lines.join("\n")).toContain("stop-commands]y");
    expect(lines.join("\n")).not.toContain("##[");
  });

  test("failures with a common cause have one annotation", () => {
    const [first = "", second = "", third = ""] = passing.checks
      .filter(({ severity, clauses }) => severity === "MUST" && clauses.length === 1)
      .map(({ id }) => id);
    const ended = (message: string) => ({ ...passed, status: "failed" as const, message });
    const outcomes = { [first]: ended("alike"), [second]: ended("alike"), [third]: ended("by itself") };
    const found = renderAnnotations(aReport({ outcomes })).map(read);
    expect(found.map(({ title }) => title)).toEqual(["1 cause explains 2 of 3 failures", first, third]);
    expect(found[1]?.data).toBe(`2 checks: alike\n${first}\n${second}`);
  });

  test("there are never more annotations than a step can show", () => {
    const outcomes = Object.fromEntries(
      passing.checks.map(({ id }) => [
        id,
        { ...passed, status: "failed" as const, message: `what ${id} sees` },
      ]),
    );
    const found = renderAnnotations(aReport({ outcomes })).map(read);
    expect(found.filter(({ command }) => command === "error")).toHaveLength(10);
    expect(found.filter(({ command }) => command === "warning")).toHaveLength(10);
  });
});
