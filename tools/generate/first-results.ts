/** Creates the results of our own two servers as entries: `node tools/generate/first-results.ts FOLDER`. */
import { spawn } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stringify } from "yaml";
import { startIndependentServer } from "../../suites/server/independent-server/server.ts";
import { makeFolder } from "../folder.ts";
import { packageFolder, VERSION } from "../package.ts";
import { repositoryName } from "./action-references.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("error: give the folder for the results\n");
  process.exit(3);
}

/** An entry contains only files that can be verified. */
const KEPT = ["report.json", "attestation.json"];
const REPOSITORY = `https://github.com/${repositoryName}`;

/** Certifies a server with the command line, and keeps the report as an entry. */
async function certify(
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const entry = resolve(folder ?? "", name.toLowerCase().replaceAll(" ", "-"), VERSION);
  makeFolder(entry);
  const command = [
    join(packageFolder, "bin/source.js"),
    "conform",
    "--report",
    entry,
    "--record",
    "failures",
    ...args,
  ];
  const child = spawn(process.execPath, command, {
    cwd: packageFolder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  if (code !== 0) throw new Error(`${name} ended with exit code ${code}`);
  for (const name of readdirSync(entry).filter((one) => !KEPT.includes(one))) {
    rmSync(join(entry, name), { recursive: true });
  }
  const implementation = { name, version: VERSION, by: "courier-conform", url: REPOSITORY };
  writeFileSync(join(entry, "implementation.yaml"), stringify(implementation));
}

await certify("Reference server", [], {});
const server = await startIndependentServer();
// The control interface of this server can't control couriers or the clock, so only these levels are claimed.
const claims = ["--claims", "api,events"];
await certify("Independent server", ["--url", server.url, "--control-url", server.controlUrl, ...claims], {
  CONFORM_CONTROL_TOKEN: server.controlToken,
});
await server.close();
