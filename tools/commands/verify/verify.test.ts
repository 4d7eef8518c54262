import { generateKeyPairSync, type KeyObject } from "node:crypto";
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { prepareReportFolder, writeReport } from "../../report/files.ts";
import { jsonFile } from "../../report/formats/json.ts";
import type { Report } from "../../report/model.ts";
import { renderAttestation } from "../../report/statement/attestation.ts";
import {
  aReport,
  blocking,
  contextWith,
  FAILED,
  failures,
  unverified,
} from "../../report/testing/sample-report.ts";
import { callCli } from "../../testing/processes/cli-in-process.ts";

const passing = aReport();
const failing = aReport({ outcomes: failures });

const inFolder = () => mkdtempSync(join(tmpdir(), "verify-"));

function written(report: Report, key?: KeyObject): string {
  const folder = inFolder();
  writeReport(folder, report, contextWith(), key);
  return folder;
}

/** A changed report with a new attestation. */
const changed = (report: Report, change: (report: Report) => Report): string => written(change(report));

const verify = (...args: readonly string[]) => callCli(["verify", ...args]);

test.each([
  ["CONFORMANT", passing],
  ["NONCONFORMANT", failing],
  ["INCOMPLETE", aReport({ outcomes: { [FAILED]: unverified } })],
  ["blocked", aReport({ outcomes: blocking })],
  ["strict", aReport({ outcomes: failures, strict: true })],
  ["filtered", aReport({ complete: false })],
  ["broken", aReport({ faults: ["the suite stumbled"] })],
])("an unchanged report is valid: %s", async (_, report) => {
  const folder = written(report);
  for (const path of [folder, join(folder, "report.json")]) {
    const { code, stdout, stderr } = await verify(path);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`is valid: ${report.verdict} of https://dispatch.example`);
  }
});

const zeros = "0".repeat(64);
const withoutFailure = (report: Report): Report => ({
  ...report,
  checks: report.checks.map((check) => (check.id === FAILED ? { ...check, status: "passed" } : check)),
});

describe("a report is invalid if someone has changed", () => {
  test.each<[string, (report: Report) => Report, RegExp]>([
    [
      "the verdict",
      (r) => ({ ...r, verdict: "CONFORMANT", exit_code: 0 }),
      /the verdict is CONFORMANT; by the checks it is NONCONFORMANT/,
    ],
    ["the exit code", (r) => ({ ...r, exit_code: 0 }), /the exit code is 0; by the checks it is 1/],
    ["how a check ended", withoutFailure, /level \w+ doesn't follow from its checks/],
    ["a level", (r) => ({ ...r, levels: passing.levels }), /level api doesn't follow/],
    [
      "a clause",
      (r) => ({ ...r, clauses: passing.clauses }),
      /clause \S+ doesn't follow from its checks: by its checks it is failed/,
    ],
    [
      "its list of checks",
      (r) => ({ ...r, checks: r.checks.filter(({ id }) => id !== FAILED) }),
      new RegExp(`check ${FAILED} is missing`),
    ],
    [
      "the severity of a check",
      (r) => ({ ...r, checks: r.checks.map((c) => ({ ...c, severity: "SHOULD" })) }),
      /has a different severity in this suite/,
    ],
    [
      "the document",
      (r) => ({ ...r, suite: { ...r.suite, document_sha256: zeros } }),
      /the API document \(SHA-256\) is 0{64}; this suite has/,
    ],
    [
      "the clause list",
      (r) => ({ ...r, suite: { ...r.suite, clause_list_sha256: zeros } }),
      /the clause list \(SHA-256\) is 0{64}/,
    ],
    [
      "the suite",
      (r) => ({ ...r, suite: { ...r.suite, version: "99.0.0" } }),
      /the suite is courier-conform 99\.0\.0; this/,
    ],
  ])("%s", async (_, change, problem) => {
    const { code, stdout } = await verify(changed(failing, change));
    expect(code).toBe(1);
    expect(stdout).toMatch(problem);
  });

  test("report.json, and not the attestation", async () => {
    const folder = written(passing);
    writeFileSync(
      join(folder, "report.json"),
      jsonFile({ ...passing, target: { url: "https://other.example", version: null } }),
    );
    const { code, stdout } = await verify(folder);
    expect(code).toBe(1);
    expect(stdout).toContain("report.json doesn't match its digest in attestation.json");
  });
});

describe("a replaced page or archive is detected", () => {
  test.each(["report.html", "exchanges.har", "junit.xml", "ctrf.json", "summary.md", "badge.svg"])(
    "%s",
    async (name) => {
      const folder = written(failing);
      appendFileSync(join(folder, name), " ");
      const { code, stdout } = await verify(folder);
      expect(code).toBe(1);
      expect(stdout).toContain(`${name} doesn't match its digest in attestation.json`);
    },
  );

  test("a missing or additional file is accepted", async () => {
    const folder = written(failing);
    rmSync(join(folder, "report.html"));
    writeFileSync(join(folder, "notes.html"), "mine");
    expect((await verify(folder)).code).toBe(0);
  });

  test("whether or not the attestation lists it", async () => {
    const folder = written(failing);
    writeFileSync(join(folder, "attestation.json"), renderAttestation(failing));
    const { code, stdout } = await verify(folder);
    expect(code).toBe(1);
    expect(stdout).toContain("report.html doesn't match its digest in attestation.json");
  });
});

test("for a report of an older format, one line says what to do", async () => {
  const folder = inFolder();
  const { schema_version: _, ...old } = {
    ...passing,
    schema: "https://courier-conform.invalid/schemas/report-1.json",
  };
  writeFileSync(join(folder, "report.json"), jsonFile(old));
  const { code, stderr } = await verify(folder);
  expect(code).toBe(3);
  expect(stderr.trim()).toMatch(
    /report\.json has report format 1, and this version of the suite reads format 2: run it again, or read it with the version that wrote it \(\d+\.\d+\.\d+\S*\)$/,
  );
});

const pem = (key: KeyObject, folder: string, type: "pkcs8" | "spki"): string => {
  const file = join(folder, `${type}.pem`);
  writeFileSync(file, key.export({ type, format: "pem" }));
  return file;
};

describe("a signed report", () => {
  const ed25519 = generateKeyPairSync("ed25519");
  const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keys = Object.entries({ ed25519, p256, rsa });

  test.each(keys)("is valid with its key only: %s", async (_, { privateKey, publicKey }) => {
    const folder = written(passing, privateKey);
    const right = await verify(folder, "--key", pem(publicKey, inFolder(), "spki"));
    expect(right.code, right.stdout).toBe(0);
    expect(right.stdout).toContain("signed with this key");
    const other = generateKeyPairSync("ed25519").publicKey;
    const wrong = await verify(folder, "--key", pem(other, inFolder(), "spki"));
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain("attestation.dsse.json isn't signed with this key");
  });

  test("is invalid after any change, or without its signature", async () => {
    const key = pem(ed25519.publicKey, inFolder(), "spki");
    const folder = written(failing, ed25519.privateKey);
    const envelope = readFileSync(join(folder, "attestation.dsse.json"), "utf8");
    writeReport(folder, passing, contextWith());
    const changedAfter = await verify(folder, "--key", key);
    expect(changedAfter.code).toBe(1);
    expect(changedAfter.stdout).toContain("signs a different statement than attestation.json");
    const statement = readFileSync(join(folder, "attestation.json"));
    const forged = { ...JSON.parse(envelope), payload: statement.toString("base64") };
    writeFileSync(join(folder, "attestation.dsse.json"), JSON.stringify(forged));
    expect((await verify(folder, "--key", key)).stdout).toContain("isn't signed with this key");
    rmSync(join(folder, "attestation.dsse.json"));
    expect((await verify(folder, "--key", key)).stdout).toContain("the report isn't signed");
  });

  test("is refused if a member occurs twice, because JSON parsers differ on it", async () => {
    const folder = written(passing, ed25519.privateKey);
    const file = join(folder, "attestation.dsse.json");
    const twice = readFileSync(file, "utf8").replace("{", '{"pay\\u006coad":"e30=",');
    writeFileSync(file, twice);
    const { code, stdout } = await verify(folder, "--key", pem(ed25519.publicKey, inFolder(), "spki"));
    expect(code).toBe(1);
    expect(stdout).toContain("attestation.dsse.json names a member of an object twice");
  });

  test("is an envelope by the rules of DSSE, with an in-toto statement in it", () => {
    const folder = written(passing, ed25519.privateKey);
    const envelope = JSON.parse(readFileSync(join(folder, "attestation.dsse.json"), "utf8"));
    expect(envelope).toEqual({
      payloadType: "application/vnd.in-toto+json",
      payload: readFileSync(join(folder, "attestation.json")).toString("base64"),
      signatures: [{ keyid: expect.stringMatching(/^[0-9a-f]{64}$/), sig: expect.any(String) }],
    });
  });

  test("of an earlier run is deleted", async () => {
    const folder = written(passing, ed25519.privateKey);
    prepareReportFolder(folder);
    writeReport(folder, failing, contextWith());
    const { stdout } = await verify(folder, "--key", pem(ed25519.publicKey, inFolder(), "spki"));
    expect(stdout).toContain("the report isn't signed");
  });
});

describe("a mistake is reported in one line with exit code 3", () => {
  const text = (content: string) => {
    const file = join(inFolder(), "file");
    writeFileSync(file, content);
    return file;
  };
  const startingWith = (start: string) =>
    text(readFileSync(join(written(passing), "report.json"), "utf8").replace("{", start));
  const tooLarge = () => {
    const file = text("");
    truncateSync(file, 64 * 1024 * 1024 + 1);
    return file;
  };
  const linked = (to: string, name: string): string => {
    const folder = written(passing);
    rmSync(join(folder, name));
    symlinkSync(to, join(folder, name));
    return folder;
  };
  const secret = "-----BEGIN PRIVATE KEY-----\nnot-a-key-but-secret\n-----END PRIVATE KEY-----\n";
  test.each<[string, readonly string[], RegExp]>([
    ["no report", ["verify", "/nowhere/at/all"], /can't be read \(ENOENT\)/],
    ["no JSON", ["verify", text("{")], /isn't a report/],
    ["other JSON", ["verify", text("{}")], /isn't a report: the file must have required property/],
    [
      "a link to a device",
      ["verify", linked("/dev/zero", "report.json")],
      /report\.json isn't a regular file/,
    ],
    ["a device", ["verify", "/dev/zero"], /\/dev\/zero isn't a regular file/],
    [
      "a page that is a symbolic link",
      ["verify", linked("/dev/zero", "report.html")],
      /report\.html isn't a regular file/,
    ],
    [
      "an attestation that is a symbolic link",
      ["verify", linked("/dev/zero", "attestation.json")],
      /attestation\.json isn't a regular file/,
    ],
    [
      "brackets without end",
      ["verify", text("[".repeat(60_000_000))],
      /isn't a report: its JSON is nested more than 200 levels deep/,
    ],
    [
      "values without end",
      ["verify", text(`[${"0,".repeat(30_000_000)}0]`)],
      /isn't a report: its JSON has more than 2000000 values/,
    ],
    ["more bytes than any report has", ["verify", tooLarge()], /is larger than 64 MB/],
    [
      "a member twice",
      ["verify", startingWith('{"verdict":"CONFORMANT",')],
      /the file names a member of an object twice/,
    ],
    [
      "a private key",
      [
        "verify",
        written(passing),
        "--key",
        pem(generateKeyPairSync("ed25519").privateKey, inFolder(), "pkcs8"),
      ],
      /is a private key: give the public key/,
    ],
    [
      "no key",
      ["verify", written(passing, generateKeyPairSync("ed25519").privateKey), "--key", text("x")],
      /isn't a public key in PEM/,
    ],
    [
      "no key to sign with",
      ["conform", "--sign", "/nowhere/key", "--report", inFolder()],
      /--sign \/nowhere\/key can't be read/,
    ],
    [
      "an invalid key",
      ["conform", "--sign", text(secret), "--report", inFolder()],
      /isn't a private key in PEM/,
    ],
    ["nothing to sign", ["conform", "--sign", text(secret)], /--sign needs a report to sign/],
  ])("%s", async (_, args, message) => {
    const { code, stderr } = await callCli(args);
    expect(code).toBe(3);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).not.toContain("not-a-key-but-secret");
  });
});
