import type { Suite } from "../../suites/core/grading/suite.ts";
import type { ExplanationSource } from "../certification/explain.ts";
import type { Output } from "../terminal/output.ts";
import { UsageError } from "../usage-error.ts";

/** Flags that print information about checks instead of running them. */
export interface CatalogueFlags {
  only?: string[];
  list?: boolean;
  explain?: string;
  jsonLines?: boolean;
}

/** Loads a suite and its explanations. */
export interface Catalogue {
  suite(): Promise<Suite>;
  explanations(): Promise<ExplanationSource>;
}

/**
 * Prints the output of --list or --explain, as JSON with --json.
 * @returns true if one of them was given. No checks run then
 * @throws UsageError for an unknown id
 */
export async function listOrExplain(
  { list, explain: id, only, jsonLines }: CatalogueFlags,
  output: Output,
  catalogue: Catalogue,
): Promise<boolean> {
  if (id !== undefined && list)
    throw new UsageError("--list and --explain exclude each other: give one of them");
  if (jsonLines && (list || id !== undefined))
    throw new UsageError("--json-lines prints the results of a run: with --list or --explain, give --json");
  if (id !== undefined) {
    const { explain, explanationData } = await import("../certification/explain.ts");
    const [suite, source] = [await catalogue.suite(), await catalogue.explanations()];
    if (output.json) output.data(await explanationData(suite, id, source));
    else output.result(await explain(suite, id, source));
    return true;
  }
  if (!list) return false;
  const { catalogueData, listChecks } = await import("../certification/catalogue.ts");
  const suite = await catalogue.suite();
  if (output.json) output.data(catalogueData(suite, only));
  else output.result(listChecks(suite, only));
  return true;
}
