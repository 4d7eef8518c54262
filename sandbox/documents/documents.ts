/**
 * The service's OpenAPI document and a Postman collection, with this sandbox as the server. Both need
 * no token.
 */
import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import type { ApiDocument } from "./api-document.ts";
import { collectionOf } from "./postman/collection.ts";

const documentFile = new URL("../../openapi/generated/courier-dispatch.json", import.meta.url);

/** `/openapi.json` and `/postman_collection.json`. */
export function addDocuments(app: FastifyInstance, deps: Dependencies): void {
  app.get("/openapi.json", async () => ({ ...deps.document, servers: [{ url: deps.publicUrl() }] }));
  app.get("/postman_collection.json", async () => {
    const document: ApiDocument = JSON.parse(await readFile(documentFile, "utf8"));
    const { variable, ...collection } = collectionOf(document);
    return {
      ...collection,
      variable: variable.map((one) => (one.key === "base_url" ? { ...one, value: deps.publicUrl() } : one)),
    };
  });
}
