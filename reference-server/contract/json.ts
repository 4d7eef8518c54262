/** A parsed JSON object. The object's members aren't validated. */
export interface JsonObject {
  [key: string]: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
