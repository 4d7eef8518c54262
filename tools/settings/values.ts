import { readFileSync } from "node:fs";
import { UsageError } from "../usage-error.ts";

/** A URL for a message, with … instead of user and password. */
const withoutUser = (value: string): string => value.replace(/^(\w+:\/\/)?.*@/s, "$1…@");

/**
 * Validates an http or https URL, and removes slashes at its end.
 * @param from the source of the value, for the message
 */
export function httpUrl(value: string, from: string): string {
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw new UsageError(
      `${from} is not a URL: ${withoutUser(value)} (expected http:// or https:// and a host)`,
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new UsageError(`${from} must begin with http:// or https://: ${withoutUser(value)}`);
  }
  if (url.username || url.password) {
    throw new UsageError(`${from} must not contain a user or password: give credentials separately`);
  }
  if (url.search || url.hash) {
    // The message shows no query or fragment, which may contain a key.
    throw new UsageError(`${from} must have no ? or # part: give only ${url.origin}${url.pathname}`);
  }
  return value.replace(/\/+$/, "");
}

export function wholeNumber(
  value: string | undefined,
  fallback: number,
  name: string,
  from: number,
  to: number,
): number {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= from && number <= to) return number;
  throw new UsageError(`${name} takes a whole number from ${from} to ${to}, not ${value}`);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** Node's timers are limited to 24.8 days. */
const MAX_HOURS = 24 * 24;

/** Milliseconds, from a duration such as `90s`. */
export function duration(value: string | undefined, fallback: number, name: string): number {
  if (value === undefined) return fallback;
  const [, amount, unit = ""] = /^(\d+)(ms|s|m|h)$/.exec(value) ?? [];
  const factor = UNITS[unit];
  if (amount === undefined || factor === undefined) {
    throw new UsageError(`${name} takes a duration such as 500ms, 90s, 40m or 2h, not ${value}`);
  }
  const milliseconds = Number(amount) * factor;
  if (milliseconds <= MAX_HOURS * 3_600_000) return milliseconds;
  throw new UsageError(`${name} takes ${MAX_HOURS}h at most, not ${value}`);
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Unix time in milliseconds, from an ISO 8601 time with its zone. */
export function instant(value: string, name: string): number {
  const time = INSTANT.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time) || time < 0) {
    throw new UsageError(`${name} takes a time with its zone, such as 2030-05-01T15:30:00Z, not ${value}`);
  }
  return time;
}

/** A setting's value, and its source: a flag, an environment variable, or a member of the settings file. */
export interface Given<Value = string> {
  readonly value: Value;
  readonly from: string;
}

/** The value of the first source that has one. */
export const firstGiven = <Value>(
  ...sources: readonly (readonly [value: Value | undefined, from: string])[]
): Given<Value> | undefined =>
  sources.flatMap(([value, from]) => (value === undefined ? [] : [{ value, from }]))[0];

/** Names a member of the settings file in a message. */
export const inFile = (member: string, file: string | undefined): string =>
  `${member} in ${file ?? "the settings file"}`;

/** The entries of a comma-separated list. */
export const list = (text: string | undefined): string[] | undefined =>
  text
    ?.split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

/**
 * Reads a PEM file.
 * @param name the flag, for the message
 * @param advice what to give instead
 */
export function pemFile(file: string, name: string, advice?: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new UsageError(
      `${name} ${file} can't be read (${code})${advice === undefined ? "" : `: ${advice}`}`,
    );
  }
}
