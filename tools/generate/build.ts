import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { mutants } from "../../suites/server/mutants/index.ts";
import { KNOWN_FAULTS_FILE, knownFaultsFile } from "../report/diagnosis/known-faults.ts";
import { COLLECTION_FILE, collectionText } from "./artifacts.ts";

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

/** Nobody can name a type that no entry point leads to, and the declarations together are larger than the scripts. */
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
removeUnreachableDeclarations(`${folder}dist/`, "index.d.ts", "types.d.ts");
writeFileSync(`${folder}dist/openapi/generated/${COLLECTION_FILE}`, await collectionText());
// With a clause and a case for each fault: the package compares failures with the file, and loads no mutant for it.
const inPackage = fileURLToPath(KNOWN_FAULTS_FILE).slice(folder.length);
writeFileSync(`${folder}dist/${inPackage}`, knownFaultsFile(mutants));
process.exitCode = status ?? 1;
