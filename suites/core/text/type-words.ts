/** What a value is, by the name of its type in a JSON schema. */
export const TYPE_WORDS: Readonly<Record<string, string>> = {
  array: "a list",
  object: "an object",
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  null: "null",
};
