import { lookUp, type OperationId, operationById } from "../../../core/contract/document.ts";
import { isObject, textOf } from "../../../core/json.ts";

type Schema = Readonly<Record<string, unknown>>;

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

/** A schema with its reference resolved. Sibling keywords of `$ref` take precedence. */
function resolved(node: unknown): Schema {
  if (!isObject(node)) throw new TypeError("the document has no schema where one is required");
  if (typeof node.$ref !== "string") return node;
  const { $ref, ...beside } = node;
  return { ...resolved(lookUp($ref.slice(1))), ...beside };
}

const strings = (value: unknown): readonly string[] =>
  [value].flat().filter((one) => typeof one === "string");

function fieldsWithin(schema: Schema, name: string, path: Field["path"]): readonly Field[] {
  const required = strings(schema.required);
  const members = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const inside = members.flatMap(([key, node]) => {
    const member = resolved(node);
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
    schema.items === undefined ? [] : fieldsWithin(resolved(schema.items), `${name}[]`, [...path, 0]);
  return [...inside, ...entries];
}

/** All fields of an operation's JSON body, parents before children; empty without a body. */
export function fieldsOf(id: OperationId): readonly Field[] {
  const body = lookUp(`${operationById(id).pointer}/requestBody/content/application~1json`);
  return body ? fieldsWithin(resolved(body.schema), "", []) : [];
}

function parametersAt(pointer: string): readonly Schema[] {
  const list = lookUp(pointer)?.parameters;
  return (Array.isArray(list) ? list : []).map(resolved);
}

/** All parameters of an operation. Those shared by its path come first. */
export function parametersOf(id: OperationId): readonly Field[] {
  const { pointer } = operationById(id);
  const shared = pointer.slice(0, pointer.lastIndexOf("/"));
  return [...parametersAt(shared), ...parametersAt(pointer)].map(({ name, required, schema: node }) => {
    const schema = resolved(node);
    return {
      name: textOf(name),
      path: [textOf(name)],
      types: strings(schema.type),
      required: required === true,
      schema,
    };
  });
}

/** The value at a path of a body. */
export function valueAt(body: unknown, path: Field["path"]): unknown {
  let here = body;
  for (const key of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = Reflect.get(here, key);
  }
  return here;
}

/** A copy of the body with another value at a path; undefined removes the field. */
export function withValue<T extends object>(body: T, path: Field["path"], value: unknown): T {
  const copy = structuredClone(body);
  let here: object = copy;
  for (const key of path.slice(0, -1)) {
    const next: unknown = Reflect.get(here, key);
    if (typeof next === "object" && next !== null) {
      here = next;
    } else {
      const made = {};
      Reflect.set(here, key, made);
      here = made;
    }
  }
  const last = path.at(-1) ?? "";
  if (value === undefined) Reflect.deleteProperty(here, last);
  else Reflect.set(here, last, value);
  return copy;
}
