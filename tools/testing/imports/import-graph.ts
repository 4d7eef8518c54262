/** The import graph under the rules of .dependency-cruiser.mjs, for tests of the rules and of the layout. */
import { join } from "node:path";
import { cruise, type IModule } from "dependency-cruiser";
import extractDepcruiseOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import { packageFolder } from "../../package.ts";

const options = await extractDepcruiseOptions(join(packageFolder, ".dependency-cruiser.mjs"));

export const ruleNames: readonly string[] = (options.ruleSet?.forbidden ?? []).map(({ name }) => name ?? "");

interface ImportGraph {
  /** Every file with its imports. Paths are relative to the folder. */
  readonly modules: readonly IModule[];
  /** The names of the broken rules. */
  readonly broken: readonly string[];
}

/** Reads the imports of a folder's files. */
export async function importGraphOf(folder: string): Promise<ImportGraph> {
  const { output } = await cruise(["."], { ...options, baseDir: folder, validate: true });
  if (typeof output === "string") throw new TypeError("expected a graph, got text");
  return {
    modules: output.modules,
    broken: [...new Set(output.summary.violations.map(({ rule }) => rule.name))],
  };
}
