import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { CheckStatus } from "../../suites/core/grading/outcome.ts";
import { Redactor } from "../../suites/core/text/redact.ts";
import type { CheckId, RunEvent } from "../../suites/engine/events.ts";
import { serverSuite } from "../../suites/server/suite.ts";
import { packageFolder } from "../package.ts";
import { REPORT_FILES } from "../report/files.ts";
import type { Output } from "../terminal/output.ts";
import { UsageError } from "../usage-error.ts";
import { type Version, versionOf } from "../versions/versions.ts";
import { certifySubject } from "./certification.ts";
import { planRun } from "./plan.ts";

const suite = serverSuite();
const FAILING = "idempotency.same-key-same-body";
const PASSING = "creation.unknown-store";

const baselineFile = (text?: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), "baseline-")), "known.yaml");
  if (text !== undefined) writeFileSync(path, text);
  return path;
};

const clausesOf = (check: string) => suite.checks.find(({ id }) => id === check)?.clauses ?? [];
const [CLAUSE = ""] = clausesOf(FAILING);

/** A baseline with the clauses of a check. */
const baselineText = (check: string, rest = "") =>
  `known_failures:\n  # seen in the spring\n${clausesOf(check)
    .map((id) => `  - clause: ${id}\n    reason: being fixed\n${rest}`)
    .join("")}`;

/** A run in which one check fails and all others pass. */
async function run(
  baseline: string | undefined,
  updateBaseline = false,
  failing: readonly string[] = [FAILING],
  asOf?: Version,
  { report, onStart = () => {} }: { readonly report?: string; readonly onStart?: () => void } = {},
) {
  const results: string[] = [];
  const messages: string[] = [];
  const output: Output = {
    interactive: false,
    quiet: false,
    event: () => {},
    colours: false,
    json: false,
    line: (text) => void messages.push(text),
    status: () => {},
    data: () => {},
    result: (text) => void results.push(text),
  };
  const settings = {
    claims: undefined,
    without: [],
    only: [],
    skip: [],
    seed: 1,
    strict: false,
    partial: false,
    report,
    wire: false,
  };
  const plan = planRun(suite, { ...settings, baseline, updateBaseline, asOf });
  const ended = certifySubject(
    plan,
    {
      url: "http://127.0.0.1",
      jobs: 1,
      redact: new Redactor(),
      repeatCommand: suite.command,
      async *run(): AsyncGenerator<RunEvent<CheckId>> {
        onStart();
        for (const check of plan.selected) {
          const status: CheckStatus = failing.includes(check.id) ? "failed" : "passed";
          yield { type: "result", check, outcome: { status, duration_ms: 1, requests: 1 } };
        }
        yield { type: "end", summary: { requests: 1 } };
      },
    },
    output,
    { first: new Promise(() => {}) },
  );
  const problem = await ended.then(
    () => undefined,
    (error: unknown) => (error instanceof UsageError ? error.message : Promise.reject(error)),
  );
  const code = problem === undefined ? (await ended).exit_code : 3;
  return { code, resultText: results.join("\n"), messages, problem };
}

test("a known failure changes the exit code to 0, but not the verdict", async () => {
  const { code, resultText } = await run(baselineFile(baselineText(FAILING)));
  expect(code).toBe(0);
  expect(resultText).toContain(`KNOWN    ${CLAUSE}: being fixed`);
  expect(resultText).toContain("NONCONFORMANT  (exit 0 because of the baseline)");
});

/** A made-up earlier version of the suite, in which a check is missing. */
const withoutFailing = versionOf(
  "0.0",
  readFileSync(join(packageFolder, "tools/testing/public-surface/list-conform.txt"), "utf8").replace(
    new RegExp(`^${FAILING}: .*\n`, "m"),
    "",
  ),
);

test("a run judged as an earlier version runs newer checks, and marks their failures as coming", async () => {
  const { code, resultText } = await run(undefined, false, [FAILING], withoutFailing);
  expect(code).toBe(0);
  expect(resultText).toContain("Judged as of 0.0. Not counted: 1 failure of checks that");
  expect(resultText).toMatch(/the verdict would be NONCONFORMANT\.\nCONFORMANT {2}\(exit 0\)/);
  expect((await run(undefined, false, [FAILING, PASSING], withoutFailing)).code).toBe(1);
});

test("coming failures aren't written into the baseline yet", async () => {
  const path = baselineFile();
  await run(path, true, [FAILING, PASSING], withoutFailing);
  const written = readFileSync(path, "utf8");
  for (const id of clausesOf(PASSING)) expect(written).toContain(`clause: ${id}\n`);
  expect(written).not.toContain(`clause: ${CLAUSE}\n`);
});

test("a failure that the baseline doesn't list fails the run", async () => {
  const { code } = await run(baselineFile(baselineText(FAILING)), false, [FAILING, PASSING]);
  expect(code).toBe(1);
});

test("an entry whose clause passes fails the run", async () => {
  const { code, resultText } = await run(baselineFile(baselineText(PASSING)), false, []);
  expect(code).toBe(1);
  expect(resultText).toContain(
    `STALE    ${clausesOf(PASSING)[0]}: being fixed: its clause passes; remove the entry from`,
  );
  expect(resultText).toContain("CONFORMANT  (exit 1 because of the baseline)");
});

test("an entry is valid until its date", async () => {
  const expired = await run(baselineFile(baselineText(FAILING, "    until: 2020-01-31\n")));
  expect(expired.code).toBe(1);
  expect(expired.resultText).toContain("OVERDUE");
  expect((await run(baselineFile(baselineText(FAILING, "    until: 2999-01-31\n")))).code).toBe(0);
});

test("--update-baseline adds new failures, keeps entries that still fail, and removes entries that pass", async () => {
  const path = baselineFile(baselineText(PASSING));
  expect((await run(path, true)).code).toBe(0);
  const written = readFileSync(path, "utf8");
  expect(written).toContain(`clause: ${CLAUSE}\n`);
  expect(written).not.toContain(`clause: ${clausesOf(PASSING)[0]}\n`);
  const existing = baselineFile(baselineText(FAILING));
  await run(existing, true, [FAILING, PASSING]);
  expect(readFileSync(existing, "utf8")).toMatch(
    /# seen in the spring[\s\S]*being fixed[\s\S]*not explained yet/,
  );
});

test("--update-baseline reports its changes next to the result", async () => {
  const written = async (...given: Parameters<typeof run>) => {
    const { messages, resultText } = await run(...given);
    expect(resultText).not.toContain("Written");
    return messages.filter((line) => line.startsWith("Written"));
  };
  const path = baselineFile();
  expect(await written(path, true)).toEqual([`Written: ${path}, 3 known failures (3 new).`]);
  expect(await written(path, true)).toEqual([`Written: ${path}, 3 known failures.`]);
  expect(await written(path, true, [PASSING])).toEqual([
    `Written: ${path}, 2 known failures (2 new, 3 removed).`,
  ]);
  expect(await written(path, true, [])).toEqual([`Written: ${path}, no known failure (2 removed).`]);
  expect(await written(path)).toEqual([]);
  const expired = baselineFile(baselineText(FAILING, "    until: 2020-01-31\n"));
  expect(await written(expired, true)).toEqual([`Written: ${expired}, 3 known failures (3 new, 3 removed).`]);
});

test("--update-baseline creates a missing file", async () => {
  const path = baselineFile();
  expect((await run(path, true)).code).toBe(0);
  expect((await run(path)).code).toBe(0);
});

test.each([
  ["a missing file", undefined, /cannot read .*known\.yaml \(ENOENT\)/],
  [
    "an unknown clause",
    "known_failures: [{ clause: IDM-5, reason: x }]\n",
    /names an unknown clause, IDM-5; did you/,
  ],
  [
    "a clause that is listed twice",
    `${baselineText(FAILING)}  - clause: ${CLAUSE}\n    reason: x\n`,
    /twice/,
  ],
  [
    "checks instead of clauses",
    `known_failures:\n  - check: ${FAILING}\n    reason: x\n`,
    /known\.yaml: it names checks, but a baseline names clauses: replace "check: idempotency\.same-key-same-body" with "clause: IDEM-5" or "clause: IDEM-6" or "clause: IDEM-7", and so on; or delete the file and create it with --update-baseline$/,
  ],
  [
    "an entry without a reason",
    `known_failures:\n  - clause: ${CLAUSE}\n`,
    /known_failures\[0\]\.reason is missing/,
  ],
  [
    "an invalid date",
    baselineText(FAILING, "    until: soon\n"),
    /known_failures\[0\]\.until has to be written like 2027-01-31/,
  ],
  ["a file of another kind", "url: http://127.0.0.1\n", /known_failures is missing/],
  ["no YAML", "known_failures: [\n", /is not valid YAML/],
])("a baseline is refused in one line: %s", async (_, text, message) => {
  await expect(run(baselineFile(text))).rejects.toThrow(message);
});

test("--update-baseline with an unwritable file is refused before the run", async () => {
  const path = join(baselineFile(""), "known.yaml");
  const onStart = vi.fn();
  await expect(run(path, true, [FAILING], undefined, { onStart })).rejects.toThrow(
    /^--baseline .*known\.yaml isn't writable \(ENOTDIR\): give another file$/,
  );
  expect(onStart).not.toHaveBeenCalled();
});

describe("a file that can't be written at the end of a run", () => {
  const folder = () => mkdtempSync(join(tmpdir(), "report-"));

  test("in the report's folder: one line of error, exit code 3, and the other files are written", async () => {
    const report = folder();
    const onStart = () => mkdirSync(join(report, "report.html"));
    const { resultText, problem } = await run(undefined, false, [], undefined, { report, onStart });
    expect(problem).toMatch(/^--report .* isn't writable \(EISDIR\): give another folder$/);
    expect(resultText).toMatch(
      /^CONFORMANT {2}\(exit 3, because the report could not be written completely\)/m,
    );
    expect(readdirSync(report).toSorted()).toEqual([...REPORT_FILES].toSorted());
    expect(JSON.parse(readFileSync(join(report, "report.json"), "utf8"))).toMatchObject({
      verdict: "CONFORMANT",
    });
  });

  test("the baseline: one line of error, and the report is still written", async () => {
    const [path, report] = [baselineFile(), folder()];
    const onStart = () => mkdirSync(path);
    const { resultText, messages, problem } = await run(path, true, [FAILING], undefined, {
      report,
      onStart,
    });
    expect(messages.join("\n")).not.toContain("Written");
    expect(problem).toMatch(/^--baseline .*known\.yaml isn't writable \(EISDIR\): give another file$/);
    expect(resultText).toContain(
      "NONCONFORMANT  (exit 3, because the report could not be written completely)",
    );
    expect(readdirSync(report)).toContain("report.json");
  });
});
