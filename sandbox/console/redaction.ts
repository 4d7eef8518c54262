/** Redacts secrets in logged requests, by their names and by their form. */

const REDACTED = "[redacted]";

const secretName =
  /secret|token(?!_type)|password|passwd|pairing_code|authorization|cookie|credential|api[-_]?key/i;

/** The forms of this server's credentials: client secret, token, webhook secret. */
const secretForms = /\b(?:cs|at)_[\w-]{20,}|\bwhsec_[\w+/=-]+|\bBearer +[\w.~+/=-]+/g;

/**
 * `"name": "value"`. The end may be missing, because bodies are cut or malformed. The name's length is
 * bounded, so that matching takes linear time.
 */
const jsonMember = /("(?:[^"\\]|\\.){0,200}"\s*:\s*)("(?:[^"\\]|\\.)*(?:"|$)|[^\s",}\][{]+)/g;
/** `name=value` in forms and queries. */
const formMember = /([^&=?\s"{]{1,200})=([^&\s"]*)/g;

/** The text with redacted secrets. Secrets in `known` are redacted wherever they occur. */
export function redactText(text: string, known: readonly string[] = []): string {
  const named = text
    .replace(jsonMember, (all, name: string) => (isSecretName(name) ? `${name}"${REDACTED}"` : all))
    .replace(formMember, (all, name: string) => (isSecretName(name) ? `${name}=${REDACTED}` : all));
  return [...known, ...nestedSecrets(text)]
    .reduce((left, secret) => left.replaceAll(secret, REDACTED), named)
    .replace(secretForms, REDACTED);
}

/**
 * Headers for display. Credentials are reduced to their scheme, because a wrong scheme is the most frequent
 * mistake.
 */
export function redactHeaders(
  headers: Readonly<Record<string, string | number | readonly string[] | undefined>>,
  known: readonly string[] = [],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const text = Array.isArray(value) ? value.join(", ") : String(value);
      if (!secretName.test(name)) return [[name, redactText(text, known)]];
      const scheme = /^(Bearer|Basic|Digest)\s/i.exec(text)?.[1];
      return [[name, scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`]];
    }),
  );
}

/** The credentials in an Authorization header, which may also occur elsewhere in the request. */
export function credentialsIn(authorization: string | undefined): string[] {
  const words = authorization?.trim().split(/\s+/) ?? [];
  // Shorter words would match unrelated text.
  return words.filter((word) => word.length >= 8);
}

/** True for the name of a secret, which may contain JSON escapes. */
function isSecretName(name: string): boolean {
  const written = name.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const plain = decoded(written);
  return secretName.test(plain);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The strings within a JSON value whose name is that of a secret. */
function nestedSecrets(text: string): string[] {
  if (!/^\s*[[{]/.test(text) || !secretName.test(text)) return [];
  const found: string[] = [];
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (secretName.test(name) && typeof value === "object") found.push(...textsIn(value));
      return value;
    });
  } catch {
    // The JSON is invalid, or nested too deeply to be accepted.
  }
  return found;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value.length < 4 ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
