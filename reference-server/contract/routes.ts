/** The operations of a document: routes, parameters, bodies, and pointers to their schemas. */
import type { OpenApiDocument } from "./documents.ts";
import { isObject, type JsonObject } from "./json.ts";

const methods = ["get", "post", "put", "patch", "delete"] as const;
const locations = ["path", "query", "header"] as const;
export type ParameterLocation = (typeof locations)[number];

interface Parameter {
  name: string;
  location: ParameterLocation;
  required: boolean;
  /** True if the text is parsed as a number. */
  isNumber: boolean;
  /** The JSON pointer to its schema. */
  pointer: string;
}

export interface Route {
  operationId: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** In the router's syntax: `/v1/deliveries/:id`. */
  url: string;
  /** True if no credentials are required. */
  isPublic: boolean;
  parameters: Parameter[];
  body: { types: string[]; required: boolean; jsonPointer: string | undefined } | undefined;
}

export function routesOf(document: OpenApiDocument): Route[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return isObject(operation) ? [routeOf(document, path, item, method, operation)] : [];
    }),
  );
}

function routeOf(
  document: OpenApiDocument,
  path: string,
  item: JsonObject,
  method: (typeof methods)[number],
  operation: JsonObject,
): Route {
  const { operationId, security } = operation;
  if (typeof operationId !== "string") throw new Error(`${method} ${path} has no operationId`);
  const at = `/paths/${escaped(path)}`;
  return {
    operationId,
    method: upperCase(method),
    url: path.replace(/\{(\w+)\}/g, ":$1"),
    isPublic: Array.isArray(security) && security.length === 0,
    parameters: [
      ...parametersAt(document, item.parameters, `${at}/parameters`),
      ...parametersAt(document, operation.parameters, `${at}/${method}/parameters`),
    ],
    body: bodyAt(document, operation.requestBody, `${at}/${method}/requestBody`),
  };
}

function parametersAt(document: OpenApiDocument, list: unknown, pointer: string): Parameter[] {
  if (!Array.isArray(list)) return [];
  return list.map((_, index) => {
    const found = followed(document, `${pointer}/${index}`);
    const { name, in: where, required } = found.value;
    const location = locations.find((known) => known === where);
    if (typeof name !== "string" || location === undefined) throw new Error(`no parameter: ${found.pointer}`);
    const schema = followed(document, `${found.pointer}/schema`);
    return {
      name,
      location,
      required: required === true,
      isNumber: schema.value.type === "integer" || schema.value.type === "number",
      pointer: schema.pointer,
    };
  });
}

function bodyAt(document: OpenApiDocument, body: unknown, pointer: string): Route["body"] {
  if (body === undefined) return undefined;
  const found = followed(document, pointer);
  const types = isObject(found.value.content) ? Object.keys(found.value.content) : [];
  const isJson = types.includes("application/json");
  return {
    types,
    required: found.value.required === true,
    jsonPointer: isJson ? `${found.pointer}/content/application~1json/schema` : undefined,
  };
}

/** Resolves a pointer and its `$ref`s. Returns the value and its final pointer. */
function followed(document: OpenApiDocument, pointer: string): { value: JsonObject; pointer: string } {
  let value: unknown = document;
  for (const key of pointer.split("/").slice(1)) {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = value[Number(name)];
    else value = isObject(value) ? value[name] : undefined;
  }
  if (!isObject(value)) throw new Error(`the document has nothing at ${pointer}`);
  const { $ref } = value;
  return typeof $ref === "string" ? followed(document, $ref.replace(/^#/, "")) : { value, pointer };
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function upperCase(method: (typeof methods)[number]): Route["method"] {
  const upper = { get: "GET", post: "POST", put: "PUT", patch: "PATCH", delete: "DELETE" } as const;
  return upper[method];
}
