import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { clientSuite } from "../../suites/client/suite.ts";
import { readClauseList } from "../../suites/core/contract/clause-list.ts";
import { mutationMatrices } from "../../suites/mutation-matrices.ts";
import { receiverSuite } from "../../suites/receiver/suite.ts";
import { serverSuite } from "../../suites/server/suite.ts";
import { packageFolder } from "../package.ts";
import { type Entry, findEntries } from "../results/entry.ts";
import { UsageError } from "../usage-error.ts";
import { writeFileAtomically } from "../whole-file.ts";
import { COLLECTION_FILE, collectionText, readApiDocument } from "./artifacts.ts";
import { renderMatrix } from "./clause-matrix.ts";
import { type SiteSource, writeSite } from "./site/site.ts";

/** The contents of the documents, by file name. */
async function artifacts(): Promise<Readonly<Record<string, string>>> {
  const suites = [serverSuite(), receiverSuite(), clientSuite()];
  return {
    [COLLECTION_FILE]: await collectionText(),
    "matrix.md": renderMatrix({
      catalogue: readClauseList(),
      checks: suites.flatMap(({ checks }) => checks),
      mutants: Object.fromEntries(mutationMatrices.flatMap(({ mutants }) => Object.entries(mutants))),
    }),
  };
}

/** The data of the site: API document, clause list, checks of all suites, and results. */
export async function siteSource(entries: readonly Entry[] = []): Promise<SiteSource> {
  const document = await readApiDocument();
  const suites = [serverSuite(), receiverSuite(), clientSuite()];
  return {
    document,
    catalogue: readClauseList(),
    suites,
    checks: suites.flatMap((suite) => suite.checks),
    entries,
  };
}

/** @throws UsageError unless the folder is missing, is empty, or contains an earlier site */
function siteFolder(given: string): string {
  const folder = resolve(packageFolder, given);
  const isOurs =
    !existsSync(folder) || readdirSync(folder).length === 0 || existsSync(join(folder, "api.html"));
  if (!isOurs) throw new UsageError(`${folder} contains files other than a site: give another folder`);
  return folder;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { results: { type: "string", multiple: true, default: ["results"] } },
  });
  const folder = siteFolder(positionals[0] ?? "site");
  const found = (
    await Promise.all(values.results.map((one) => findEntries(resolve(packageFolder, one))))
  ).flat();
  for (const one of found) {
    if ("problem" in one) throw new UsageError(`${one.path}: ${one.problem}`);
  }
  const entries = found.flatMap((one) => ("entry" in one ? [one.entry] : []));
  const pages = writeSite(folder, await siteSource(entries));
  const texts = Object.entries(await artifacts());
  for (const [name, text] of texts) writeFileAtomically(join(folder, name), text);
  process.stdout.write(`${folder}: ${pages.length + texts.length} files, ${entries.length} results\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await main();
  } catch (error) {
    const isMistake = error instanceof UsageError || (error instanceof TypeError && "code" in error);
    if (!isMistake) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 3;
  }
}
