const REDACTED = "[redacted]";

/** Keys whose values are secret wherever they stand in a body. */
const SECRET_KEYS = ["client_secret", "access_token", "secret", "pairing_code"];
const SECRET_MEMBER = new RegExp(`("(?:${SECRET_KEYS.join("|")})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, "g");

/** Short values would take harmless text with them; real secrets are longer. */
const MIN_SECRET_CHARS = 6;

/**
 * Keeps secrets out of everything that is shown: values that it was told of, wherever they stand, and values
 * under keys that are secret by the interface (`client_secret`, `access_token`, `secret`, `pairing_code`).
 */
export class Redactor {
  readonly #secrets = new Set<string>();

  /** Without the beginnings of secrets that somebody else has cut; in one pass, since a photo may have megabytes. */
  #withoutBeginnings(text: string): string {
    const pieces = text.split("…");
    const last = pieces.pop() ?? "";
    return [...pieces.map((piece) => this.#withoutBeginning(piece)), last].join("…");
  }

  #withoutBeginning(piece: string): string {
    for (const secret of this.#secrets) {
      const longest = Math.min(secret.length, piece.length);
      for (let length = longest; length >= MIN_SECRET_CHARS; length -= 1) {
        if (piece.endsWith(secret.slice(0, length))) return piece.slice(0, -length) + REDACTED;
      }
    }
    return piece;
  }

  add(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets) if (secret && secret.length >= MIN_SECRET_CHARS) this.#secrets.add(secret);
  }

  /** Takes what stands under a secret's key in a target's answer for a secret, wherever it may be repeated. */
  learn(json: unknown): void {
    if (typeof json !== "object" || json === null) return;
    for (const [key, value] of Object.entries(json)) {
      if (SECRET_KEYS.includes(key) && typeof value === "string") this.add(value);
      else this.learn(value);
    }
  }

  knows(text: string): boolean {
    return this.#secrets.has(text);
  }

  text(text: string): string {
    let shown = text;
    for (const secret of this.#secrets) {
      // In an address, and in JSON; the second also as a part of JSON that stands in JSON.
      const inJson = JSON.stringify(secret).slice(1, -1);
      const encodings = [secret, encodeURIComponent(secret), inJson, JSON.stringify(inJson).slice(1, -1)];
      for (const encoded of new Set(encodings)) shown = shown.replaceAll(encoded, REDACTED);
    }
    return this.#withoutBeginnings(shown);
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
