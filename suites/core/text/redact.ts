import { PrefixFilter } from "./prefix-filter.ts";
import { decodings, unescaped } from "./unescaped.ts";

/** Members whose values are secret anywhere in a body. */
const SECRET_KEYS = ["client_secret", "access_token", "secret", "pairing_code"];
/** Longer values aren't secrets, and would slow down the search. */
const MAX_SECRET_CHARS = 8_192;
/** A secret member in JSON. At the end of a text, its value may be cut. */
const SECRET_MEMBER = new RegExp(
  `("(?:${SECRET_KEYS.join("|")})"\\s*:\\s*)"((?:[^"\\\\]|\\\\.){0,${MAX_SECRET_CHARS}})(?:"|$)`,
  "g",
);

/** The text with `shown` instead of the value of each secret member. */
const withoutSecretMembers = (text: string, shown: string): string =>
  text.replace(SECRET_MEMBER, `$1"${shown}"`);

function unquoted(value: string): string {
  try {
    return JSON.parse(`"${value}"`);
  } catch {
    return value;
  }
}

/** The values of all secret members in a text, even if it isn't valid JSON or is cut. */
const secretMembersIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(SECRET_MEMBER), ([, , value = ""]) => unquoted(value));

const REDACTED = "[redacted]";

/** Shorter values would match harmless text. Real secrets are longer. */
const MIN_SECRET_CHARS = 6;
/** The minimum length of a secret's beginning that is redacted without an ellipsis. */
const MIN_CUT_CHARS = 16;
const CUT_MARK = "…";
/** A shorter piece could occur in the base64 of unrelated text. */
const MIN_ENCODED_CHARS = 8;

/** Bounds for learned secrets. All encoded forms of a secret take twenty times its size. */
class LearningBudget {
  #left: number;
  #charsLeft: number;

  constructor(secrets: number, chars: number) {
    this.#left = secrets;
    this.#charsLeft = chars;
  }

  /** False if the budget is used up. */
  spend(chars: number): boolean {
    if (this.#left <= 0 || this.#charsLeft <= 0) return false;
    this.#left -= 1;
    this.#charsLeft -= chars;
    return true;
  }
}

/**
 * True if a value that the target calls a secret looks like one. Redacting an ordinary word or a number would
 * remove evidence.
 */
function hasFormOfSecret(text: string): boolean {
  const hasDigit = /\d/.test(text);
  const [hasLower, hasUpper] = [/[a-z]/.test(text), /[A-Z]/.test(text)];
  return text.length >= MIN_CUT_CHARS
    ? /^[\x21-\x7e]+$/.test(text) && (hasDigit || (hasLower && hasUpper))
    : /^[\w-]{6,}$/.test(text) && ((hasDigit && (hasLower || hasUpper)) || IN_GROUPS.test(text));
}

/** The form of codes in groups, such as ABC-DEF-123. */
const IN_GROUPS = /^[A-Z\d]{3,}(?:-[A-Z\d]{3,})+$/;
const SIGNING_PREFIX = "whsec_";

const BASE64_BITS = 6;

/** The parts of a text's base64 that don't depend on adjacent bytes, for each offset in a group of three. */
function base64Cores(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]);
    // The first and last characters may contain bits of adjacent bytes.
    const first = Math.ceil((before * 8) / BASE64_BITS);
    const last = Math.floor((encoded.length * 8) / BASE64_BITS);
    return (["base64", "base64url"] as const).map((kind) => encoded.toString(kind).slice(first, last));
  });
}

/** Letters whose lower case has another length or depends on the next letter. */
const UNEVEN = /[İΣ]/;

/** Lower case without a change of positions. */
const foldCase = (text: string): string =>
  UNEVEN.test(text) ? text.replace(/[^İΣ]+/g, (letters) => letters.toLowerCase()) : text.toLowerCase();

/** In hexadecimal, with and without separators. */
function hexForms(secret: string): readonly string[] {
  const hex = Buffer.from(secret).toString("hex");
  return [hex, hex.replace(/..(?!$)/g, "$& ")];
}

/** True for a secret that is a single word. Only its exact case is redacted. */
const isWord = (secret: string): boolean => /^(?:[A-Z]+|[a-z]+)$/.test(secret);

/** The encodings of a secret, apart from escapes and case. */
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
  /** Encoded secrets by their first letters. One pass over a text finds all of them. */
  readonly #forms = new Map<string, Set<string>>();
  /** Secrets that are single words, by their lower case. */
  readonly #words = new Map<string, string>();
  readonly #heads = new PrefixFilter(MIN_SECRET_CHARS);
  /** Tokens that are too short or too common to redact in text. */
  readonly #plainTokens = new Set<string>();
  /** Bounds for secrets that the suite requested. A run requests some hundreds. */
  readonly #requested = new LearningBudget(5_000, 4 * 1024 * 1024);
  /** Bounds for secrets found in any response, so that a flood of them leaves room for requested secrets. */
  readonly #found = new LearningBudget(5_000, 1024 * 1024);

  add(...secrets: readonly (string | undefined)[]): void {
    for (const secret of secrets) {
      if (!secret || secret.length < MIN_SECRET_CHARS || this.#secrets.has(secret)) continue;
      this.#secrets.add(secret);
      if (isWord(secret)) this.#words.set(foldCase(secret), secret);
      for (const form of formsOf(secret)) {
        const head = form.slice(0, MIN_SECRET_CHARS);
        const sameBeginning = this.#forms.get(head) ?? new Set();
        this.#forms.set(head, sameBeginning.add(form));
        this.#heads.add(head);
      }
    }
  }

  /**
   * Registers a value that the target calls a secret, if it looks like one. Otherwise a target whose secret
   * is an ordinary word would remove that word from all evidence. Such a value is only redacted in headers.
   */
  learn(secret: unknown): void {
    if (typeof secret === "string") this.#learn(secret, this.#requested);
  }

  /** Registers the values of all secret members in received text, even if it isn't valid JSON or is cut. */
  learnFrom(text: string): void {
    for (const secret of secretMembersIn(text)) this.#learn(secret, this.#found);
  }

  #learn(secret: string, budget: LearningBudget): void {
    if (secret === "" || secret.length > MAX_SECRET_CHARS || this.knows(secret)) return;
    if (!budget.spend(secret.length)) return;
    if (hasFormOfSecret(secret)) this.add(secret);
    else this.#plainTokens.add(secret);
  }

  knows(text: string): boolean {
    return this.#secrets.has(text) || this.#plainTokens.has(text);
  }

  text(text: string): string {
    if (this.#forms.size === 0 || text.length < MIN_SECRET_CHARS) return text;
    const ranges = decodings(text).flatMap(({ text: read, start, end }) =>
      Array.from(this.#rangesIn(foldCase(read)))
        .filter(({ from, to }) => this.#isItsCase(read.slice(from, to)))
        .map(({ from, to }) => ({ from: start(from), to: end(to - 1) })),
    );
    const pieces: string[] = [];
    let shownTo = 0;
    for (const { from, to } of ranges.sort((a, b) => a.from - b.from)) {
      // Overlapping secrets, for example if one is part of another.
      if (from >= shownTo) pieces.push(text.slice(shownTo, from), REDACTED);
      shownTo = Math.max(shownTo, to);
    }
    return [...pieces, text.slice(shownTo)].join("");
  }

  #isItsCase(found: string): boolean {
    const word = this.#words.get(foldCase(found));
    return word === undefined || word === found;
  }

  /** The positions of secrets and of beginnings of cut secrets, in ascending order. */
  *#rangesIn(text: string): Generator<Range> {
    for (const from of this.#heads.positionsIn(text)) {
      const forms = this.#forms.get(text.slice(from, from + MIN_SECRET_CHARS));
      if (!forms) continue;
      let longest = 0;
      for (const form of forms) longest = Math.max(longest, matched(text, from, form));
      if (longest > 0) yield { from, to: from + longest };
    }
  }

  body(text: string): string {
    return this.text(withoutSecretMembers(text, REDACTED));
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        name.toLowerCase() === "authorization" && this.#isSecret(value)
          ? `Bearer ${REDACTED}`
          : this.text(value),
      ]),
    );
  }

  #isSecret(authorization: string): boolean {
    return this.text(authorization) !== authorization || this.knows(authorization.replace(/^\S+ +/, ""));
  }
}

/** The number of a secret's characters that match at a position; 0 for too few. */
function matched(text: string, from: number, form: string): number {
  let length = MIN_SECRET_CHARS;
  while (length < form.length && text[from + length] === form[length]) length += 1;
  const isWhole = length === form.length;
  const isCut = length >= MIN_CUT_CHARS || text.startsWith(CUT_MARK, from + length);
  return isWhole || isCut ? length : 0;
}
