const REDACTED = "[redacted]";

/** Keys whose values are secret wherever they stand in a body. */
const SECRET_KEYS = ["client_secret", "access_token", "secret", "pairing_code"];
const SECRET_MEMBER = new RegExp(`("(?:${SECRET_KEYS.join("|")})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, "g");

/** Short values would take harmless text with them; real secrets are longer. */
const SHORTEST_SECRET = 6;

/**
 * Keeps secrets out of everything that is shown: values that it was told of, wherever they stand, and values
 * under keys that are secret by the interface (`client_secret`, `access_token`, `secret`, `pairing_code`).
 */
export class Redactor {
  readonly #secrets = new Set<string>();

  add(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets) if (secret && secret.length >= SHORTEST_SECRET) this.#secrets.add(secret);
  }

  knows(text: string): boolean {
    return this.#secrets.has(text);
  }

  text(text: string): string {
    let shown = text;
    for (const secret of this.#secrets) {
      shown = shown.replaceAll(secret, REDACTED);
      const encoded = encodeURIComponent(secret);
      if (encoded !== secret) shown = shown.replaceAll(encoded, REDACTED);
    }
    return shown;
  }

  body(text: string): string {
    return this.text(text.replace(SECRET_MEMBER, `$1"${REDACTED}"`));
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        name.toLowerCase() === "authorization" && this.text(value) !== value
          ? `Bearer ${REDACTED}`
          : this.text(value),
      ]),
    );
  }
}
