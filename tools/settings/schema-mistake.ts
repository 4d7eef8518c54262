import type { ErrorObject } from "ajv/dist/2020.js";
import { stringify } from "yaml";
import { isObject } from "../../suites/core/json.ts";
import { pointerInWords } from "../../suites/core/text/member-paths.ts";
import { TYPE_WORDS } from "../../suites/core/text/type-words.ts";
import { nearest } from "../nearest.ts";

const IN_QUOTES = "text (in quotes if YAML would read it as another type)";

/** The required value, by its schema type, as written in a settings file. */
const TYPES: Readonly<Record<string, string>> = {
  ...TYPE_WORDS,
  object: "names with values",
  string: IN_QUOTES,
};

const within = (place: string, name: string): string => (place === "" ? name : `${place}.${name}`);

/** `90s, 40m or 2h`. Empty if the values aren't a list. */
const oneOf = (values: unknown): string =>
  Array.isArray(values)
    ? new Intl.ListFormat("en-GB", { type: "disjunction" }).format(values.map(String))
    : "";

const examplesOf = ({ parentSchema }: ErrorObject): readonly unknown[] =>
  Array.isArray(parentSchema?.examples) ? parentSchema.examples : [];

/** The value on one line, as written in the file: `[api, events]`. */
const inOneLine = (value: unknown): string =>
  stringify(value, { collectionStyle: "flow", flowCollectionPadding: false, lineWidth: 0 }).trim();

/** The required type, with an example if the schema has one. */
function askedType(error: ErrorObject): string {
  const { type } = error.params;
  const { pattern } = error.parentSchema ?? {};
  const [example, ...more] = examplesOf(error);
  // Quotes don't help if the number is malformed too.
  const isOtherwiseRight = typeof pattern !== "string" || new RegExp(pattern, "u").test(String(error.data));
  if (!isOtherwiseRight && example !== undefined)
    return `has to be written like ${oneOf([example, ...more])}`;
  const asked = `has to be ${TYPES[String(type)] ?? type}`;
  return example === undefined ? asked : `${asked}, such as ${inOneLine(example)}`;
}

/** Suggestions for an unknown name: the closest known one, or else all. */
function knownNames(error: ErrorObject): string {
  const properties: unknown = error.parentSchema?.properties;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const meant = nearest(String(error.params.additionalProperty), names);
  if (meant !== undefined) return `; did you mean ${meant}?`;
  return names.length === 0 ? "" : `; there are ${names.join(", ")}`;
}

/** The requirement on the value, after its path. */
function askedOf(error: ErrorObject): string {
  const { keyword, params } = error;
  switch (keyword) {
    case "type":
      return askedType(error);
    case "pattern": {
      const like = oneOf(examplesOf(error));
      return like === "" ? "has the wrong format" : `has to be written like ${like}`;
    }
    case "enum":
      return `has to be ${oneOf(params.allowedValues)}`;
    case "minLength":
    case "minItems":
      return Number(params.limit) <= 1 ? "is empty" : `is shorter than ${params.limit}`;
    case "maxLength":
      return `is longer than ${params.limit} characters`;
    case "minimum":
      return `has to be at least ${params.limit}`;
    case "maximum":
      return `has to be at most ${params.limit}`;
    default:
      return error.message ?? "is wrong";
  }
}

/**
 * Describes an error in a user's file, in a line: its path, and the required value. The value isn't quoted, because it
 * may be a secret.
 * @param error the validator's first error. With `verbose`, the message includes examples and names
 * @param unknown the text after an unknown name
 */
export function schemaMistake(error: ErrorObject | undefined, unknown = "is not known here"): string {
  if (!error) return "the file is wrong";
  const place = pointerInWords(error.instancePath);
  if (error.keyword === "additionalProperties")
    return `${within(place, String(error.params.additionalProperty))} ${unknown}${knownNames(error)}`;
  if (error.keyword === "required")
    return `${within(place, String(error.params.missingProperty))} is missing`;
  return `${place || "the file"} ${askedOf(error)}`;
}
