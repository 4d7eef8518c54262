/** Members of bodies, and parameters of lists, that contain times. */
export const TIME_MEMBERS = ["ready_at", "scheduled_for"] as const;
export const TIME_PARAMETERS = ["from", "created_from", "created_to"] as const;

/**
 * ISO 8601 with an offset, including forms that some services reject: without seconds, with a space, +0300 or
 * +03.
 */
const LENIENT =
  /^(?<date>\d{4}-\d{2}-\d{2})[Tt ](?<minutes>\d{2}:\d{2})(?<seconds>:\d{2})?(?<fraction>[.,]\d+)?(?:(?<utc>[Zz])|(?<sign>[+-])(?<hours>\d{2})(?::?(?<offset>\d{2}))?)$/;

/** The number of decimals of a second that every service must accept. */
const MAX_DECIMALS = 9;

/** The time in RFC 3339, because which forms of ISO 8601 a service accepts is unspecified (OPEN-7). */
export function readableTime(text: string): string {
  const parts = LENIENT.exec(text)?.groups;
  if (parts === undefined) return text;
  const { date, minutes, seconds = ":00", fraction = "", utc, sign, hours, offset = "00" } = parts;
  const decimals = fraction.replace(",", ".").slice(0, MAX_DECIMALS + 1);
  return `${date}T${minutes}${seconds}${decimals}${utc === undefined ? `${sign}${hours}:${offset}` : "Z"}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A body with its times in RFC 3339. */
export function withReadableTimes(json: unknown): unknown {
  if (!isObject(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const isTime = TIME_MEMBERS.some((member) => member === name) && typeof value === "string";
      return [name, isTime ? readableTime(value) : value];
    }),
  );
}

/** A list request with its times in RFC 3339. */
export function withReadableParameters(query: URLSearchParams): URLSearchParams {
  const readable = new URLSearchParams(query);
  for (const name of TIME_PARAMETERS) {
    const value = readable.get(name);
    if (value !== null) readable.set(name, readableTime(value));
  }
  return readable;
}
