// Unusual but valid notations of JSON and times.

import { wallClock } from "../../core/clock.ts";

export type Json = string | number | boolean | null | undefined | readonly Json[] | { [key: string]: Json };

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const decimalKeys = new Set("lat lng amount_due subtotal discount quantity total road_km max_km".split(" "));

const escaped = (text: string) =>
  JSON.stringify(text)
    .replaceAll("/", "\\/")
    .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * ASCII only, with escaped slashes, spaces after separators, and `1.0` for whole decimals. Undefined members
 * are omitted.
 */
export function writeJson(value: Json, key = ""): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return escaped(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    return decimalKeys.has(key) && Number.isSafeInteger(value) ? `${value}.0` : JSON.stringify(value);
  }
  if (isList(value)) return `[${value.map((item) => writeJson(item)).join(" , ")}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${escaped(name)} : ${writeJson(member, name)}`);
  return `{ ${members.join(" , ")} }`;
}

const isList = (value: object): value is readonly Json[] => Array.isArray(value);

let lastReading = 0;

/** Unix time in microseconds. Each call returns a different value, so that changes have different times. */
export function now(): number {
  lastReading = Math.max(lastReading + 1, wallClock() * 1000 + Math.floor(Math.random() * 1000));
  return lastReading;
}

export const second = 1_000_000;
export const minute = 60 * second;
export const day = 24 * 60 * minute;

/** `2030-05-01T15:30:00.123456Z` */
export const utc = (micros: number) =>
  `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)}${String(micros % 1000).padStart(3, "0")}Z`;

export const utcIfAny = (micros: number | undefined) => (micros === undefined ? undefined : utc(micros));

const rfc3339 =
  /^(\d{4}-\d\d-\d\d)T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** An RFC 3339 time with an offset; undefined for other text. */
export function instantOf(text: string): number | undefined {
  const [, date, time, fraction, sign, hours, minutes] = rfc3339.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const local = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(date)) return undefined;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * minute * (sign === "-" ? -1 : 1);
  const micros = Number((fraction ?? "").padEnd(6, "0").slice(0, 6));
  return local * 1000 + micros - offset;
}
