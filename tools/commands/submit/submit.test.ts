import { mkdtempSync, rmSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prepareReportFolder, writeReport } from "../../report/files.ts";
import type { Report } from "../../report/model.ts";
import { aReport, contextWith, FAILED, failures } from "../../report/testing/sample-report.ts";
import { callCli } from "../../testing/processes/cli-in-process.ts";

const inFolder = () => mkdtempSync(join(tmpdir(), "submit-"));
function written(report: Report): string {
  const folder = inFolder();
  prepareReportFolder(folder);
  writeReport(folder, report, contextWith());
  return folder;
}

const ACME = ["--name", "Acme Dispatch", "--by", "Acme", "--url", "https://acme.example"];
/** The folder of the entry. */
const FOLDER = join("results", "acme-dispatch", "1.2.0");
const submit = (report: string, ...args: readonly string[]) =>
  callCli(["submit", report, ...ACME, "--release", "1.2.0", ...args]);

test("the printed files are an entry that the results accept", async () => {
  const { code, stdout } = await submit(written(aReport()), "--json");
  expect(code).toBe(0);
  const printed = JSON.parse(stdout);
  expect(printed.folder).toBe(FOLDER);
  const clone = inFolder();
  const entry = join(clone, printed.folder);
  await mkdir(entry, { recursive: true });
  for (const file of printed.copied) await cp(file, join(entry, file.split("/").at(-1)));
  await writeFile(join(entry, "implementation.yaml"), printed["implementation.yaml"]);
  const accepted = await callCli(["results", join(clone, "results")]);
  expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining("1 result, all valid") });
});

test("the text contains verdict, levels, suite version and open failures", async () => {
  const { code, stdout } = await submit(written(aReport({ outcomes: failures })));
  expect(code).toBe(0);
  expect(stdout).toContain(`mkdir -p ${FOLDER}\ncp `);
  expect(stdout).toContain('"Add the result of Acme Dispatch 1.2.0 (server): NONCONFORMANT"');
  expect(stdout).toContain("- Verdict: NONCONFORMANT, certified: events, courier\n");
  expect(stdout).toMatch(new RegExp(`^- 3 open failures: .*\`${FAILED}\``, "m"));
});

const passing = aReport();
function withoutStatement(): string {
  const folder = written(passing);
  rmSync(join(folder, "attestation.json"));
  return folder;
}

test.each<[string, string, RegExp]>([
  ["a filtered run", written(aReport({ complete: false })), /the run was filtered by --only or --skip/],
  [
    "an altered verdict",
    written({ ...aReport({ outcomes: failures }), verdict: "CONFORMANT" }),
    /the verdict is CONFORMANT; by the checks it is NONCONFORMANT/,
  ],
  [
    "another version of the suite",
    written({ ...passing, suite: { ...passing.suite, version: "0.0.9" } }),
    /it was made with version 0\.0\.9 of the suite, and this is \S+: use that version, or run again$/,
  ],
  ["no statement", withoutStatement(), /attestation\.json is missing/],
])("a report is refused in one line: %s", async (_, folder, problem) => {
  const { code, stdout, stderr } = await submit(folder);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout.trim().split("\n")).toEqual([expect.stringMatching(problem)]);
  expect(stdout).toMatch(/^REFUSED {2}\S+report\.json: /);
});

const everything = (name: string, release: string, url: string) => [
  ...["submit", inFolder(), "--by", "Acme"],
  ...["--name", name, "--release", release, "--url", url],
];
test.each<[string, readonly string[], RegExp]>([
  [
    "no report",
    everything("A", "1", "https://a.example"),
    /^error: \S+report\.json can't be read \(ENOENT\)/,
  ],
  ["no home page", everything("A", "1", "javascript:x"), /^error: --url has to be written like https:/],
  [
    "no version",
    everything("A", "v 1", "https://a.example"),
    /^error: --release has to be written like 1\.2\.0/,
  ],
  ["no name", everything("!", "1", "https://a.example"), /^error: --name has to be written like Acme/],
])("a mistake is reported in one line: %s", async (_, args, message) => {
  const { code, stdout, stderr } = await callCli(args);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toMatch(message);
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

test("a flag that is left out is named", async () => {
  const { code, stderr } = await callCli(["submit", inFolder(), ...ACME]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/required option '--release <version>'/);
});
