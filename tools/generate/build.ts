import { spawnSync } from "node:child_process";
import { cpSync, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { mutants } from "../../suites/server/mutants/index.ts";
import { KNOWN_FAULTS_FILE, knownFaultsFile } from "../report/diagnosis/known-faults.ts";
import { artifacts } from "./artifacts.ts";

/** Makes dist/, which is what the package holds: compiled JavaScript, declarations, and the data beside them. */
const folder = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = ["openapi", "reference-server", "sandbox", "styles", "suites", "tools"];

/** Folders of helpers of tests, and of what tests compare with: tsconfig.build.json leaves them out too. */
const TESTING = "testing";

/** The browser's components are in the package as generated scripts only. */
const SOURCE = /\.(ts|tsx|mts)$/;

function isData(path: string): boolean {
  if (path.endsWith(".js") && existsSync(path.replace(/js$/, "ts"))) {
    throw new Error(`${path} would take the place of what its .ts is compiled to: give it another name`);
  }
  if (statSync(path).isDirectory()) return basename(path) !== TESTING;
  return !SOURCE.test(path);
}

rmSync(`${folder}dist`, { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  [`${folder}node_modules/typescript-native/bin/tsc`, "-p", "tsconfig.build.json"],
  {
    cwd: folder,
    stdio: "inherit",
  },
);
for (const source of SOURCES) {
  cpSync(`${folder}${source}`, `${folder}dist/${source}`, { recursive: true, filter: isData });
}
for (const [name, text] of Object.entries(await artifacts()))
  writeFileSync(`${folder}dist/openapi/generated/${name}`, text);
// With a clause and a case for each fault: the package compares failures with the file, and loads no mutant for it.
const inPackage = fileURLToPath(KNOWN_FAULTS_FILE).slice(folder.length);
writeFileSync(`${folder}dist/${inPackage}`, knownFaultsFile(mutants));
process.exitCode = status ?? 1;
