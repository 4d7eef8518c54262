import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ambiguousJson } from "../../../suites/core/json-bytes.ts";
import { withoutBreaks } from "../../../suites/core/text/shown-value.ts";
import { visible } from "../../../suites/core/text/visible-text.ts";
import { printableError, terminalOutput } from "../../terminal/output.ts";
import { withoutCommands } from "../../terminal/workflow-commands.ts";
import { REPORT_FILES, writeReport } from "../files.ts";
import { renderAnnotations } from "../formats/github.ts";
import { renderTerminal } from "../terminal.ts";
import {
  aReport,
  CONTROL_CHARACTERS,
  contextWith,
  HOSTILE,
  hostileReport,
} from "../testing/sample-report.ts";
import { painter } from "./paint.ts";

const report = hostileReport();
const context = contextWith();

/** The control characters that a text contains unescaped. */
const controlCharactersIn = (text: string) =>
  [...CONTROL_CHARACTERS].filter((one) => text.includes(one)).map((one) => one.codePointAt(0)?.toString(16));

/** The same data, with the escapes of lone surrogates as text. */
const withHalvesWritten = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data).replaceAll("\\ud800", "\\\\ud800"));

const inFolder = () => mkdtempSync(join(tmpdir(), "hostile-"));
const read = (folder: string, name: string) => readFileSync(join(folder, name), "utf8");

describe("a target's text is shown, and has no effect", () => {
  const folder = inFolder();
  writeReport(folder, report, context);

  test.each(REPORT_FILES)("in %s", (name) => {
    const text = read(folder, name);
    expect(controlCharactersIn(text)).toEqual([]);
    expect(name === "badge.svg" || text.includes("\\u001b[2J")).toBe(true);
  });

  test("in report.json as the same data, except for lone surrogates, which strict parsers refuse", () => {
    expect(JSON.parse(read(folder, "report.json"))).toEqual(withHalvesWritten(report));
  });

  test.each(["report.json", "ctrf.json", "exchanges.har", "attestation.json"])(
    "in %s, which strict parsers accept",
    (name) => {
      const text = read(folder, name);
      expect(ambiguousJson(text, JSON.parse(text))).toBeUndefined();
    },
  );

  test("on standard output, which strict parsers accept", () => {
    const text = say({}, true).replace(/^error: .*/ms, "");
    expect(ambiguousJson(text, JSON.parse(text))).toBeUndefined();
  });

  test("on the terminal, with our own colours and without", () => {
    expect(controlCharactersIn(renderTerminal(report, context, painter(false)))).toEqual([]);
    const painted = renderTerminal(report, context, painter(true));
    const [, ...styles] = painted.split("\u001b");
    expect(styles.length).toBeGreaterThan(10);
    expect(styles.filter((after) => !/^\[\d{1,2}m/.test(after))).toEqual([]);
    expect(controlCharactersIn(painted)).toEqual(["1b"]);
  });

  test("on the terminal its lines can't be mistaken for lines of the suite", () => {
    const verdict = "CONFORMANT  (exit 0)";
    const said = `the control interface answered 500: \n${verdict}`;
    const unverified = { status: "not_verified", duration_ms: 0, requests: 0, message: said } as const;
    const faked = {
      ...aReport({ outcomes: { "creation.new": unverified }, faults: [said] }),
      left_behind: [{ kind: "delivery", count: 1, ids: [`\n${verdict}`], why: said } as const],
      cleaned_up: { deliveries: 0, webhooks: 0 },
    };
    const lines = renderTerminal(faked, context, painter(false)).split("\n");
    expect(lines.filter((line) => line.startsWith(verdict))).toEqual([]);
  });

  test("in a job's annotations", () => {
    expect(controlCharactersIn(renderAnnotations(report).join("\n"))).toEqual([]);
  });
});

/** A command's complete output in this environment. */
function say(environment: NodeJS.ProcessEnv, json: boolean) {
  let written = "";
  const stdout = { write: (text: string) => (written += text) };
  const output = terminalOutput(stdout, { quiet: false, color: true, json, environment });
  output.line(HOSTILE);
  output.result(HOSTILE);
  output.data({ said: HOSTILE });
  return written + printableError(`error: ${HOSTILE}\n`, environment);
}

/**
 * Lines that a GitHub Actions runner parses as commands, by its own code: `ActionCommand.TryParseV2` and `TryParse`.
 */
const commandsIn = (text: string) =>
  text
    .split(/\r\n|\r|\n/)
    .filter((line) => /^[\s\u0085\p{White_Space}]*::/u.test(line) || line.includes("##["));

test("by these rules the attack contains commands", () => {
  expect(controlCharactersIn(HOSTILE)).toHaveLength([...CONTROL_CHARACTERS].length);
  expect(commandsIn(HOSTILE)).toHaveLength(4);
});

describe.each([
  ["words", false],
  ["JSON", true],
])("the output as %s", (_, json) => {
  test.each([
    ["in a file", {}],
    ["in colours", { FORCE_COLOR: "1" }],
    ["in a job", { GITHUB_ACTIONS: "true" }],
  ])("%s acts on nothing", (__, environment) => {
    const text = say(environment, json);
    // Removes the suite's own colours. The report's text contains no escape sequences at this point.
    expect(controlCharactersIn(text.replaceAll("\u001b[31m", ""))).toEqual([]);
    expect(text).toContain("\\u001b[2J");
  });

  test("in a job contains no workflow command, on either stream", () => {
    expect(commandsIn(say({ GITHUB_ACTIONS: "true" }, json))).toEqual([]);
  });
});

test("JSON in a job stays the same data", () => {
  let written = "";
  const stdout = { write: (text: string) => (written += text) };
  const environment = { GITHUB_ACTIONS: "true" };
  terminalOutput(stdout, { quiet: false, color: true, json: true, environment }).data({ said: HOSTILE });
  expect(JSON.parse(written)).toEqual(withHalvesWritten({ said: HOSTILE }));
});

// A quadratic regular expression would take hours for this text.
test("a megabyte of white space is processed in linear time", () => {
  for (const one of ["\t", "\n", "\r", "\u2028"]) {
    const text = `${one.repeat(1024 ** 2)}x`;
    expect(withoutBreaks(text)).toBe(one === "\n" ? " x" : text);
    expect(withoutCommands(text)).toBe(text);
  }
});

test("letters of all alphabets stay unchanged", () => {
  const text = "İstanbul, Çorbacı\t„ğüşöç“ 👩‍👩‍👧 العربية עברית 日本語\nნაბიჯი";
  expect(visible(text)).toBe(text);
});
