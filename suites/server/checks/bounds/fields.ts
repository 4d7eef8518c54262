import type { Schema } from "../../../core/contract/api-document.ts";
import { type OperationId, operationById, serviceApi } from "../../../core/contract/document.ts";
import { isObject } from "../../../core/json.ts";

/** A field of a request body in the document, or a path, query or header parameter. */
export interface Field {
  /** The name in the specification's notation: `customer.note`, `items[].quantity`. */
  readonly name: string;
  /** The path from the body to the value. An array is represented by its first entry. */
  readonly path: readonly (string | number)[];
  readonly types: readonly string[];
  readonly required: boolean;
  readonly schema: Schema;
}

const strings = (value: unknown): readonly string[] =>
  [value].flat().filter((entry) => typeof entry === "string");

function fieldsWithin(schema: Schema, name: string, path: Field["path"]): readonly Field[] {
  const required = strings(schema.required);
  const members = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const nested = members.flatMap(([key, node]) => {
    const member = serviceApi.resolve(node);
    const field: Field = {
      name: name ? `${name}.${key}` : key,
      path: [...path, key],
      types: strings(member.type),
      required: required.includes(key),
      schema: member,
    };
    return [field, ...fieldsWithin(member, field.name, field.path)];
  });
  const entries =
    schema.items === undefined
      ? []
      : fieldsWithin(serviceApi.resolve(schema.items), `${name}[]`, [...path, 0]);
  return [...nested, ...entries];
}

/** All fields of an operation's JSON body, parents before children. Empty for an operation without a body. */
export const fieldsOf = (id: OperationId): readonly Field[] =>
  fieldsWithin(operationById(id).body?.schema ?? {}, "", []);

/** All parameters of an operation. */
export const parametersOf = (id: OperationId): readonly Field[] =>
  operationById(id).parameters.map(({ name, required, schema }) => ({
    name,
    path: [name],
    types: strings(schema.type),
    required,
    schema,
  }));

/**
 * A copy of the body with another value at a path; undefined removes the field or entry. Missing objects on the way are
 * created.
 */
export function withValue<T extends object>(body: T, path: Field["path"], value: unknown): T;
export function withValue(body: unknown, [key, ...rest]: Field["path"], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(body)) {
    const changed = rest.length === 0 ? value : withValue(Object(body[Number(key)]), rest, value);
    return body.toSpliced(Number(key), 1, ...(changed === undefined ? [] : [changed]));
  }
  const { [key]: member, ...others } = isObject(body) ? body : {};
  const changed = rest.length === 0 ? value : withValue(Object(member), rest, value);
  return changed === undefined ? others : { ...others, [key]: changed };
}
