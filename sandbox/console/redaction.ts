/** Takes secrets out of what is kept of requests, before it is kept: by the names that they go under, and by their form. */

const REDACTED = "[redacted]";

const secretName =
  /secret|token(?!_type)|password|passwd|pairing_code|authorization|cookie|credential|api[-_]?key/i;

/** As credentials are made here: a client's secret, a token, a webhook's secret. */
const secretForms = /\b(?:cs|at)_[\w-]{20,}|\bwhsec_[\w+/=-]+|\bBearer +[\w.~+/=-]+/g;

/**
 * `"name": "value"` as far as it goes, which may be into the void where a body was cut or is broken. Names are no longer
 * than that: nothing is read again and again.
 */
const jsonMember = /("(?:[^"\\]|\\.){0,200}"\s*:\s*)("(?:[^"\\]|\\.)*(?:"|$)|[^\s",}\][{]+)/g;
/** `name=value`, as in forms and queries. */
const formMember = /([^&=?\s"{]{1,200})=([^&\s"]*)/g;

/** A body, or any text, otherwise as it came: with `known` secrets taken out wherever they stand. */
export function redactText(text: string, known: readonly string[] = []): string {
  const named = text
    .replace(jsonMember, (all, name: string) => (isSecretName(name) ? `${name}"${REDACTED}"` : all))
    .replace(formMember, (all, name: string) => (isSecretName(name) ? `${name}=${REDACTED}` : all));
  return [...known, ...nestedSecrets(text)]
    .reduce((left, secret) => left.replaceAll(secret, REDACTED), named)
    .replace(secretForms, REDACTED);
}

/** Headers as they may be shown; of credentials the scheme is left, which is what goes wrong most. */
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

/** What a request shows of its sender: its credential, which may stand elsewhere in it too. */
export function credentialsIn(authorization: string | undefined): string[] {
  const words = authorization?.trim().split(/\s+/) ?? [];
  // Short ones would be found all over the place, and protect nothing.
  return words.filter((word) => word.length >= 8);
}

/** A name may be written with escapes. */
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

/** Texts that lie deeper under a secret's name than right beside it. */
function nestedSecrets(text: string): string[] {
  if (!/^\s*[[{]/.test(text) || !secretName.test(text)) return [];
  const found: string[] = [];
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (secretName.test(name) && typeof value === "object") found.push(...textsIn(value));
      return value;
    });
  } catch {
    // It is no JSON, or lies so deep that nobody takes it.
  }
  return found;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value.length < 4 ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
