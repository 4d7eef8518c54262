import type { OpenApiDocument } from "../../../../reference-server/contract/documents.ts";
import { isObject, type JsonObject } from "../../../../reference-server/contract/json.ts";
import type { Mutate } from "../mutant.ts";

export const alterDocument =
  (change: (document: OpenApiDocument) => void): Mutate =>
  (deps) => {
    const document = structuredClone(deps.document);
    change(document);
    return { ...deps, document };
  };

function objectAt(parent: JsonObject, key: string): JsonObject {
  const found = parent[key];
  if (!isObject(found)) throw new Error(`the document has no object at ${key}`);
  return found;
}

export const alterSchema = (name: string, change: (schema: JsonObject) => void): Mutate =>
  alterDocument(({ components }) => change(objectAt(objectAt(components, "schemas"), name)));

/** A server with other constraints on a property; undefined removes a keyword. */
export const alterProperty = (name: string, key: string, demands: JsonObject): Mutate =>
  alterSchema(name, (changed) => {
    const place = objectAt(objectAt(changed, "properties"), key);
    for (const [keyword, demand] of Object.entries(demands)) {
      if (demand === undefined) delete place[keyword];
      else place[keyword] = demand;
    }
  });

export const makeOptional = (name: string, key: string): Mutate =>
  alterSchema(name, (changed) => {
    changed.required = [changed.required].flat().filter((one) => one !== key);
  });

export const alterOperation = (
  path: string,
  method: "get" | "post" | "patch",
  change: (operation: JsonObject) => void,
) =>
  alterDocument(({ paths }) => {
    const operation = paths[path]?.[method];
    if (!isObject(operation)) throw new Error(`the document has no ${method} ${path}`);
    change(operation);
  });

export const movePath = (from: string, to: string) =>
  alterDocument(({ paths }) => {
    const item = paths[from];
    if (item === undefined) throw new Error(`the document has no ${from}`);
    delete paths[from];
    paths[to] = item;
  });

export const alterListParameter = (name: string, demands: JsonObject): Mutate =>
  alterOperation("/v1/deliveries", "get", ({ parameters }) => {
    const place = [parameters]
      .flat()
      .filter(isObject)
      .find((one) => one.name === name);
    if (place === undefined) throw new Error(`the list has no parameter ${name}`);
    place.schema = demands;
  });
