/**
 * The user's fields for a triggered delivery: an object, or texts by path (`customer.note`), which are
 * converted to the document's types. Unknown fields are refused, because the service would ignore them
 * silently.
 */
import type { OpenApiDocument } from "../../reference-server/contract/documents.ts";
import { isObject, type JsonObject } from "../../reference-server/contract/json.ts";
import { rejected } from "../../reference-server/errors.ts";

export interface OwnFields {
  readonly data?: JsonObject;
  /** Texts by path; they override `data`. */
  readonly set?: Readonly<Record<string, string>>;
}

/** `base` with the fields, by a schema of the document. Throws DOGRULAMA with the field's path. */
export function withOwnFields(
  document: OpenApiDocument,
  schemaName: string,
  base: JsonObject,
  { data = {}, set = {} }: OwnFields,
): JsonObject {
  const schema = branchesOf(document, { $ref: `#/components/schemas/${schemaName}` });
  refuseUnknown(document, schema, data, []);
  let fields = merged(base, data);
  for (const [path, text] of Object.entries(set)) {
    const names = path.split(".");
    fields = assigned(fields, names, valueAt(document, schema, names, text));
  }
  return fields;
}

/** The alternatives of a schema, with references and combinations resolved. */
function branchesOf(document: OpenApiDocument, schema: unknown): JsonObject[] {
  if (!isObject(schema)) return [];
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  const name = typeof $ref === "string" ? $ref.split("/").at(-1) : undefined;
  const { schemas } = document.components;
  const referred = name !== undefined && isObject(schemas) ? [schemas[name]] : [];
  const parts = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [own, ...[...referred, ...parts].flatMap((part) => branchesOf(document, part))];
}

function childrenOf(
  document: OpenApiDocument,
  branches: readonly JsonObject[],
  name: string,
  path: string,
): JsonObject[] {
  const found = branches.flatMap(({ properties, items }) => [
    ...(isObject(properties) && Object.hasOwn(properties, name)
      ? branchesOf(document, properties[name])
      : []),
    ...(items !== undefined && /^\d{1,3}$/.test(name) ? branchesOf(document, items) : []),
  ]);
  if (found.length > 0) return found;
  const known = branches.flatMap(({ properties }) => Object.keys(properties ?? {}));
  throw rejected(path, `böyle bir alan yok; olanlar: ${known.join(", ") || "yok"}`);
}

function refuseUnknown(
  document: OpenApiDocument,
  branches: readonly JsonObject[],
  value: unknown,
  path: readonly string[],
): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = [...path, name];
    refuseUnknown(document, childrenOf(document, branches, name, inner.join(".")), member, inner);
  }
}

function valueAt(
  document: OpenApiDocument,
  schema: readonly JsonObject[],
  names: readonly string[],
  text: string,
): unknown {
  let branches = schema;
  for (const [index, name] of names.entries()) {
    branches = childrenOf(document, branches, name, names.slice(0, index + 1).join("."));
  }
  const types = branches.flatMap(({ type }) => type);
  if (text === "null" && types.includes("null")) return null;
  if (types.includes("string")) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw rejected(names.join("."), `türü ${types.filter(Boolean).join(" ya da ")} olmalı`);
  }
}

function merged(base: JsonObject, more: JsonObject): JsonObject {
  const members = Object.entries(more).map(([name, value]) => {
    const before = base[name];
    return [name, isObject(before) && isObject(value) ? merged(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(members) };
}

function assigned(base: JsonObject, [name = "", ...rest]: readonly string[], value: unknown): JsonObject {
  const before = base[name];
  if (rest.length === 0) return { ...base, [name]: value };
  if (!Array.isArray(before))
    return { ...base, [name]: assigned(isObject(before) ? before : {}, rest, value) };
  // An array's members are addressed by index.
  const members = assigned({ ...before }, rest, value);
  return { ...base, [name]: Object.values(members) };
}
