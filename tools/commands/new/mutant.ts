import { basename } from "node:path";
import { packageFolder } from "../../package.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { CHECKS, didYouMean, Edits, IDS, MUTANTS, say } from "./edits.ts";
import { collectionName, withEntry, withImport } from "./source-edits.ts";
import * as template from "./templates.ts";

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export interface NewMutantFlags {
  check: string;
  fault: string;
}

/** Adds a mutant to the file beside a check's, which is made where there is none. */
export function addMutant(edits: Edits, checksFile: string, name: string, fault: string): void {
  if (edits.find(`${MUTANTS}/**/*.ts`).some((path) => edits.read(path).includes(`"${name}"`))) {
    throw new UsageError(`there is a mutant ${name} already`);
  }
  const path = checksFile.replace(CHECKS, MUTANTS);
  const group = basename(path, ".ts");
  if (!edits.has(path)) {
    const index = `${MUTANTS}/index.ts`;
    const table = `${template.camelCase(group)}Mutants`;
    edits.write(path, template.mutantsFile(group));
    edits.write(
      index,
      withImport(
        withEntry(edits.read(index), "ofStoresStatesAndAccess", `...${table}`),
        table,
        `./${path.slice(MUTANTS.length + 1)}`,
      ),
    );
  }
  const text = edits.read(path);
  const table = collectionName(text, "Mutants");
  if (table === undefined) throw new UsageError(`${path} has no table of mutants: add ${name} by hand`);
  edits.write(path, withEntry(text, table, template.mutantOf(name, fault)));
}

/**
 * Adds a mutant, named by a check that there is.
 * @throws UsageError for a name of a wrong form or one that there is, and for a check that there isn't
 */
export function newMutant(
  name: string,
  flags: NewMutantFlags,
  output: Output,
  folder: string = packageFolder,
): number {
  const edits = new Edits(folder);
  if (!NAME.test(name))
    throw new UsageError(`${name} isn't of the form words-with-hyphens, in small letters`);
  const ids = edits.read(IDS).trimEnd().split("\n");
  const quotedId = JSON.stringify(flags.check);
  const path = edits.find(`${CHECKS}/**/*.ts`).find((file) => edits.read(file).includes(`id: ${quotedId}`));
  if (path === undefined) {
    throw new UsageError(`--check ${flags.check} is no check of servers${didYouMean(flags.check, ids)}`);
  }
  addMutant(edits, path, name, flags.fault);
  const own = edits.read(path);
  const list = own.indexOf("mutants: [", own.indexOf(`id: ${quotedId}`));
  if (list < 0)
    throw new UsageError(`${path} lists the mutants of ${flags.check} elsewhere: add ${name} by hand`);
  const at = list + "mutants: [".length;
  edits.write(path, `${own.slice(0, at)}${JSON.stringify(name)}, ${own.slice(at)}`);
  return say(output, edits.save(), [
    `Break the server in ${path.replace(CHECKS, MUTANTS)}; what faults are made of stands in ${MUTANTS}/operators`,
    `npm run mutants -- --only ${name} says whether it is caught, and by which checks`,
  ]);
}
