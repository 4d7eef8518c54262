import type { ErrorObject } from "ajv/dist/2020.js";
import { stringify } from "yaml";
import { isObject } from "../../suites/core/json.ts";
import { pointerInWords } from "../../suites/core/text/member-paths.ts";
import { TYPE_WORDS } from "../../suites/core/text/type-words.ts";
import { nearest } from "../nearest.ts";

const IN_QUOTES = "text (in quotes if YAML would read it as another type)";

/** The name of each JSON Schema type in messages about YAML files. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  ...TYPE_WORDS,
  object: "names with values",
  string: IN_QUOTES,
};

const pathOf = (place: string, name: string): string => (place === "" ? name : `${place}.${name}`);

/** A list such as `90s, 40m or 2h`; empty if `values` isn't an array. */
const oneOf = (values: unknown): string =>
  Array.isArray(values)
    ? new Intl.ListFormat("en-GB", { type: "disjunction" }).format(values.map(String))
    : "";

const examplesOf = ({ parentSchema }: ErrorObject): readonly unknown[] =>
  Array.isArray(parentSchema?.examples) ? parentSchema.examples : [];

/** The value as YAML on one line, such as `[api, events]`. */
const inOneLine = (value: unknown): string =>
  stringify(value, { collectionStyle: "flow", flowCollectionPadding: false, lineWidth: 0 }).trim();

/** The required type, with an example if the schema has one. */
function typeRequirement(error: ErrorObject): string {
  const { type } = error.params;
  const { pattern } = error.parentSchema ?? {};
  const [example, ...more] = examplesOf(error);
  // If the value's text is malformed too, quotes don't help, so the message asks for the format.
  const isTextValid = typeof pattern !== "string" || new RegExp(pattern, "u").test(String(error.data));
  if (!isTextValid && example !== undefined) return `has to be written like ${oneOf([example, ...more])}`;
  const requirement = `has to be ${TYPE_NAMES[String(type)] ?? type}`;
  return example === undefined ? requirement : `${requirement}, such as ${inOneLine(example)}`;
}

/** A suggestion for an unknown name: the most similar known name, or else all known names. */
function knownNames(error: ErrorObject): string {
  const properties: unknown = error.parentSchema?.properties;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const meant = nearest(String(error.params.additionalProperty), names);
  if (meant !== undefined) return `; did you mean ${meant}?`;
  return names.length === 0 ? "" : `; the known names are ${names.join(", ")}`;
}

/** What the message says about the value, after the value's path. */
function requirementOf(error: ErrorObject): string {
  const { keyword, params } = error;
  switch (keyword) {
    case "type":
      return typeRequirement(error);
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
 * Describes an error in a user's file on one line: the path of the value, and what is required. The value isn't quoted,
 * because it may be a secret.
 * @param error the validator's first error. Ajv's option `verbose` adds examples and known names to the message
 * @param unknown what the message says about an unknown name
 */
export function schemaMistake(error: ErrorObject | undefined, unknown = "is not known here"): string {
  if (!error) return "the file is invalid";
  const place = pointerInWords(error.instancePath);
  if (error.keyword === "additionalProperties")
    return `${pathOf(place, String(error.params.additionalProperty))} ${unknown}${knownNames(error)}`;
  if (error.keyword === "required")
    return `${pathOf(place, String(error.params.missingProperty))} is missing`;
  return `${place || "the file"} ${requirementOf(error)}`;
}
