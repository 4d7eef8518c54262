import { basename } from "node:path";
import { packageFolder } from "../../package.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { CHECKS, didYouMean, Edits, IDS, readClauses, say } from "./edits.ts";
import { addMutant } from "./mutant.ts";
import { collectionName, withEntry, withImport, withStatementBefore } from "./source-edits.ts";
import * as template from "./templates.ts";

const CHECK_ID = /^[a-z]+(-[a-z]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/;

export interface NewCheckFlags {
  clause: string;
  title: string;
  folder?: string;
}

/** The file of a group's checks: the one that there is, or a new one that runs with the others. */
function checksFileOf(edits: Edits, group: string, folder: string | undefined): string {
  const [there] = edits.find(`${CHECKS}/**/${group}.ts`);
  if (there !== undefined) return there;
  const folders = edits.folders(CHECKS);
  if (folder === undefined || !folders.includes(folder)) {
    const groups = edits.find(`${CHECKS}/*/*.ts`).map((path) => basename(path, ".ts"));
    throw new UsageError(
      `there is no group ${group} of servers' checks${didYouMean(group, groups)} For a new one name its --folder: ${folders.join(", ")}`,
    );
  }
  const path = `${CHECKS}/${folder}/${group}.ts`;
  const index = `${CHECKS}/index.ts`;
  const list = `${template.camelCase(group)}Checks`;
  edits.write(path, template.checksFile(group));
  edits.write(
    index,
    withImport(withEntry(edits.read(index), "experiments", `...${list}`), list, `./${folder}/${group}.ts`),
  );
  return path;
}

/**
 * Adds a check of servers that fails until it is written, its frozen id, and a mutant that isn't caught yet.
 * @throws UsageError for an id of a wrong form or one that there is, a clause or a group that there isn't
 */
export function newCheck(
  id: string,
  flags: NewCheckFlags,
  output: Output,
  folder: string = packageFolder,
): number {
  const edits = new Edits(folder);
  const ids = edits.read(IDS).trimEnd().split("\n");
  if (!CHECK_ID.test(id))
    throw new UsageError(`${id} isn't of the form group.what-it-shows, in small letters`);
  if (ids.includes(id)) throw new UsageError(`there is a check ${id} already`);
  const clauses = readClauses(edits);
  const named = flags.clause.split(",");
  const unknown = named.find(
    (name) => !clauses.some((clause) => clause.id === name && clause.subject === "server"),
  );
  if (unknown !== undefined) {
    throw new UsageError(
      `${unknown} is no clause of servers${didYouMean(
        unknown,
        clauses.map((clause) => clause.id),
      )} npm run new -- clause makes one`,
    );
  }
  const mutant = `${id.replace(".", "-")}-broken`;
  const path = checksFileOf(edits, id.slice(0, id.indexOf(".")), flags.folder);
  const text = edits.read(path);
  const list = collectionName(text, "Checks");
  if (list === undefined) throw new UsageError(`${path} has no list of checks: add ${id} by hand`);
  const name = template.camelCase(id.slice(id.indexOf(".") + 1));
  const check = template.checkOf({ id, title: flags.title, clauses: named, mutant });
  edits.write(path, withStatementBefore(withEntry(text, list, name), list, check));
  addMutant(edits, path, mutant, `TODO: what a server does wrong that breaks ${named.join(", ")}`);
  edits.write(IDS, `${[...ids, id].toSorted().join("\n")}\n`);
  return say(output, edits.save(), [
    `Write the experiment in ${path}; npm run conform -- --only ${id} fails until it is there`,
    `Break the reference server in the mutant ${mutant}; npm run mutants -- --only ${mutant} says whether it is caught`,
    "Which legal server would the check fail? npx vitest run suites/server/variants tries those that there are",
    "npm run generate && npx vitest run tools/testing/public-surface.test.ts -u brings the lists up to date; then npm cit",
  ]);
}
