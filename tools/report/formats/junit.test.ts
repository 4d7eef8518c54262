import { describe, expect, test } from "vitest";
import { parseXml, schemaErrors, type XmlNode } from "../testing/reading.ts";
import {
  aReport,
  blocking,
  contextWith,
  FAILED,
  failures,
  hostileReport,
  unverified,
  WARNED,
} from "../testing/sample-report.ts";
import { renderJunit } from "./junit.ts";

const context = contextWith();
const passing = aReport();
const failing = aReport({ outcomes: failures });
const incomplete = aReport({ outcomes: { [FAILED]: unverified } });
const hostile = hostileReport();
const blocked = aReport({ outcomes: blocking });
const all = { passing, failing, incomplete, blocked, hostile };

/** The format that JUnit readers expect (the schema of the Ant task, which Jenkins and GitLab use). */
const JUNIT = {
  type: "object",
  required: ["testsuites"],
  properties: {
    testsuites: {
      type: "object",
      required: ["name", "tests", "failures", "errors", "time", "testsuite"],
      properties: {
        testsuite: {
          type: "array",
          items: {
            type: "object",
            required: ["name", "tests", "failures", "errors", "skipped", "time", "timestamp", "testcase"],
            properties: {
              tests: { $ref: "#/$defs/count" },
              failures: { $ref: "#/$defs/count" },
              errors: { $ref: "#/$defs/count" },
              skipped: { $ref: "#/$defs/count" },
              time: { $ref: "#/$defs/seconds" },
              timestamp: { type: "string", format: "date-time" },
              testcase: { type: "array", items: { $ref: "#/$defs/testcase" } },
            },
          },
        },
      },
    },
  },
  $defs: {
    count: { type: "string", pattern: "^\\d+$" },
    seconds: { type: "string", pattern: "^\\d+\\.\\d{3}$" },
    testcase: {
      type: "object",
      required: ["name", "classname", "time"],
      properties: {
        name: { type: "string", minLength: 1 },
        classname: { type: "string", minLength: 1 },
        time: { $ref: "#/$defs/seconds" },
        failure: { $ref: "#/$defs/ending" },
        error: { $ref: "#/$defs/ending" },
        skipped: { type: "object", required: ["message"], additionalProperties: { type: "string" } },
        "#text": { type: "string" },
      },
      additionalProperties: false,
      maxProperties: 4,
    },
    ending: {
      type: "object",
      required: ["message", "type"],
      properties: { message: { type: "string" }, type: { type: "string" }, "#text": { type: "string" } },
      additionalProperties: false,
    },
  },
};

interface TestCase extends XmlNode {
  readonly name: string;
}
interface Parsed {
  readonly testsuites: {
    readonly tests: string;
    readonly testsuite: readonly { name: string; testcase: readonly TestCase[]; [count: string]: unknown }[];
  };
}
const isParsed = (value: XmlNode): value is XmlNode & Parsed => schemaErrors(JUNIT)(value).length === 0;

function junitOf(report: Parameters<typeof renderJunit>[0]): Parsed {
  const parsed = parseXml(renderJunit(report, context));
  if (!isParsed(parsed)) throw new Error(JSON.stringify(schemaErrors(JUNIT)(parsed).slice(0, 3)));
  return parsed;
}
const casesOf = ({ testsuites }: Parsed) => testsuites.testsuite.flatMap(({ testcase }) => testcase);

describe("junit.xml", () => {
  test.each(Object.entries(all))("fits the schema, and its counts are right: %s", (_, report) => {
    const parsed = junitOf(report);
    for (const suite of parsed.testsuites.testsuite) {
      const having = (element: string) => String(suite.testcase.filter((one) => element in one).length);
      expect([suite.tests, suite.failures, suite.errors, suite.skipped], suite.name).toEqual([
        String(suite.testcase.length),
        having("failure"),
        having("error"),
        having("skipped"),
      ]);
    }
    expect(parsed.testsuites.tests).toBe(String(report.clauses.length + 1));
  });

  const elementOf = (report: Parameters<typeof renderJunit>[0], id: string) =>
    casesOf(junitOf(report)).find(({ name }) => name === id || name.startsWith(`${id}:`));

  /** The first clause that the check verifies. */
  const clauseOf = (check: string) =>
    passing.clauses.find(({ checks }) => checks.some(({ id }) => id === check))?.id ?? "";

  test("a failure has the message, the clause, the exchange and the re-run command", () => {
    const found = elementOf(failing, clauseOf(FAILED));
    expect(found).toMatchObject({ failure: { message: "expected 201 to be 200", type: "MUST" } });
    expect(JSON.stringify(found)).toContain(`--only ${FAILED}`);
  });

  test("a failed SHOULD is skipped, unless it counts", () => {
    expect(elementOf(failing, clauseOf(WARNED))).toHaveProperty("skipped");
    const strict = aReport({ outcomes: failures, strict: true });
    expect(elementOf(strict, clauseOf(WARNED))).toHaveProperty("failure");
  });

  test.each([
    ["CONFORMANT", passing, ["classname", "name", "time"]],
    ["NONCONFORMANT", failing, ["classname", "name", "time", "failure"]],
    ["INCOMPLETE", incomplete, ["classname", "name", "time", "error"]],
    ["forgiven by a baseline", aReport({ outcomes: failures, exitCode: 0 }), ["classname", "name", "time"]],
  ])("the verdict has its own case, which fails unless the exit code is 0: %s", (_, report, keys) => {
    expect(Object.keys(elementOf(report, "verdict") ?? {}).toSorted()).toEqual(keys.toSorted());
  });

  test("characters that XML can't contain are escaped, and all others are unchanged", () => {
    const found = elementOf(hostile, clauseOf(FAILED));
    const text = JSON.stringify(found);
    expect(text).toContain("\\\\u0000");
    expect(text).toContain("</script></style></pre><img src=x");
  });
});
