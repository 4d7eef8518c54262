/** Parsed JSON. Members are checked where they are used. */
export interface JsonObject {
  [key: string]: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
