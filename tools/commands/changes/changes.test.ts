import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { packageFolder } from "../../package.ts";
import { terminalOutput } from "../../terminal/output.ts";
import { callCli } from "../../testing/cli-in-process.ts";
import { listChanges } from "./changes.ts";
import type { Changes } from "./compare.ts";

const LIST = "tools/testing/public-surface/list-conform.txt";
const CHECKS = "suites/server/checks/deliveries/idempotency.ts";
const ASSERTIONS = "suites/server/support/assertions.ts";
const LEDGER = "openapi/generated/clauses.json";

/** A project of its own, with some checks of this one and a history that each test adds to. */
const folder = mkdtempSync(join(tmpdir(), "changes-"));
const git = (...args: readonly string[]): string =>
  execFileSync("git", [
    "-C",
    folder,
    "-c",
    "user.name=A",
    "-c",
    "user.email=a@example.com",
    ...args,
  ]).toString();

beforeAll(() => {
  const some = [
    CHECKS,
    "suites/server/checks/deliveries/idempotency-other-bodies.ts",
    "suites/server/checks/protocol",
    "suites/server/support",
    "suites/server/session/answer.ts",
  ];
  for (const path of [...some, "suites/check-ids.txt", LIST, LEDGER])
    cpSync(join(packageFolder, path), join(folder, path), { recursive: true });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "-m", "first");
  git("tag", "v0.1.0");
});

function commit(path: string, from: string | RegExp, to: string): string {
  const before = readFileSync(join(folder, path), "utf8");
  const after = before.replace(from, to);
  expect(after, `${path} holds what is to be changed`).not.toBe(before);
  writeFileSync(join(folder, path), after);
  git("commit", "--quiet", "--all", "-m", "next");
  return git("rev-parse", "HEAD").trim();
}

async function changesSince(from: string, to?: string): Promise<Changes> {
  let printed = "";
  const output = terminalOutput(
    { write: (text) => (printed += text) },
    { quiet: false, color: false, json: true, environment: {} },
  );
  expect(await listChanges(from, to, output, folder)).toBe(0);
  return JSON.parse(printed);
}

describe("between two commits", () => {
  test.each<[string, string, string | RegExp, string, Partial<Changes>]>([
    [
      "an altered assertion names its check, and no other",
      CHECKS,
      "toBe(body.external_ref)",
      "toContain(body.external_ref)",
      { checks: [{ kind: "altered", id: "idempotency.same-key-same-body", how: ["its own steps"] }] },
    ],
    [
      "a check's title and comments aren't its steps",
      CHECKS,
      /title:\n\s+"repeating.*",\n([\s\S]*?)\/\/ Not the whole body.*/,
      'title: "another",\n$1',
      { checks: [] },
    ],
    [
      "a clause that is dropped makes a check looser",
      LIST,
      "IDEM-5 (MUST), ",
      "",
      {
        checks: [
          {
            kind: "loosened",
            id: "idempotency.same-key-same-body",
            how: ["verifies IDEM-5 no more"],
          },
        ],
      },
    ],
    [
      "a check that weighs more is tighter",
      LIST,
      "AUTH-12 (SHOULD)",
      "AUTH-12 (MUST)",
      {
        checks: [
          {
            kind: "tightened",
            id: "authentication.missing-token-code",
            how: ["AUTH-12 is a MUST, and was a SHOULD"],
          },
        ],
      },
    ],
    [
      "a check that is gone",
      LIST,
      /^health\.version: .*\n/m,
      "",
      { checks: [{ kind: "removed", id: "health.version", how: ["level api; VER-4 (MUST)"] }] },
    ],
    [
      "a clause's level",
      LEDGER,
      /("id":"GEN-1",.*?"level":)"MUST"/,
      '$1"SHOULD"',
      { clauses: [{ kind: "loosened", id: "GEN-1", how: ["a SHOULD, and was a MUST"] }] },
    ],
    [
      "code below all checks is named, for it is no check's",
      "suites/server/session/answer.ts",
      /^/,
      "// Changed.\n",
      { frame: ["suites/server/session/answer.ts"] },
    ],
  ])("%s", async (_, path, from, to, expected) => {
    const before = git("rev-parse", "HEAD").trim();
    const after = commit(path, from, to);
    const nothing: Changes = { checks: [], clauses: [], openPoints: [], frame: [] };
    expect(await changesSince(before, after)).toEqual({
      from: before.slice(0, 10),
      to: after.slice(0, 10),
      ...nothing,
      ...expected,
    });
  });

  test("an altered function names every check that calls it, however many files lie between", async () => {
    const before = git("rev-parse", "HEAD").trim();
    commit(ASSERTIONS, ").toEqual([id]);", ")\n    .toEqual( [id] );");
    expect((await changesSince(before)).checks).toEqual([]);
    commit(ASSERTIONS, ".toEqual( [id] );", ".toContain(id);");
    const altered = (await changesSince(before)).checks;
    expect(altered.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["idempotency.same-key-other-body", "idempotency.nearly-same-body"]),
    );
    expect(altered.map(({ id }) => id)).not.toContain("health.ok");
    expect(altered[0]).toMatchObject({
      kind: "altered",
      how: ["what it calls: expectOnlyDelivery (suites/server/support/assertions.ts)"],
    });
  });
});

test("a version is its tag, and the files as they are need no commit", async () => {
  writeFileSync(
    join(folder, LIST),
    `${readFileSync(join(folder, LIST), "utf8")}new.check: api; GEN-1 (MUST); needs clock\n`,
  );
  expect((await changesSince("0.1.0")).checks).toContainEqual({
    kind: "added",
    id: "new.check",
    how: ["level api; GEN-1 (MUST)"],
  });
});

test.each([
  [["changes", "99.0.0"], /99\.0\.0: neither a version \(there is no tag v99\.0\.0\) nor a commit/],
  [["changes", "--all"], /unknown option/],
  [["changes"], /missing required argument 'from'/],
])("a mistake ends in one line and exit code 3: %j", async (args, words) => {
  const { code, stderr } = await callCli(args);
  expect(code).toBe(3);
  expect(stderr).toMatch(words);
});

test.each([
  ["outside of a checkout", []],
  [
    "in a checkout of something else",
    ["git init --quiet", "git commit --quiet --allow-empty -m first", "git tag v0.1.0"],
  ],
])("%s it says so", async (_, commands) => {
  const elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"));
  const author = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@example.com" };
  const committer = { GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@example.com" };
  for (const command of commands)
    execFileSync("sh", ["-c", command], { cwd: elsewhere, env: { ...process.env, ...author, ...committer } });
  const output = terminalOutput(
    { write: () => true },
    { quiet: false, color: false, json: false, environment: {} },
  );
  await expect(listChanges("0.1.0", undefined, output, elsewhere)).rejects.toThrow(
    "run changes in a git checkout",
  );
});
