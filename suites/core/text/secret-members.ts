/** Members whose values are secret anywhere in a body. */
const SECRET_KEYS = ["client_secret", "access_token", "secret", "pairing_code"];
/** Longer values aren't secrets, and would slow down the search. */
export const MAX_SECRET_CHARS = 8_192;
/** A secret member in JSON. At the end of a text, its value may be cut. */
const SECRET_MEMBER = new RegExp(
  `("(?:${SECRET_KEYS.join("|")})"\\s*:\\s*)"((?:[^"\\\\]|\\\\.){0,${MAX_SECRET_CHARS}})(?:"|$)`,
  "g",
);

/** The text with `shown` instead of the value of each secret member. */
export const withoutSecretMembers = (text: string, shown: string): string =>
  text.replace(SECRET_MEMBER, `$1"${shown}"`);

function unquoted(value: string): string {
  try {
    return JSON.parse(`"${value}"`);
  } catch {
    return value;
  }
}

/** The values of all secret members in a text, even if it isn't valid JSON or is cut. */
export const secretMembersIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(SECRET_MEMBER), ([, , value = ""]) => unquoted(value));
