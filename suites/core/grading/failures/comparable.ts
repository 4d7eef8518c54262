import { isObject } from "../../json.ts";
import { shownValue } from "../../text/shown-value.ts";
import { isUuid } from "../../text/uuid.ts";

/** An expected value as JSON data, for comparisons with the expected values of other failures. */
export type Comparable =
  | string
  | number
  | boolean
  | null
  | readonly Comparable[]
  | { readonly [name: string]: Comparable };

/** Represents each id, because each check expects the ids of its own objects. */
const ANY_ID: Comparable = { any: "id" };

/** The value with {@link ANY_ID} instead of each id. Values that JSON can't represent are in words. */
export function comparable(value: unknown): Comparable {
  if (isUuid(value)) return ANY_ID;
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map(comparable);
  if (isObject(value) && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, comparable(member)]));
  return { words: shownValue(value) };
}
