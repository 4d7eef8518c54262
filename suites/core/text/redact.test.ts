import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Redactor } from "./redact.ts";

const SECRET = `s"e\\c/r et+42`;
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJwb3MifQ.c2lnbmF0dXJl";

const redactor = () => {
  const redact = new Redactor();
  redact.add(SECRET, TOKEN);
  return redact;
};

test.each([
  ["as it is", SECRET],
  ["in an address", `https://x.example/?q=${encodeURIComponent(SECRET)}`],
  ["in JSON", JSON.stringify({ debug: SECRET })],
  ["in JSON in JSON", JSON.stringify({ log: JSON.stringify({ debug: SECRET }) })],
])("a secret %s is redacted", (_, text) => {
  const shown = redactor().text(text);
  expect(shown).toContain("[redacted]");
  expect(shown).not.toMatch(/s.{0,3}"e|c\/r|et\+42|c%2Fr/);
});

test("the beginning of a shortened secret is redacted", () => {
  expect(redactor().text(`expected '${TOKEN.slice(0, 39)}…' to be undefined`)).toBe(
    "expected '[redacted]…' to be undefined",
  );
});

test("another shortened text is unchanged", () => {
  expect(redactor().text("expected 'eyJ…' and 'Mercimek çor…'")).toBe("expected 'eyJ…' and 'Mercimek çor…'");
});

test("the value of a secret key is redacted even if it is unknown", () => {
  expect(redactor().body('{"secret":"whsec_\\"abc","id":"1"}')).toBe('{"secret":"[redacted]","id":"1"}');
});

const bytesOf = (secret: string) => [...Buffer.from(secret)];
const hex = (byte: number) => byte.toString(16).padStart(2, "0");
const each = (secret: string, write: (byte: number) => string) => bytesOf(secret).map(write).join("");
/** Writes only punctuation differently, as most libraries escape it. */
const punctuation = (secret: string, write: (character: string) => string) =>
  secret.replaceAll(/[^\w ]/gu, write);
const codeOf = (character: string) => character.codePointAt(0) ?? 0;
const NAMES: Readonly<Record<string, string>> = { "/": "sol", "?": "quest", "~": "#126", "-": "#45" };
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** SECURITY.md lists these encodings and no others, in these words. */
const encodings: readonly (readonly [string, (secret: string) => string])[] = [
  ["with slashes escaped as in PHP", (secret) => secret.replaceAll("/", "\\/")],
  ["as Unicode escapes", (secret) => secret.replaceAll("/", "\\u002F").replaceAll("c", "\\u0063")],
  ["escaped as bytes in hexadecimal", (secret) => each(secret, (byte) => `\\x${hex(byte)}`)],
  ["escaped as bytes in octal", (secret) => each(secret, (byte) => `\\${byte.toString(8).padStart(3, "0")}`)],
  ["percent-encoded in lower case", (secret) => encodeURIComponent(secret).toLowerCase()],
  ["percent-encoded twice", (secret) => encodeURIComponent(encodeURIComponent(secret))],
  ["percent-encoded, with every character encoded", (secret) => each(secret, (byte) => `%${hex(byte)}`)],
  ["as a form field", (secret) => new URLSearchParams({ q: secret }).toString().slice(2)],
  ["in decimal HTML entities", (secret) => [...secret].map((one) => `&#${codeOf(one)};`).join("")],
  ["in hexadecimal HTML entities", (secret) => punctuation(secret, (one) => `&#X${hex(codeOf(one))};`)],
  [
    "in named HTML entities",
    (secret) => punctuation(secret, (one) => `&${NAMES[one] ?? `#${codeOf(one)}`};`),
  ],
  ["in HTML entities, encoded twice", (secret) => punctuation(secret, (one) => `&amp;#${codeOf(one)};`)],
  ["in HTML entities in JSON", (secret) => punctuation(secret, (one) => `\\u0026#${codeOf(one)};`)],
  ["in quoted-printable", (secret) => each(secret, (byte) => `=${hex(byte).toUpperCase()}`)],
  [
    "in quoted-printable over two lines",
    (secret) =>
      `${secret.slice(0, 9)}=\r\n${secret.slice(9)}`
        .replaceAll("÷", "=C3=B7")
        .replaceAll("\u{1f511}", "=F0=9F=94=91"),
  ],
  ["in hexadecimal digits", (secret) => Buffer.from(secret).toString("hex").toUpperCase()],
  ["in hexadecimal digits with spaces", (secret) => bytesOf(secret).map(hex).join(" ")],
  ["in base64", base64],
  ["in base64, shifted by one byte", (secret) => base64(`:${secret}`)],
  ["in base64 as in Basic authentication", (secret) => base64(`id:${secret}:more`)],
  ["in base64url", (secret) => Buffer.from(secret).toString("base64url")],
  ["in base64url within other text", (secret) => Buffer.from(`pw=${secret}&x`).toString("base64url")],
  ["in base64 of base64", (secret) => base64(`Basic ${base64(`id:${secret}:more`)}`)],
  ["in upper case", (secret) => secret.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())],
  ["in lower case", (secret) => secret.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())],
];

test("SECURITY.md lists exactly the encodings that are tested here", () => {
  const security = readFileSync(new URL("../../../SECURITY.md", import.meta.url), "utf8");
  const [, list = ""] = security.split("**Encodings of secrets.**");
  const promised = [...(list.split("\n**")[0] ?? "").matchAll(/^- (.+?)[,.]?$/gm)].map(([, form]) => form);
  expect(promised).toEqual(encodings.map(([name]) => name));
});

test.each(encodings)("a secret %s is redacted", (_, encode) => {
  const secret = "s/c-R?e~t/of÷the\u{1f511}test";
  const redact = new Redactor();
  redact.add(secret);
  const encoded = encode(secret);
  const shown = redact.text(`before ${encoded} behind`);
  expect(shown).toMatch(/^before .{0,20}\[redacted\].{0,20} behind$/s);
});

test.each([
  ["a query", "q=ABCD12-secret-34"],
  ["a path", "C:\\123-secret-x41"],
  ["a page", "&amp123-secret-x41"],
])("a secret is redacted in an ambiguous escape: in %s", (_, text) => {
  const redact = new Redactor();
  redact.add("ABCD12-secret-34", "123-secret-x41");
  expect(redact.text(text)).toMatch(/\[redacted\]$/);
});

test("a secret that is a common word is redacted only in its own case", () => {
  const redact = new Redactor();
  redact.add("MISTYPED");
  expect(redact.text("mistyped MISTYPED")).toBe("mistyped [redacted]");
});

test("the text around an escaped secret is unchanged", () => {
  const redact = new Redactor();
  redact.add("a/secret/token/1");
  expect(redact.text(String.raw`{"a":"\u0041 %41 + \/ a\/secret\/token\/1\/ \"+%2f"}`)).toBe(
    String.raw`{"a":"\u0041 %41 + \/ [redacted]\/ \"+%2f"}`,
  );
});

test("a shortened token is redacted without an ellipsis too", () => {
  expect(redactor().text(`token ${TOKEN.slice(0, 16)} is bad`)).toBe("token [redacted] is bad");
  expect(redactor().text(`token ${TOKEN.slice(0, 15)} is bad`)).toBe("token eyJhbGciOiJIUzI is bad");
});

const SIGNING = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

test("a secret from a response is redacted wherever it is repeated, also without its prefix", () => {
  const redact = new Redactor();
  redact.learn(SIGNING);
  expect(redact.text(`debug=${SIGNING} key=${SIGNING.slice(6)}`)).toBe("debug=[redacted] key=[redacted]");
});

test.each([
  ["a whole response", `{"id":"1","secret":"${SIGNING}"}`],
  ["a nested member", `{"items":[{"webhook":{"secret" : "${SIGNING}"}}]}`],
  ["a response that was cut behind it", `{"secret":"${SIGNING}","id`],
  ["text around JSON", `debug {"secret":"${SIGNING}"} x`],
  ["escapes", `{"secret":"${SIGNING.replace("whsec_", "whsec\\u005f")}"}`],
])("a secret member in %s is redacted wherever it is repeated", (_, received) => {
  const redact = new Redactor();
  redact.learnFrom(received);
  expect(redact.text(`debug=${SIGNING} key=${SIGNING.slice(6)}`)).toBe("debug=[redacted] key=[redacted]");
});

test("a flood of secret members leaves room for the secrets that the suite requests", () => {
  const redact = new Redactor();
  redact.learnFrom(
    JSON.stringify(
      Array.from({ length: 6_000 }, (_, index) => ({ secret: `a-secret-of-the-flood-${index}` })),
    ),
  );
  redact.learn(SIGNING);
  expect(redact.knows("a-secret-of-the-flood-4999")).toBe(true);
  expect(redact.knows("a-secret-of-the-flood-5000")).toBe(false);
  expect(redact.text(SIGNING)).toBe("[redacted]");
});

test("learned secrets take a bounded amount of memory", () => {
  const redact = new Redactor();
  // Values with blanks are kept as they are, without the forms of a secret.
  const secrets = Array.from({ length: 1_000 }, (_, index) => `${index} ${"aB3".repeat(2_700)}`);
  for (const secret of secrets) redact.learn(secret);
  const known = secrets.filter((secret) => redact.knows(secret));
  expect(known.length).toBeGreaterThan(500);
  expect(known.length).toBeLessThan(550);
});

test.each([
  "answered",
  "expected",
  "QUEUED",
  "201",
  "application/json",
  "expected 201 to be 200",
  "2026-01-15",
])("%s isn't redacted even if the target uses it as a secret", (word) => {
  const redact = new Redactor();
  redact.learn(word);
  expect(redact.text(`the target said ${word}`)).toBe(`the target said ${word}`);
  expect(redact.headers({ authorization: `Bearer ${word}` })).toEqual({ authorization: "Bearer [redacted]" });
});

test.each(["F4FG-K2MN", "ABCD-EFGH", "x7k2m9"])("a pairing code such as %s is redacted", (code) => {
  const redact = new Redactor();
  redact.learn(code);
  expect(redact.text(`the code ${code} is used`)).toBe("the code [redacted] is used");
});

/**
 * The limit: thirty times the duration of one pass over a text, and far below that of a pass for each of its ellipses.
 */
const ONE_PASS_MS = 500;

/** Processor time of this thread for the work, independent of other load on the machine. */
function processorMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

test("the time to redact a text doesn't grow with the number of secrets", () => {
  const redact = new Redactor();
  for (let index = 0; index < 20_000; index += 1) redact.learn(`a-secret-of-the-target-${index}`);
  expect(redact.text("a-secret-of-the-target-4999")).toBe("[redacted]");
  expect(redact.knows("a-secret-of-the-target-5000")).toBe(false);
  const evidence = "the evidence of a check ".repeat(2_700);
  expect(processorMs(() => redact.text(evidence))).toBeLessThan(ONE_PASS_MS);
});

test("a member of several megabytes can be redacted", () => {
  const text = JSON.stringify({ secret: "x".repeat(4 * 1024 * 1024) });
  expect(redactor().body(text)).toBe(text);
});

test.each([
  ["backslashes", "\\".repeat(60_000)],
  ["percent signs", "%25".repeat(20_000)],
  ["ellipses", "…".repeat(60_000)],
  ["beginnings of secrets", "eyJhbG".repeat(10_000)],
  ["members", '{"secret":"'.repeat(6_000)],
])("a text of %s takes no longer to redact than any other", (_, text) => {
  expect(processorMs(() => redactor().body(text))).toBeLessThan(ONE_PASS_MS);
});
