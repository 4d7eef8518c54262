/** Whether a value is a JSON object: arrays and null are none. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a text holds as JSON; undefined where it holds none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A member of parsed JSON, through objects by name; undefined where it isn't there. */
export const member = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((here, key) => (isObject(here) ? here[key] : undefined), value);

export const textMember = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = member(value, ...path);
  return typeof found === "string" ? found : undefined;
};
