/** The service's document and a collection of requests, with this sandbox as their server; anybody may read them. */
import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";
import { isObject, type JsonObject } from "../../reference-server/contract/json.ts";
import { DomainError } from "../../reference-server/errors.ts";
import type { Parts } from "../../reference-server/parts.ts";

const collectionFile = new URL(
  "../../openapi/generated/courier-dispatch.postman_collection.json",
  import.meta.url,
);

/** `/openapi.json` and `/postman_collection.json`. */
export function addDocuments(app: FastifyInstance, parts: Parts): void {
  app.get("/openapi.json", async () => ({ ...parts.document, servers: [{ url: parts.publicUrl() }] }));
  app.get("/postman_collection.json", async () => {
    const text = await readFile(collectionFile, "utf8").catch(() => {
      throw new DomainError("BULUNAMADI");
    });
    const collection: JsonObject = JSON.parse(text);
    return { ...collection, variable: variablesAt(parts.publicUrl(), collection.variable) };
  });
}

function variablesAt(url: string, variables: unknown): unknown[] {
  const known = Array.isArray(variables) ? variables : [];
  return known.map((one) => (isObject(one) && one.key === "base_url" ? { ...one, value: url } : one));
}
