/** Long documents that are only generated for publication. */
import { readFile } from "node:fs/promises";
import type { ApiDocument } from "../../sandbox/documents/api-document.ts";
import { collectionOf } from "../../sandbox/documents/postman/collection.ts";
import { clientSuite } from "../../suites/client/suite.ts";
import { readClauseList } from "../../suites/core/contract/clause-list.ts";
import { mutationMatrices } from "../../suites/mutation-matrices.ts";
import { receiverSuite } from "../../suites/receiver/suite.ts";
import { serverSuite } from "../../suites/server/suite.ts";
import { renderMatrix } from "./clause-matrix.ts";

/** The OpenAPI document for the reference page and the search. */
export async function readApiDocument(): Promise<ApiDocument> {
  const file = new URL("../../openapi/generated/courier-dispatch.json", import.meta.url);
  return JSON.parse(await readFile(file, "utf8"));
}

export const COLLECTION_FILE = "courier-dispatch.postman_collection.json";
export const collectionText = async (): Promise<string> =>
  `${JSON.stringify(collectionOf(await readApiDocument()), null, 2)}\n`;

/** The documents by file name. */
export async function artifacts(): Promise<Readonly<Record<string, string>>> {
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
