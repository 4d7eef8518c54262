import { BeginningsFilter } from "./beginnings-filter.ts";
import { readings, unescaped } from "./unescaped.ts";

const REDACTED = "[redacted]";

/** Keys whose values are secret anywhere in a body. */
const SECRET_KEYS = ["client_secret", "access_token", "secret", "pairing_code"];
/** Longer values are no secrets, and an expression can't process values of any length. */
const MAX_SECRET_CHARS = 8_192;
const SECRET_MEMBER = new RegExp(
  `("(?:${SECRET_KEYS.join("|")})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.){0,${MAX_SECRET_CHARS}}(?:"|$)`,
  "g",
);

/** Short values would take harmless text with them; real secrets are longer. */
const MIN_SECRET_CHARS = 6;
/** Minimum length from which the beginning of a secret counts as one, if no mark says that it was cut. */
const MIN_CUT_CHARS = 16;
const CUT_MARK = "…";
/** A shorter piece could occur in base64 of any text. */
const MIN_ENCODED_CHARS = 8;

/** Limit for learned secrets: a target may give out any number, and a run requests some hundreds. */
const MAX_LEARNED = 5_000;
/**
 * True if a value that a target calls secret may be one: no word, no number and nothing that every answer contains,
 * whose redaction would remove the target's evidence.
 */
function hasFormOfSecret(text: string): boolean {
  const hasDigit = /\d/.test(text);
  const [hasLower, hasUpper] = [/[a-z]/.test(text), /[A-Z]/.test(text)];
  return text.length >= MIN_CUT_CHARS
    ? /^[\x21-\x7e]+$/.test(text) && (hasDigit || (hasLower && hasUpper))
    : /^[\w-]{6,}$/.test(text) && ((hasDigit && (hasLower || hasUpper)) || IN_GROUPS.test(text));
}

/** As codes are written that people read to each other. */
const IN_GROUPS = /^[A-Z\d]{3,}(?:-[A-Z\d]{3,})+$/;
const SIGNING_PREFIX = "whsec_";

const BASE64_BITS = 6;

/** The base64 of the text that is independent of the bytes around it, for each offset in a group of three bytes. */
function base64Cores(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]);
    // The first and the last letter may hold bits of a neighbour.
    const first = Math.ceil((before * 8) / BASE64_BITS);
    const last = Math.floor((encoded.length * 8) / BASE64_BITS);
    return (["base64", "base64url"] as const).map((kind) => encoded.toString(kind).slice(first, last));
  });
}

/** ASCII letters alone: the case of others changes lengths. */
const foldCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** In hexadecimal digits, also as a program prints bytes. */
function hexForms(secret: string): readonly string[] {
  const hex = Buffer.from(secret).toString("hex");
  return [hex, hex.replace(/..(?!$)/g, "$& ")];
}

/** True for a secret of one word, which other texts may write in another case: only its exact case is redacted. */
const isWord = (secret: string): boolean => /^(?:[A-Z]+|[a-z]+)$/.test(secret);

/** The ways in which a secret may be written, without escapes and case. */
function formsOf(secret: string): ReadonlySet<string> {
  const bytes = Buffer.from(secret).toString("latin1");
  const inJson = JSON.stringify(secret).slice(1, -1);
  const plain = [secret, bytes, inJson, ...(secret.startsWith(SIGNING_PREFIX) ? [secret.slice(6)] : [])];
  const once = secret.length >= MIN_ENCODED_CHARS ? base64Cores(secret) : [];
  const encoded = [...once, ...once.flatMap(base64Cores), ...(once.length > 0 ? hexForms(secret) : [])];
  const forms = [...plain, ...encoded].map((form) => foldCase(unescaped(form).text));
  return new Set(forms.filter((form) => form.length >= MIN_SECRET_CHARS));
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Redacts secrets from all output: registered values anywhere, however escaped or encoded, and values under keys that
 * the interface makes secret (`client_secret`, `access_token`, `secret`, `pairing_code`).
 */
export class Redactor {
  readonly #secrets = new Set<string>();
  /** Forms by their first letters, so that one pass over a text suffices for any number of secrets. */
  readonly #forms = new Map<string, Set<string>>();
  /** Words that are secrets, by the form that they have in a text without case. */
  readonly #words = new Map<string, string>();
  readonly #heads = new BeginningsFilter(MIN_SECRET_CHARS);
  /** Tokens in use that are too short or too plain to be redacted in texts. */
  readonly #plainTokens = new Set<string>();
  #learned = 0;

  add(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets) {
      if (!secret || secret.length < MIN_SECRET_CHARS || this.#secrets.has(secret)) continue;
      this.#secrets.add(secret);
      if (isWord(secret)) this.#words.set(foldCase(secret), secret);
      for (const form of formsOf(secret)) {
        const head = form.slice(0, MIN_SECRET_CHARS);
        const alike = this.#forms.get(head) ?? new Set();
        this.#forms.set(head, alike.add(form));
        this.#heads.add(head);
      }
    }
  }

  /**
   * Registers a value that a target gave out as a secret, if it has the form of one. Otherwise a target that calls
   * `answered` its secret would remove that word from all of its evidence. Such a value is redacted in headers alone.
   */
  learn(secret: unknown): void {
    if (typeof secret !== "string" || secret.length > MAX_SECRET_CHARS || this.knows(secret)) return;
    if (this.#learned >= MAX_LEARNED) return;
    this.#learned += 1;
    if (hasFormOfSecret(secret)) this.add(secret);
    else this.#plainTokens.add(secret);
  }

  knows(text: string): boolean {
    return this.#secrets.has(text) || this.#plainTokens.has(text);
  }

  text(text: string): string {
    if (this.#forms.size === 0) return text;
    const ranges = readings(text).flatMap(({ text: read, start, end }) =>
      Array.from(this.#rangesIn(foldCase(read)))
        .filter(({ from, to }) => this.#isItsCase(read.slice(from, to)))
        .map(({ from, to }) => ({ from: start(from), to: end(to - 1) })),
    );
    const pieces: string[] = [];
    let shownTo = 0;
    for (const { from, to } of ranges.sort((a, b) => a.from - b.from)) {
      // Secrets that overlap, as one that is a part of another does.
      if (from >= shownTo) pieces.push(text.slice(shownTo, from), REDACTED);
      shownTo = Math.max(shownTo, to);
    }
    return [...pieces, text.slice(shownTo)].join("");
  }

  #isItsCase(found: string): boolean {
    const word = this.#words.get(foldCase(found));
    return word === undefined || word === found;
  }

  /** Positions of secrets, and of beginnings of secrets that were cut elsewhere, in ascending order. */
  *#rangesIn(text: string): Generator<Range> {
    for (const from of this.#heads.placesIn(text)) {
      const forms = this.#forms.get(text.slice(from, from + MIN_SECRET_CHARS));
      if (!forms) continue;
      let longest = 0;
      for (const form of forms) longest = Math.max(longest, matched(text, from, form));
      if (longest > 0) yield { from, to: from + longest };
    }
  }

  body(text: string): string {
    return this.text(text.replace(SECRET_MEMBER, `$1"${REDACTED}"`));
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        name.toLowerCase() === "authorization" && this.#standsIn(value)
          ? `Bearer ${REDACTED}`
          : this.text(value),
      ]),
    );
  }

  #standsIn(authorization: string): boolean {
    return this.text(authorization) !== authorization || this.knows(authorization.replace(/^\S+ +/, ""));
  }
}

/** Number of characters of a secret that match at a position of a text; 0 if they are too few. */
function matched(text: string, from: number, form: string): number {
  let length = MIN_SECRET_CHARS;
  while (length < form.length && text[from + length] === form[length]) length += 1;
  const isWhole = length === form.length;
  const isCut = length >= MIN_CUT_CHARS || text.startsWith(CUT_MARK, from + length);
  return isWhole || isCut ? length : 0;
}
