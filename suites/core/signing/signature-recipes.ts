import { createHmac } from "node:crypto";
import { isObject, parseJson } from "../json.ts";
import { keyOf, type SignedParts, signatureOf, signedText } from "./webhook-signing.ts";

interface Steps {
  readonly key: (secret: string) => string | Buffer;
  /** The sent and signed webhook-timestamp. */
  readonly stamp: (seconds: string) => string;
  /** The digest's input. Undefined if the recipe doesn't change it. */
  readonly text: (parts: SignedParts) => string | Buffer | undefined;
  readonly algorithm: string;
  /** The value of the header. */
  readonly write: (digest: Buffer, parts: SignedParts) => string;
}

/** A known wrong way to sign. */
export interface Recipe extends Partial<Steps> {
  /** Worded to follow "it is" and "it accepts events that are". */
  readonly signed: string;
  readonly fix: string;
  /** True if the recipe parses the body and serialises it again. */
  readonly reserialises?: boolean;
}

const PREFIX = "whsec_";
const DECODE = "the key is the base64 after whsec_, decoded";
const keys: readonly Recipe[] = [
  { signed: "signed with the secret's text", fix: DECODE, key: (secret) => secret },
  {
    signed: "signed with the secret's text without its prefix",
    fix: DECODE,
    key: (secret) => secret.slice(PREFIX.length),
  },
  {
    signed: "signed with the secret decoded together with its prefix",
    fix: "remove whsec_ before decoding the rest",
    key: (secret) => Buffer.from(secret, "base64"),
  },
  {
    signed: "signed with an empty key",
    fix: "it finds no secret: check where it reads the secret from",
    key: () => "",
  },
  {
    signed: 'signed with the text "undefined" as the key',
    fix: "it finds no secret: check where it reads the secret from",
    key: () => "undefined",
  },
];

const TEXT = "the signed text is {webhook-id}.{webhook-timestamp}.{body}";
/** A different composition of the signed text. */
const joined = (signed: string, before: (parts: SignedParts) => string): Recipe => ({
  signed,
  fix: TEXT,
  text: (parts) => Buffer.concat([Buffer.from(before(parts)), parts.body]),
});
const texts: readonly Recipe[] = [
  joined("signed without the webhook-id", ({ timestamp }) => `${timestamp}.`),
  joined("signed without the webhook-timestamp", ({ id }) => `${id}.`),
  joined("signed over the body alone", () => ""),
  joined(
    "signed with the webhook-timestamp before the webhook-id",
    ({ id, timestamp }) => `${timestamp}.${id}.`,
  ),
  joined("signed over id, timestamp and body joined by colons", ({ id, timestamp }) => `${id}:${timestamp}:`),
  joined(
    "signed over id, timestamp and body joined without a separator",
    ({ id, timestamp }) => `${id}${timestamp}`,
  ),
  joined(
    "signed over id, timestamp and body on separate lines",
    ({ id, timestamp }) => `${id}\n${timestamp}\n`,
  ),
  joined("signed with the timestamp in milliseconds", ({ id, timestamp }) => `${id}.${timestamp}000.`),
  {
    signed: "dated in milliseconds",
    fix: "webhook-timestamp is in Unix seconds",
    stamp: (seconds) => `${seconds}000`,
  },
];

export const RAW_BYTES_ADVICE = "verify the bytes as they were received, before any parser";
/** A changed body. If its bytes are equal, the recipe can't be detected. */
const rewritten = (how: string, rewrite: (body: Buffer) => string | Buffer | undefined): Recipe => ({
  signed: `signed over the body ${how}`,
  fix: RAW_BYTES_ADVICE,
  text({ id, timestamp, body }) {
    const written = rewrite(Buffer.from(body));
    if (written === undefined || Buffer.from(written).equals(body)) return undefined;
    return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(written)]);
  },
});
/** A body that was parsed and serialised in another style. */
const reserialised = (style: string, write: (value: unknown) => string): Recipe => ({
  ...rewritten(style, (body) => {
    const value = parseJson(body.toString());
    return value === undefined ? undefined : write(value);
  }),
  reserialises: true,
});
const escaped = (text: string, which: RegExp): string =>
  text.replaceAll(which, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const inAscii = (text: string): string => escaped(text, /[^\0-\x7f]/g);
/** PHP's escapes: even JSON_UNESCAPED_UNICODE escapes U+2028 and U+2029. */
const escapedAsInPhp = (text: string): string => escaped(text, /[\u2028\u2029]/g);
const onOneLine = (value: unknown): string => JSON.stringify(value);
/** On one line, with a space after commas and colons. */
const spaced = (value: unknown): string =>
  JSON.stringify(value, null, 1).replaceAll(/,\n */g, ", ").replaceAll(/\n */g, "");
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
const bodies: readonly Recipe[] = [
  reserialised("after parsing and serialising it again", onOneLine),
  reserialised("as Python serialises it", (value) => inAscii(spaced(value))),
  reserialised("as PHP serialises it", (value) => inAscii(onOneLine(value)).replaceAll("/", "\\/")),
  reserialised("as PHP serialises it with JSON_UNESCAPED_UNICODE", (value) =>
    escapedAsInPhp(onOneLine(value)).replaceAll("/", "\\/"),
  ),
  reserialised("as PHP serialises it with JSON_UNESCAPED_SLASHES and JSON_UNESCAPED_UNICODE", (value) =>
    escapedAsInPhp(onOneLine(value)),
  ),
  reserialised("serialised again with spaces after commas and colons", spaced),
  reserialised("serialised again in ASCII, as PHP does with JSON_UNESCAPED_SLASHES", (value) =>
    inAscii(onOneLine(value)),
  ),
  reserialised("serialised again with its members sorted", (value) => onOneLine(sorted(value))),
  reserialised("serialised again on several lines", (value) => JSON.stringify(value, null, 2)),
  rewritten("with an additional line end", (body) => `${body}\n`),
  rewritten("without surrounding white space", (body) => body.toString().trim()),
  rewritten("without its line ends", (body) => body.toString().replaceAll(/\r?\n/g, "")),
  rewritten("with other line ends", (body) => body.toString().replaceAll("\r\n", "\n")),
  rewritten("read as Latin-1", (body) => body.toString("latin1")),
  rewritten("decoded to text, of which each character is cut to one byte", (body) =>
    Buffer.from(body.toString(), "latin1"),
  ),
  rewritten("read as ASCII, with ? for each other letter", (body) =>
    body.toString().replaceAll(/[^\0-\x7f]/gu, "?"),
  ),
  rewritten("read as ASCII, with ? for each byte of another letter", (body) =>
    body.toString("latin1").replaceAll(/[^\0-\x7f]/g, "?"),
  ),
  rewritten("read as ASCII, with U+FFFD for each byte of another letter", (body) =>
    body.toString("latin1").replaceAll(/[^\0-\x7f]/g, "\ufffd"),
  ),
  rewritten("read as ASCII, without all other letters", (body) =>
    body.toString().replaceAll(/[^\0-\x7f]/gu, ""),
  ),
];

/** Recipes of senders that escape or unescape letters after they have signed the body. */
const escapes: readonly Recipe[] = [
  rewritten("with letters instead of its \\u escapes", (body) =>
    body
      .toString()
      .replaceAll(/\\u([0-9a-f]{4})/gi, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16))),
  ),
  rewritten("with \\u escapes instead of its letters", (body) => inAscii(body.toString())),
];

const inUrls = (digest: Buffer): string =>
  digest.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
/** A different encoding of the digest in the header. */
const written = (signed: string, write: Steps["write"]): Recipe => ({
  signed,
  fix: "an entry of webhook-signature is v1, and the base64 of the digest",
  write,
});
const forms: readonly Recipe[] = [
  written("signed in hex", (digest) => `v1,${digest.toString("hex")}`),
  written("signed in base64url", (digest) => `v1,${inUrls(digest)}`),
  written("signed in base64url without padding", (digest) => `v1,${digest.toString("base64url")}`),
  written("signed without v1, before the digest", (digest) => digest.toString("base64")),
  written("signed in hex without v1, before the digest", (digest) => digest.toString("hex")),
  written("signed in the form sha256=<hex>", (digest) => `sha256=${digest.toString("hex")}`),
  written(
    "signed in the form t=<timestamp>,v1=<hex>",
    (digest, { timestamp }) => `t=${timestamp},v1=${digest.toString("hex")}`,
  ),
];

const algorithms: readonly Recipe[] = ["sha1", "sha512"].map((algorithm) => ({
  signed: `signed with HMAC-${algorithm.toUpperCase()}`,
  fix: "the algorithm is HMAC-SHA256",
  algorithm,
}));

/** Two combined mistakes. */
const both = (one: Recipe, other: Recipe): Recipe => ({
  ...one,
  ...other,
  signed: `${one.signed}, and ${other.signed.replace(/^signed /, "")}`,
  fix: `${one.fix}; ${other.fix}`,
});

/** Recipes with one mistake, likeliest first. */
const SINGLE: readonly Recipe[] = [...keys, ...texts, ...forms, ...bodies, ...algorithms];

/** Common wrong recipes, likeliest first, then combinations of a wrong key and a wrong form. */
export const RECIPES: readonly Recipe[] = [
  ...SINGLE,
  ...keys.flatMap((key) => forms.map((form) => both(key, form))),
];

/** All recipes. The additional combinations of two mistakes are too many to try on a receiver. */
const ALL_RECIPES: readonly Recipe[] = [
  ...RECIPES,
  ...escapes,
  ...[...keys, ...forms, ...algorithms].flatMap((one) =>
    [...texts, ...bodies].map((text) => both(one, text)),
  ),
  ...[...keys, ...forms].flatMap((one) => algorithms.map((algorithm) => both(one, algorithm))),
];

const CORRECT_STEPS: Steps = {
  key: keyOf,
  stamp: (seconds) => seconds,
  text: signedText,
  algorithm: "sha256",
  write: (digest) => `v1,${digest.toString("base64")}`,
};

interface SignedHeaders {
  readonly timestamp: string;
  readonly signature: string;
}

function applied(recipe: Partial<Steps>, parts: SignedParts, secret: string): SignedHeaders | undefined {
  const { key, stamp, text, algorithm, write } = { ...CORRECT_STEPS, ...recipe };
  const timestamp = stamp(parts.timestamp ?? "");
  const signed = text({ ...parts, timestamp });
  if (signed === undefined) return undefined;
  const digest = createHmac(algorithm, key(secret)).update(signed).digest();
  return { timestamp, signature: write(digest, { ...parts, timestamp }) };
}

/**
 * The headers of a recipe.
 * @returns undefined if they equal the correct ones
 */
export function signedBy(recipe: Recipe, parts: SignedParts, secret: string): SignedHeaders | undefined {
  const made = applied(recipe, parts, secret);
  return made?.signature === signatureOf(keyOf(secret), parts) ? undefined : made;
}

/** Recipes with a timestamp in milliseconds. */
const MILLISECONDS: readonly Recipe[] = Array.from({ length: 1000 }, (_, fraction) =>
  joined(
    "signed with the timestamp in milliseconds",
    ({ id, timestamp }) => `${id}.${timestamp}${String(fraction).padStart(3, "0")}.`,
  ),
);

/** A secret that the sender may have used by mistake, with its owner, worded to follow "with". */
export interface OtherSecret {
  readonly secret: string;
  readonly whose: string;
}

/**
 * Finds the wrong recipe of a signature.
 * @param header the received webhook-signature
 * @param secret the endpoint's secret
 */
export function recipeOf(
  header: string,
  parts: SignedParts,
  secret: string,
  others: readonly OtherSecret[] = [],
): Pick<Recipe, "signed" | "fix"> | undefined {
  const received = new Set([header, ...header.split(" ")]);
  const matches = (recipe: Partial<Steps>, key: string) => {
    const made = applied({ ...recipe, stamp: CORRECT_STEPS.stamp }, parts, key);
    return made !== undefined && received.has(made.signature);
  };
  const other = others.find((one) => matches({}, one.secret));
  if (other) {
    return { signed: `signed with ${other.whose}`, fix: "each endpoint has its own secret" };
  }
  return [...ALL_RECIPES, ...MILLISECONDS].find((recipe) => matches(recipe, secret));
}
