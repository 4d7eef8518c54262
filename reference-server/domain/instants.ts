/**
 * Times as text: RFC 3339 with an offset in requests, UTC with `Z` in responses (specification, General
 * rules).
 */

const shape =
  /^\d{4}-(0[1-9]|1[0-2])-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/** True for a time with an offset. */
export function isInstant(text: string): boolean {
  const match = shape.exec(text);
  if (match === null) return false;
  const at = parseInstant(text);
  if (Number.isNaN(at)) return false;
  // Converted to UTC, a time may fall outside the years 1 to 9999.
  const year = new Date(at).getUTCFullYear();
  if (year < 1 || year > 9999) return false;
  // Date.parse reads the 31st of a short month as the 1st of the next.
  const day = Number(match[2]);
  return day >= 1 && day <= new Date(Date.UTC(Number(text.slice(0, 4)), Number(match[1]), 0)).getUTCDate();
}

/** Unix time in milliseconds; NaN for an invalid text. */
export function parseInstant(text: string): number {
  return Date.parse(text.toUpperCase());
}

/** Unix time in milliseconds; null for a missing text. */
export function parseInstantOrNull(text: string | null | undefined): number | null {
  return text == null ? null : parseInstant(text);
}

/** The last time with a year of four digits. */
export const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The time in UTC. A time beyond {@link lastInstant}, which only an estimate reaches, is cut to {@link lastInstant}. */
export function formatInstant(ms: number): string {
  return new Date(Math.min(ms, lastInstant)).toISOString();
}

export function formatInstantOrNull(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms);
}

/** The milliseconds of an ISO 8601 duration in days, hours, minutes and seconds, such as `P7D`. */
export function durationMs(text: string): number {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (match === null) throw new Error(`not a supported duration: ${text}`);
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60_000 + (seconds ?? 0) * 1000;
}
