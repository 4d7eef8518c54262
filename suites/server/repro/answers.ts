import { isObject } from "../../core/json.ts";

/** A text or number of an answer, and where jq finds it. */
export interface AnswerValue {
  readonly path: string;
  readonly key: string;
  readonly text: string;
}

const ADDRESS_PARTS = /[/?#=]/;

const step = (key: string) => (/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`);

/** Every text of a JSON value, with its path for jq. */
export function valuesOf(value: unknown, path = "", key = "value"): readonly AnswerValue[] {
  if (Array.isArray(value)) return value.flatMap((one, at) => valuesOf(one, `${path || "."}[${at}]`, key));
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, one]) => valuesOf(one, `${path}${step(name)}`, name));
  }
  if (typeof value !== "string") return [];
  const whole = { path: path || ".", key, text: value };
  // Of an address the last part may be what is asked for next, as a tracking page's key is (OPEN-54).
  const last = value.split(ADDRESS_PARTS).at(-1) ?? "";
  const isAddress = last !== value && /^(https?:\/)?\//.test(value);
  return isAddress
    ? [whole, { path: `${path || "."} | split("[/?#=]"; null) | last`, key: `${key}_end`, text: last }]
    : [whole];
}

/** Every object of a JSON value. */
export function objectsIn(value: unknown): readonly Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}
