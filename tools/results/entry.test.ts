import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { VERSION } from "../package.ts";
import { jsonFile } from "../report/formats/json.ts";
import type { Report } from "../report/model.ts";
import { renderAttestation } from "../report/statement/attestation.ts";
import { aReport, FAILED, failures } from "../report/testing/sample-report.ts";
import { callCli } from "../testing/processes/cli-in-process.ts";

const DESCRIPTION = "name: Acme Dispatch!\nversion: 1.2.0\nby: Acme\nurl: https://acme.example\n";
const ENTRY_PATH = "acme-dispatch/1.2.0";

interface EntryFiles {
  readonly path?: string;
  readonly description?: string;
  readonly report?: Report;
  readonly statement?: string;
  readonly otherFiles?: Readonly<Record<string, string>>;
}

function resultsFolder({
  path = ENTRY_PATH,
  description = DESCRIPTION,
  report = aReport(),
  ...rest
}: EntryFiles = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "results-"));
  const files = {
    "implementation.yaml": description,
    "report.json": jsonFile(report),
    "attestation.json": rest.statement ?? renderAttestation(report),
    ...rest.otherFiles,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, name), text);
  }
  return folder;
}

const results = (...args: readonly string[]) => callCli(["results", ...args]);

test("a valid entry is one line: implementation, levels, version of the suite", async () => {
  expect(await results(resultsFolder())).toEqual({
    code: 0,
    stderr: "",
    stdout: `CONFORMANT  ${ENTRY_PATH}: Acme Dispatch! 1.2.0, server, api, events, courier, time, by courier-conform ${VERSION}\n1 result, all valid\n`,
  });
});

test("an entry with a nonconformant run is valid too, and shows its open failures", async () => {
  const report = aReport({ outcomes: failures });
  const { code, stdout } = await results(resultsFolder({ report }));
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^NONCONFORMANT {2}acme-dispatch\/1\.2\.0: .*, server, events, courier, by .*; 3 open failures\n/,
  );
  const { stdout: json } = await results(resultsFolder({ report }), "--json");
  expect(JSON.parse(json)).toMatchObject([{ path: ENTRY_PATH, verdict: "NONCONFORMANT", verified: true }]);
});

const withSuite = (part: Partial<Report["suite"]>): Report => {
  const report = aReport();
  return { ...report, suite: { ...report.suite, ...part } };
};
const failing = aReport({ outcomes: failures });

test.each<[string, EntryFiles, string, RegExp]>([
  [
    "an altered verdict",
    { report: { ...failing, verdict: "CONFORMANT" } },
    ENTRY_PATH,
    /the verdict is CONFORMANT; by the checks it is NONCONFORMANT/,
  ],
  [
    "an altered check",
    {
      report: {
        ...failing,
        checks: failing.checks.map((check) => (check.id === FAILED ? { ...check, status: "passed" } : check)),
      },
    },
    ENTRY_PATH,
    /doesn't follow from its checks.*\(and \d+ more\)$/,
  ],
  [
    "the attestation of another report",
    { statement: renderAttestation(failing) },
    ENTRY_PATH,
    /report\.json doesn.t match its digest in attestation\.json/,
  ],
  [
    "a folder whose name doesn't match",
    { path: "acme/1.2.0" },
    "acme/1.2.0",
    /implementation\.yaml names Acme Dispatch! 1\.2\.0, which belongs in the folder acme-dispatch\/1\.2\.0$/,
  ],
  [
    "a folder whose version doesn't match",
    { path: "acme-dispatch/1.3.0" },
    "acme-dispatch/1.3.0",
    /which belongs in the folder acme-dispatch\/1\.2\.0$/,
  ],
  [
    "a filtered run",
    { report: aReport({ complete: false }) },
    ENTRY_PATH,
    /the run was filtered by --only or --skip/,
  ],
  [
    "a run with the verdict ERROR",
    { report: aReport({ faults: ["the suite stumbled"] }) },
    ENTRY_PATH,
    /the run failed \(ERROR\)/,
  ],
  [
    "a URL that isn't http or https",
    { description: "name: Acme Dispatch\nversion: 1.2.0\nby: Acme\nurl: javascript:alert(1)\n" },
    ENTRY_PATH,
    /implementation\.yaml: url has to be written like https:\/\/acme\.example/,
  ],
  [
    "a version that YAML reads as a number",
    { description: "name: Acme Dispatch!\nversion: 1.2\nby: Acme\nurl: https://acme.example\n" },
    ENTRY_PATH,
    /implementation\.yaml: version has to be text \(in quotes if .*\), such as 1\.2\.0/,
  ],
  [
    "a description that isn't YAML",
    { description: "name: [\n" },
    ENTRY_PATH,
    /implementation\.yaml is not valid YAML/,
  ],
  ["an unknown file", { otherFiles: { "run.log": "long" } }, ENTRY_PATH, /run\.log isn.t part of an entry/],
  [
    "a report.json that isn't a report",
    { otherFiles: { "report.json": "{}" } },
    ENTRY_PATH,
    /report\.json isn't a report: the file must have required property/,
  ],
  [
    "an invalid suite version",
    { report: withSuite({ version: "9; touch x" }) },
    ENTRY_PATH,
    /its suite version, 9; touch x, isn't a valid version/,
  ],
])("is refused in one line: %s", async (_, files, path, problem) => {
  const { code, stdout } = await results(resultsFolder(files), "--fetch");
  const [line = "", end, ...rest] = stdout.trim().split("\n");
  expect({ code, end, rest }).toEqual({ code: 1, end: "1 result, 1 refused", rest: [] });
  expect(line).toMatch(problem);
  expect(line.startsWith(`REFUSED  ${path}: `)).toBe(true);
});

test.each(["implementation.yaml", "report.json", "attestation.json"])(
  "a symbolic link to a device is refused without reading it: %s",
  async (name) => {
    const folder = resultsFolder();
    rmSync(join(folder, ENTRY_PATH, name));
    symlinkSync("/dev/zero", join(folder, ENTRY_PATH, name));
    const { code, stdout } = await results(folder);
    expect(code).toBe(1);
    expect(stdout).toContain(`REFUSED  ${ENTRY_PATH}: ${name} isn't a regular file`);
  },
);

test("a report without its attestation is refused, and the others are still listed", async () => {
  const folder = resultsFolder();
  const other = join(folder, "zeta", "1");
  mkdirSync(other, { recursive: true });
  for (const name of ["implementation.yaml", "report.json"])
    cpSync(join(folder, ENTRY_PATH, name), join(other, name));
  const { code, stdout } = await results(folder);
  expect(code).toBe(1);
  expect(stdout).toContain("REFUSED  zeta/1: attestation.json is missing\n");
  expect(stdout).toContain(`CONFORMANT  ${ENTRY_PATH}: `);
});

test("a report of another version of the suite is only verified with --fetch", async () => {
  const folder = resultsFolder({ report: withSuite({ version: "0.0.9" }) });
  const { code, stdout } = await results(folder);
  expect(code).toBe(0);
  expect(stdout).toContain("; not verified: made with version 0.0.9 of the suite (--fetch verifies it)");
});

test("all entries in the repository are valid", async () => {
  const { code, stdout } = await results(join(dirname(dirname(import.meta.dirname)), "results"));
  expect(stdout).toMatch(/results contains no results|, all valid\n$/);
  expect(code).toBe(0);
});

test("a missing folder is reported in one line", async () => {
  const { code, stderr } = await results("/nowhere/at/all");
  expect(code).toBe(3);
  expect(stderr.trim().split("\n")).toEqual([
    expect.stringContaining("/nowhere/at/all isn't a folder of results"),
  ]);
});

test("the README's example is a valid description", () => {
  const text = readFileSync(join(dirname(dirname(import.meta.dirname)), "results/README.md"), "utf8");
  for (const name of ["implementation.yaml", "report.json", "attestation.json", "acme-dispatch/1.2.0"])
    expect(text).toContain(name);
});
