import type { ErrorObject } from "ajv/dist/2020.js";

/** What a value has to be, by the name of its type in a schema. */
const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  object: "names with values",
  string: "text (in quotes, where it looks like something else)",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
};

/** Where it stands, as one would say it: `credentials[0].client_id`; empty where it is the file. */
const placeOf = (pointer: string): string =>
  pointer
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, "[$1]")
    .replaceAll("/", ".");

const within = (place: string, name: string): string => (place === "" ? name : `${place}.${name}`);

/** `90s, 40m or 2h`; empty where it is no list. */
const oneOf = (values: unknown): string =>
  Array.isArray(values)
    ? new Intl.ListFormat("en-GB", { type: "disjunction" }).format(values.map(String))
    : "";

/** What is asked of the value, after the place where it stands. */
function askedOf(error: ErrorObject): string {
  const { keyword, params } = error;
  switch (keyword) {
    case "type":
      return `has to be ${TYPES[String(params.type)] ?? params.type}`;
    case "pattern": {
      // Of a validator that was made with `verbose`.
      const like = oneOf(error.parentSchema?.examples);
      return like === "" ? "isn't written as it has to be" : `has to be written like ${like}`;
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
 * What is wrong with a file that a person wrote, in a line: the place in it, and what has to stand there. The value isn't
 * quoted: it may be a secret.
 * @param error the first that the schema's validator found
 * @param unknown what is said behind a name that isn't known
 */
export function schemaMistake(error: ErrorObject | undefined, unknown = "is not known here"): string {
  if (!error) return "the file is wrong";
  const place = placeOf(error.instancePath);
  if (error.keyword === "additionalProperties")
    return `${within(place, String(error.params.additionalProperty))} ${unknown}`;
  if (error.keyword === "required")
    return `${within(place, String(error.params.missingProperty))} is missing`;
  return `${place || "the file"} ${askedOf(error)}`;
}
