import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { packageFolder } from "../../package.ts";
import { terminalOutput } from "../../terminal/output.ts";
import { callCli } from "../../testing/cli-in-process.ts";
import { newCheck } from "./check.ts";
import { newClause } from "./clause.ts";
import { newCommand } from "./command.ts";
import { newMutant } from "./mutant.ts";

/** A copy of the project, which each test adds to: only the files that are worked on, and what they need. */
const folder = mkdtempSync(join(tmpdir(), "new-"));
const SOURCES = ["bin", "docs", "openapi", "reference-server", "sandbox", "styles", "suites", "tools"];
const SETTINGS = ["README.md", "package.json", "biome.json", ".gitignore"];

beforeAll(() => {
  for (const path of [...SOURCES, ...SETTINGS])
    cpSync(join(packageFolder, path), join(folder, path), { recursive: true });
  symlinkSync(join(packageFolder, "node_modules"), join(folder, "node_modules"));
});

const read = (path: string) => readFileSync(join(folder, path), "utf8");
const said: string[] = [];
const output = terminalOutput(
  { write: (text) => said.push(text) },
  { quiet: false, color: false, json: false, environment: {} },
);

/** What the copy's own code says of a check. */
const registered = (id: string) =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `const { checks } = await import("./suites/server/checks/index.ts");
         const { mutants } = await import("./suites/server/mutants/index.ts");
         const { clauses, mutants: named } = checks.find((check) => check.id === ${JSON.stringify(id)});
         console.log(JSON.stringify({ clauses, mutants: named.map((name) => [name, mutants[name].fault]) }));`,
      ],
      { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
    ),
  );

describe("a newcomer adds a check for an invented clause", () => {
  test("the clause gets the next number of its group, and the compiler knows it", () => {
    const numbers = [...read("openapi/clauses.yaml").matchAll(/^ {2}- id: IDEM-(\d+)$/gm)].map(([, number]) =>
      Number(number),
    );
    const id = `IDEM-${Math.max(...numbers) + 1}`;
    const flags = { level: "SHOULD" };
    expect(newClause("IDEM", 'A key may hold "ü".', flags, output, folder)).toBe(0);
    expect(said.at(-1)).toContain(`npm run new -- check GROUP.WHAT-IT-SHOWS --clause ${id}`);
    expect(said.at(-1)).toMatch(/it stands under ".+" and is verified at level \w+, as IDEM-\d+ is/);
    expect(read("openapi/generated/clauses.ts")).toContain(`"${id}"`);
    expect(read("openapi/generated/clauses.json")).toContain('"text":"A key may hold \\"ü\\"."');
  });

  test.each([
    ["of a group that there is", "idempotency.umlaut", {}, "suites/server/checks/deliveries/idempotency.ts"],
    [
      "of a new group",
      "greetings.umlaut",
      { folder: "protocol" },
      `suites/server/checks/${"protocol"}/greetings.ts`,
    ],
  ])("the check %s is run with the others, names the clause, and has a mutant", (_, id, flags, path) => {
    const clause = "IDEM-5";
    expect(newCheck(id, { clause, title: "umlauts are taken", ...flags }, output, folder)).toBe(0);
    expect(read(path)).toContain(`id: "${id}"`);
    expect(read("suites/check-ids.txt").trimEnd().split("\n")).toContain(id);
    expect(registered(id)).toEqual({
      clauses: [clause],
      mutants: [[`${id.replace(".", "-")}-broken`, expect.stringContaining("TODO")]],
    });
  });

  test("the check fails until it is filled in, and says where", () => {
    const args = ["bin/source.js", "conform", "--only", "idempotency.umlaut", "--partial"];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    expect(status).not.toBe(0);
    expect(stdout).toMatch(/its experiment isn't written yet.*idempotency\.ts/);
  });

  test("a further mutant is named by its check", () => {
    const flags = { check: "idempotency.umlaut", fault: "takes no umlaut" };
    expect(newMutant("umlaut-refused", flags, output, folder)).toBe(0);
    expect(registered("idempotency.umlaut").mutants).toContainEqual(["umlaut-refused", "takes no umlaut"]);
  });

  test("a command is one of the program, and says that it isn't written yet", () => {
    expect(newCommand("greet", output, folder)).toBe(0);
    const { status, stderr } = spawnSync(process.execPath, ["bin/source.js", "greet"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr: expect.stringContaining("greet isn't written yet"),
    });
    expect(JSON.parse(read("package.json")).scripts.greet).toBe("node bin/source.js greet");
  });
});

test.each([
  ["clause ODEM text", /there is no group ODEM; did you mean IDEM\?/],
  ["clause IDEM text --level must", /--level takes MUST, SHOULD, MAY, not must/],
  ["clause IDEM text --claim effects", /--claim of a server takes api, events, courier, time, not effects/],
  ["check Umlaut --clause IDEM-1", /isn't of the form group\.what-it-shows/],
  ["check health.ok --clause HEALTH-1", /there is a check health\.ok already/],
  ["check health.well --clause HEALTH-99", /HEALTH-99 is no clause of servers/],
  ["check greetings.well --clause HEALTH-1", /For a new one name its --folder: access, /],
  ["check health.well", /required option '--clause <ids>' not specified/],
  [
    "mutant health-not-ok --check health.oky",
    /--check health\.oky is no check of servers; did you mean health\.ok\?/,
  ],
  ["command conform", /there is a command conform already/],
  ["nothing", /unknown command 'nothing'/],
])("a mistake ends in one line and exit code 3, and nothing is written: %s", async (line, words) => {
  const { code, stderr } = await callCli(["new", ...line.split(" ")]);
  expect(code).toBe(3);
  expect(stderr).toMatch(words);
});
