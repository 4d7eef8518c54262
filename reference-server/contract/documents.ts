/** The two OpenAPI documents. Both are read once per process and frozen, so clone a document to change it. */
import { readFileSync } from "node:fs";
import { isObject, type JsonObject } from "./json.ts";

export interface OpenApiDocument extends JsonObject {
  info: JsonObject;
  paths: Record<string, JsonObject>;
  webhooks?: JsonObject;
  components: JsonObject;
}

const read = new Map<string, OpenApiDocument>();

export function serviceDocument(): OpenApiDocument {
  return documentNamed("courier-dispatch.json");
}

export function controlDocument(): OpenApiDocument {
  return documentNamed("control.json");
}

function documentNamed(name: string): OpenApiDocument {
  let document = read.get(name);
  if (document === undefined) {
    // Generated as JSON, because parsing the YAML is slow.
    const file = new URL(`../../openapi/generated/${name}`, import.meta.url);
    const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isDocument(parsed)) throw new Error(`${name} isn't an OpenAPI document`);
    document = deepFrozen(parsed);
    read.set(name, document);
  }
  return document;
}

/** The event types that report a change of a delivery. */
export function deliveryEventKinds({ webhooks }: OpenApiDocument): string[] {
  return Object.keys(webhooks ?? {}).filter((kind) => kind.startsWith("delivery."));
}

function isDocument(value: unknown): value is OpenApiDocument {
  return (
    isObject(value) &&
    isObject(value.info) &&
    isObject(value.components) &&
    isObject(value.paths) &&
    Object.values(value.paths).every(isObject)
  );
}

function deepFrozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) deepFrozen(member);
    Object.freeze(value);
  }
  return value;
}
