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

test("the program and each command have the flags and the help that they had", async () => {
  await expect(await printed("--help")).toMatchFileSnapshot(frozen("help.txt"));
  const names = await commandNames();
  expect(names).toEqual(expect.arrayContaining(["conform", "receiver", "client", "serve", "complete"]));
  for (const name of names) {
    await expect(await printed(name, "--help")).toMatchFileSnapshot(frozen(`help-${name}.txt`));
  }
});

/** What a pipeline names of a check, in a line: id, level, clauses and needs. Its words, and its mutants, may get better. */
function checkLine(block: string): string {
  const [id = ""] = block.split("\n");
  const clauses = [...block.matchAll(/^ {4}clause {3}(\S+ \(\w+\))/gm)].map(([, clause]) => clause);
  const [, level = ""] = /^ {4}level {4}(.*)$/m.exec(block) ?? [];
  const [, needs = ""] = /^ {4}needs {4}(.*)$/m.exec(block) ?? [];
  return `${id}: ${level}; ${clauses.join(", ")}; needs ${needs}`;
}

test.each(["conform", "receiver", "client"])("%s lists the checks that it listed", async (command) => {
  const [checks = ""] = (await printed(command, "--list")).split("\n\n");
  const lines = checks.split(/\n(?=\S)/).map(checkLine);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(frozen(`list-${command}.txt`));
});

test("report.json has the schema that it had", async () => {
  const schema = readFileSync(join(packageFolder, "tools/report/formats/report.schema.json"), "utf8");
  await expect(schema).toMatchFileSnapshot(frozen("report.schema.json"));
});

test("the package has the programs and entry points that it had, and exports what it exported", async () => {
  const { name, bin, exports, files } = packageJson;
  await expect(JSON.stringify({ name, bin, exports, files }, null, 2)).toMatchFileSnapshot(
    frozen("package.txt"),
  );
  for (const source of ["index.ts", "types.ts"]) {
    const lines = publicExports(source).join("\n");
    await expect(`${lines}\n`).toMatchFileSnapshot(frozen(`exports-of-${source}.txt`));
  }
});
