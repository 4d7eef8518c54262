import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { mutants } from "../../suites/server/mutants/index.ts";
import { KNOWN_FAULTS_FILE, knownFaultsFile } from "../report/diagnosis/known-faults.ts";
import { COLLECTION_FILE, collectionText } from "./artifacts.ts";

/** Builds dist/, the package's contents: compiled JavaScript, declarations and data files. */
const folder = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = ["openapi", "reference-server", "sandbox", "styles", "suites", "tools"];

/** The name of folders with test helpers, which tsconfig.build.json also excludes. */
const TEST_HELPERS = "testing";

/** Source files, which aren't copied. The package contains browser components only as generated scripts. */
const SOURCE = /\.(ts|tsx|mts)$/;

function isData(path: string): boolean {
  if (path.endsWith(".js") && existsSync(path.replace(/js$/, "ts"))) {
    throw new Error(`${path} would be overwritten by the compiled .ts file: rename it`);
  }
  if (statSync(path).isDirectory()) return basename(path) !== TEST_HELPERS;
  return !SOURCE.test(path);
}

/** The commands that exist only in a clone. */
const MAINTAINER_COMMANDS = ["mutants", "bench", "fuzz"];

/** Removes type declarations that no entry point exports, because they take more space than the scripts. */
function removeUnreachableDeclarations(dist: string, ...entries: readonly string[]): void {
  const reached = new Set(entries);
  for (const file of reached) {
    for (const { fileName } of ts.preProcessFile(readFileSync(`${dist}${file}`, "utf8")).importedFiles)
      if (fileName.startsWith(".")) reached.add(join(file, "..", fileName.replace(/\.ts$/, ".d.ts")));
  }
  for (const file of globSync("**/*.d.ts", { cwd: dist })) if (!reached.has(file)) rmSync(`${dist}${file}`);
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
for (const command of MAINTAINER_COMMANDS)
  rmSync(`${folder}dist/tools/commands/${command}`, { recursive: true });
removeUnreachableDeclarations(`${folder}dist/`, "index.d.ts", "types.d.ts");
writeFileSync(`${folder}dist/openapi/generated/${COLLECTION_FILE}`, await collectionText());
// Known faults with their clauses and cases. The package compares failures with this file instead of loading
// mutants.
const inPackage = fileURLToPath(KNOWN_FAULTS_FILE).slice(folder.length);
writeFileSync(`${folder}dist/${inPackage}`, knownFaultsFile(mutants));
process.exitCode = status ?? 1;
