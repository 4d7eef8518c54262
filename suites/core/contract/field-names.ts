import { isObject } from "../json.ts";
import { serviceApi } from "./document.ts";

/** The names of all fields in the document's schemas. */
const NAMES = new Set<string>();

function collect(json: unknown): void {
  for (const [key, value] of Array.isArray(json)
    ? json.entries()
    : Object.entries(isObject(json) ? json : {})) {
    if (key === "properties" && isObject(value)) for (const name of Object.keys(value)) NAMES.add(name);
    collect(value);
  }
}
collect(serviceApi.content);

/** True for a documented field's name or path: `version`, `customer.phone`. */
export const isFieldName = (path: string): boolean => NAMES.has(path.split(".").at(-1) ?? path);
