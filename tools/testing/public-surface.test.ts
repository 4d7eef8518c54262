import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { packageFolder } from "../package.ts";
import { publicExports } from "./package/public-exports.ts";
import { callCli, commandNames } from "./processes/cli-in-process.ts";

/**
 * People and pipelines depend on the contents of public-surface/. To change them on purpose, run `npx vitest run
 * tools/testing/public-surface.test.ts -u`, and read the difference as a user would.
 */
const frozen = (name: string): string => join(import.meta.dirname, "public-surface", name);

async function printed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await callCli(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

test("flags and help of the program and its commands are unchanged", async () => {
  await expect(await printed("--help")).toMatchFileSnapshot(frozen("help.txt"));
  const names = await commandNames();
  expect(names).toEqual(expect.arrayContaining(["conform", "receiver", "client", "serve", "complete"]));
  for (const name of names) {
    await expect(await printed(name, "--help")).toMatchFileSnapshot(frozen(`help-${name}.txt`));
  }
});

/** The parts of a check that pipelines depend on: id, level, clauses and needs. Its title and mutants may change. */
function checkLine(block: string): string {
  const [id = ""] = block.split("\n");
  const clauses = [...block.matchAll(/^ {4}clause {3}(\S+ \(\w+\))/gm)].map(([, clause]) => clause);
  const [, level = ""] = /^ {4}level {4}(.*)$/m.exec(block) ?? [];
  const [, needs = ""] = /^ {4}needs {4}(.*)$/m.exec(block) ?? [];
  return `${id}: ${level}; ${clauses.join(", ")}; needs ${needs}`;
}

test.each(["conform", "receiver", "client"])("the list of checks of %s is unchanged", async (command) => {
  const [checks = ""] = (await printed(command, "--list")).split("\n\n");
  const lines = checks.split(/\n(?=\S)/).map(checkLine);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(frozen(`list-${command}.txt`));
});

test("the schema of report.json is unchanged", async () => {
  const schema = readFileSync(join(packageFolder, "tools/report/formats/report.schema.json"), "utf8");
  await expect(schema).toMatchFileSnapshot(frozen("report.schema.json"));
});

test("the package's programs, entry points and exports are unchanged", async () => {
  const { name, bin, exports, files } = packageJson;
  await expect(JSON.stringify({ name, bin, exports, files }, null, 2)).toMatchFileSnapshot(
    frozen("package.txt"),
  );
  for (const source of ["index.ts", "types.ts"]) {
    const lines = publicExports(source).join("\n");
    await expect(`${lines}\n`).toMatchFileSnapshot(frozen(`exports-of-${source}.txt`));
  }
});
