import { describe, expect, test } from "vitest";
import { schemaErrors } from "../testing/reading.ts";
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
import { renderCtrf } from "./ctrf.ts";

const statuses = ["passed", "failed", "skipped", "pending", "other"] as const;
const text = { type: "string" };
const whole = { type: "integer", minimum: 0 };
const closed = (properties: object, ...optional: readonly string[]) => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

/** The members of the format that the suite writes (https://ctrf.io, version 0.0.0). */
const CTRF = closed({
  reportFormat: { const: "CTRF" },
  specVersion: { type: "string", pattern: "^\\d+\\.\\d+\\.\\d+$" },
  results: closed({
    tool: closed({ name: { type: "string", minLength: 1 }, version: text }),
    summary: closed({
      tests: whole,
      ...Object.fromEntries(statuses.map((status) => [status, whole])),
      start: whole,
      stop: whole,
    }),
    tests: {
      type: "array",
      items: closed(
        {
          name: { type: "string", minLength: 1 },
          status: { enum: statuses },
          rawStatus: text,
          duration: whole,
          suite: { type: "array", minItems: 1, items: text },
          tags: { type: "array", items: text },
          message: { type: "string", minLength: 1 },
          trace: text,
        },
        "suite",
        "tags",
        "message",
        "trace",
      ),
    },
    environment: closed({ appName: text, appVersion: text }, "appVersion"),
  }),
});

interface Test {
  readonly name: string;
  readonly status: string;
}
interface Ctrf {
  readonly results: { readonly summary: Readonly<Record<string, number>>; readonly tests: readonly Test[] };
}

const context = contextWith();
const ctrfOf = (report: Parameters<typeof renderCtrf>[0]): Ctrf => JSON.parse(renderCtrf(report, context));
const passing = aReport();
const inconsistent = aReport({
  outcomes: { [FAILED]: { status: "inconsistent", duration_ms: 3, requests: 1, message: "failed once" } },
});

/** The test of the first clause that the check verifies. */
function testOf(report: Parameters<typeof renderCtrf>[0], check: string): Test | undefined {
  const clause = passing.clauses.find(({ checks }) => checks.some(({ id }) => id === check))?.id ?? "";
  return ctrfOf(report).results.tests.find(({ name }) => name.startsWith(`${clause}:`));
}

describe("ctrf.json", () => {
  test.each([
    ["passing", passing],
    ["failing", aReport({ outcomes: failures })],
    ["blocked", aReport({ outcomes: blocking })],
    ["inconsistent", inconsistent],
    ["hostile", hostileReport()],
  ])("fits the schema, and its counts are right: %s", (_, report) => {
    const ctrf = ctrfOf(report);
    expect(schemaErrors(CTRF)(ctrf)).toEqual([]);
    const { summary, tests } = ctrf.results;
    const counts = statuses.map((status) => [status, tests.filter((one) => one.status === status).length]);
    expect(summary).toMatchObject({ ...Object.fromEntries(counts), tests: report.clauses.length + 1 });
  });

  test("a failure has its message, and the command that repeats it", () => {
    expect(testOf(aReport({ outcomes: failures }), FAILED)).toMatchObject({
      status: "failed",
      message: "expected 201 to be 200",
      trace: expect.stringContaining(`--only ${FAILED}`),
      tags: ["MUST"],
    });
  });

  test("a failed SHOULD is skipped, unless it counts", () => {
    const warned = { status: "skipped", rawStatus: "warned" };
    expect(testOf(aReport({ outcomes: failures }), WARNED)).toMatchObject(warned);
    expect(testOf(aReport({ outcomes: failures, strict: true }), WARNED)).toMatchObject({ status: "failed" });
  });

  test("an inconsistent result is neither passed nor failed", () => {
    expect(testOf(inconsistent, FAILED)).toMatchObject({
      status: "other",
      rawStatus: "inconsistent",
      message: "failed once",
    });
  });

  test.each([
    ["CONFORMANT", passing, "passed"],
    ["NONCONFORMANT", aReport({ outcomes: failures }), "failed"],
    ["INCOMPLETE", aReport({ outcomes: { [FAILED]: unverified } }), "failed"],
    ["forgiven by a baseline", aReport({ outcomes: failures, exitCode: 0 }), "passed"],
  ])("the verdict fails unless the exit code is 0: %s", (_, report, status) => {
    expect(ctrfOf(report).results.tests[0]).toMatchObject({ name: "verdict", status });
  });
});
