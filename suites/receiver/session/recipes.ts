import { createHmac } from "node:crypto";
import { isObject, parseJson } from "../../core/json.ts";
import { type Attempt, keyOf, signedWith } from "./attempt.ts";

/** What a signature is made of: each step is one that receivers get wrong. */
interface Steps {
  readonly key: (secret: string) => string | Buffer;
  /** The webhook-timestamp that is sent, and signed. */
  readonly stamp: (seconds: string) => string;
  /** What the digest is over; undefined where it is the same as in the right recipe. */
  readonly text: (attempt: Attempt) => string | Buffer | undefined;
  readonly algorithm: string;
  /** The header's text. */
  readonly write: (digest: Buffer, attempt: Attempt) => string;
}

/** A wrong way to sign that receivers are known to expect. */
export interface Recipe extends Partial<Steps> {
  /** Follows "it takes events that are". */
  readonly signed: string;
  /** What to do about it. */
  readonly mend: string;
}

const PREFIX = "whsec_";
const DECODE = "the key is the base64 after whsec_, decoded";
const keys: readonly Recipe[] = [
  { signed: "signed with the secret's text", mend: DECODE, key: (secret) => secret },
  {
    signed: "signed with the secret's text without its prefix",
    mend: DECODE,
    key: (secret) => secret.slice(PREFIX.length),
  },
  {
    signed: "signed with the secret decoded together with its prefix",
    mend: "take whsec_ off before the rest is decoded",
    key: (secret) => Buffer.from(secret, "base64"),
  },
  {
    signed: "signed with an empty key",
    mend: "it finds no secret: see where it reads it from",
    key: () => "",
  },
  {
    signed: 'signed with the text "undefined" as the key',
    mend: "it finds no secret: see where it reads it from",
    key: () => "undefined",
  },
];

const TEXT = "the signed text is {webhook-id}.{webhook-timestamp}.{body}";
/** The signed text put together in another way. */
const joined = (signed: string, before: (attempt: Attempt) => string): Recipe => ({
  signed,
  mend: TEXT,
  text: (attempt) => Buffer.concat([Buffer.from(before(attempt)), attempt.body]),
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
  joined("signed over id, timestamp and body joined by nothing", ({ id, timestamp }) => `${id}${timestamp}`),
  joined(
    "signed over id, timestamp and body on lines of their own",
    ({ id, timestamp }) => `${id}\n${timestamp}\n`,
  ),
  joined("signed with the timestamp in milliseconds", ({ id, timestamp }) => `${id}.${timestamp}000.`),
  {
    signed: "dated in milliseconds",
    mend: "webhook-timestamp holds Unix seconds",
    stamp: (seconds) => `${seconds}000`,
  },
];

const RAW = "verify the bytes as they were received, before any parser";
/** The body written anew before it is signed; the same bytes as before tell nothing. */
const rewritten = (how: string, rewrite: (body: Buffer) => string | Buffer | undefined): Recipe => ({
  signed: `signed over the body ${how}`,
  mend: RAW,
  text({ id, timestamp, body }) {
    const written = rewrite(body);
    if (written === undefined || Buffer.from(written).equals(body)) return undefined;
    return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(written)]);
  },
});
/** The body parsed, and written anew in a style of its own. */
const anew = (style: string, write: (value: unknown) => string): Recipe =>
  rewritten(style, (body) => {
    const value = parseJson(body.toString());
    return value === undefined ? undefined : write(value);
  });
const inAscii = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
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
  anew("as it is when it was parsed and written anew", onOneLine),
  anew("as Python writes it anew", (value) => inAscii(spaced(value))),
  anew("as PHP writes it anew", (value) => inAscii(onOneLine(value)).replaceAll("/", "\\/")),
  anew("written anew with spaces after commas and colons", spaced),
  anew("written anew in ASCII", (value) => inAscii(onOneLine(value))),
  anew("written anew with its members sorted", (value) => onOneLine(sorted(value))),
  anew("written anew over several lines", (value) => JSON.stringify(value, null, 2)),
  rewritten("with a line end after it", (body) => `${body}\n`),
  rewritten("without the white space around it", (body) => body.toString().trim()),
  rewritten("without its line ends", (body) => body.toString().replaceAll(/\r?\n/g, "")),
  rewritten("with other line ends", (body) => body.toString().replaceAll("\r\n", "\n")),
  rewritten("read as Latin-1", (body) => body.toString("latin1")),
];

const inUrls = (digest: Buffer): string =>
  digest.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
/** The digest written into the header in another way. */
const written = (signed: string, write: Steps["write"]): Recipe => ({
  signed,
  mend: "an entry of webhook-signature is v1, and the base64 of the digest",
  write,
});
const forms: readonly Recipe[] = [
  written("signed in hex", (digest) => `v1,${digest.toString("hex")}`),
  written("signed in the base64 of URLs", (digest) => `v1,${inUrls(digest)}`),
  written("signed in the base64 of URLs without padding", (digest) => `v1,${digest.toString("base64url")}`),
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
  mend: "the algorithm is HMAC-SHA256",
  algorithm,
}));

/** Two mistakes at once. */
const both = (one: Recipe, other: Recipe): Recipe => ({
  ...one,
  ...other,
  signed: `${one.signed}, and ${other.signed.replace(/^signed /, "")}`,
  mend: `${one.mend}; ${other.mend}`,
});

/** The usual wrong recipes, the likeliest first; then wrong keys in wrong forms. */
export const RECIPES: readonly Recipe[] = [
  ...keys,
  ...texts,
  ...forms,
  ...bodies,
  ...algorithms,
  ...keys.flatMap((key) => forms.map((form) => both(key, form))),
];

const RIGHT: Steps = {
  key: keyOf,
  stamp: (seconds) => seconds,
  text: ({ id, timestamp, body }) => Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]),
  algorithm: "sha256",
  write: (digest) => `v1,${digest.toString("base64")}`,
};

/**
 * The attempt as the recipe signs it.
 * @returns undefined where that is how it should be, so that it tells nothing
 */
export function signedBy(recipe: Recipe, attempt: Attempt, secret: string): Attempt | undefined {
  const { key, stamp, text, algorithm, write } = { ...RIGHT, ...recipe };
  const stamped = { ...attempt, timestamp: stamp(attempt.timestamp ?? "") };
  const signed = text(stamped);
  if (signed === undefined) return undefined;
  const digest = createHmac(algorithm, key(secret)).update(signed).digest();
  const signature = write(digest, stamped);
  return signature === signedWith(keyOf(secret), attempt).signature ? undefined : { ...stamped, signature };
}
