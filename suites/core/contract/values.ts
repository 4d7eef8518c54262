/** Generates values that fit a JSON schema. */
import fc from "fast-check";
import { textOf } from "../json.ts";
import type { ApiDocument, Schema } from "./api-document.ts";

/** What a schema leaves to its users: which of its values are generated. */
export interface ValueChoices {
  /**
   * The generator of a member for which the schema alone isn't enough, by path (`store.external_store_id`,
   * `items.*.name`); "omitted" to leave the member out; undefined to follow the schema.
   */
  member(path: string): fc.Arbitrary<unknown> | "omitted" | undefined;
  /** True for an optional member that is always present. */
  always?(path: string): boolean;
  text(schema: Schema): fc.Arbitrary<unknown>;
  number(schema: Schema): fc.Arbitrary<unknown>;
  /** The number of entries of an array. A smaller `maxItems` takes precedence. */
  readonly entries: { readonly minLength: number; readonly maxLength: number };
}

type Resolve = ApiDocument["resolve"];

/** The value of a numeric keyword, or a default. */
export const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;

function ofType(
  type: string,
  schema: Schema,
  resolve: Resolve,
  choices: ValueChoices,
  path: string,
): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({
        ...(typeof schema.minimum === "number" && { min: schema.minimum }),
        ...(typeof schema.maximum === "number" && { max: schema.maximum }),
      });
    case "number":
      return choices.number(schema);
    case "string":
      return choices.text(schema);
    case "array": {
      const { minLength, maxLength } = choices.entries;
      return fc.array(valuesOf(schema.items, resolve, choices, `${path}.*`), {
        minLength,
        maxLength: Math.min(numberOr(schema.maxItems, maxLength), maxLength),
      });
    }
    case "object":
      return objectsOf(schema, resolve, choices, path);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectsOf(
  schema: Schema,
  resolve: Resolve,
  choices: ValueChoices,
  path: string,
): fc.Arbitrary<unknown> {
  const pathOf = (name: string) => (path === "" ? name : `${path}.${name}`);
  const members = Object.entries(Object(schema.properties)).filter(
    ([name]) => choices.member(pathOf(name)) !== "omitted",
  );
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const names = members.map(([name]) => name);
  return fc.record(
    Object.fromEntries(
      members.map(([name, member]) => [name, valuesOf(member, resolve, choices, pathOf(name))]),
    ),
    {
      requiredKeys: names.filter((name) => required.includes(name) || choices.always?.(pathOf(name))),
      noNullPrototype: true,
    },
  );
}

/** Generates the values of a schema of a document. */
export function valuesOf(
  node: unknown,
  resolve: Resolve,
  choices: ValueChoices,
  path = "",
): fc.Arbitrary<unknown> {
  const chosen = choices.member(path);
  if (typeof chosen === "object") return chosen;
  const schema = resolve(node);
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const alternatives = Array.isArray(schema.anyOf)
    ? schema.anyOf.map((each) => valuesOf(each, resolve, choices, path))
    : [schema.type].flat().map((type) => ofType(textOf(type), schema, resolve, choices, path));
  return fc.oneof(...alternatives);
}
