/** Long documents that are generated only for publication. */
import { readFile } from "node:fs/promises";
import type { ApiDocument } from "../../sandbox/documents/api-document.ts";
import { collectionOf } from "../../sandbox/documents/postman/collection.ts";

/** The OpenAPI document for the reference page and the search. */
export async function readApiDocument(): Promise<ApiDocument> {
  const file = new URL("../../openapi/generated/courier-dispatch.json", import.meta.url);
  return JSON.parse(await readFile(file, "utf8"));
}

export const COLLECTION_FILE = "courier-dispatch.postman_collection.json";
export const collectionText = async (): Promise<string> =>
  `${JSON.stringify(collectionOf(await readApiDocument()), null, 2)}\n`;
