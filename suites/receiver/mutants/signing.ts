import { isUtf8 } from "node:buffer";
import { createHash, createHmac } from "node:crypto";
import type { SignedRequest } from "../reference-receiver/dependencies.ts";
import { alterDependencies, type ReceiverMutant } from "./mutant.ts";

const signing = (text: (signed: SignedRequest) => string | Buffer): ReceiverMutant["mutate"] =>
  alterDependencies(() => ({ texts: (signed) => [Buffer.from(text(signed))] }));

const rewriting = (rewrite: (body: string) => string | Buffer): ReceiverMutant["mutate"] =>
  alterDependencies(({ texts }) => ({
    texts: (signed) => texts({ ...signed, body: Buffer.from(rewrite(signed.body.toString())) }),
  }));

/** Accepts other keys in addition to the correct one. */
const alsoKeys = (more: (secret: string) => readonly (string | Buffer)[]): ReceiverMutant["mutate"] =>
  alterDependencies(({ keys }) => ({ keys: (secret) => [...keys(secret), ...more(secret)] }));

const onlyKey = (of: (secret: string) => string | Buffer): ReceiverMutant["mutate"] =>
  alterDependencies(() => ({ keys: (secret) => [of(secret)] }));

/** Accepts other digests in addition to the correct one. */
export const alsoMacs = (
  more: (key: string | Buffer, text: Buffer) => readonly string[],
): ReceiverMutant["mutate"] =>
  alterDependencies(({ macs }) => ({ macs: (key, text) => [...macs(key, text), ...more(key, text)] }));

export const hmac = (algorithm: string, key: string | Buffer, text: Buffer) =>
  createHmac(algorithm, key).update(text).digest("base64");

const alsoTexts = (more: (signed: SignedRequest) => string): ReceiverMutant["mutate"] =>
  alterDependencies(({ texts }) => ({
    texts: (signed) => [...texts(signed), Buffer.concat([Buffer.from(more(signed)), signed.body])],
  }));

const json = (body: string): unknown => JSON.parse(body);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** Skips verification for some bodies. */
export const skippingVerification = (unchecked: (body: Buffer) => boolean): ReceiverMutant["mutate"] =>
  alterDependencies(({ isGenuine }) => ({
    isGenuine: (deps, signed) => unchecked(signed.body) || isGenuine(deps, signed),
  }));

const LARGE_BYTES = 65_536;
const MARK = Buffer.from("\ufeff");
const bodyId = (body: Buffer): string => /"id":\s*"([^"]*)"/.exec(body.toString())?.[1] ?? "";

export const signingMutants = {
  "verifies-no-signature": {
    fault: "any signature is accepted",
    caughtBy: [
      "signatures.other-keys",
      "signatures.several-wrong",
      "survival.forged-bodies",
      "tampering.any-kind",
      "tampering.body",
      "tampering.id",
      "tampering.length",
      "tampering.one-byte",
      "tampering.signature-of-another",
      "tampering.timestamp",
      "tampering.white-space",
    ],
    mutate: alterDependencies(() => ({ isGenuine: () => true })),
  },
  "accepts-any-v1-signature": {
    fault: "any entry of version v1 is accepted",
    caughtBy: ["signatures.other-keys"],
    mutate: alterDependencies(() => ({
      isGenuine: (deps, { signature }) => deps.entries(signature).length > 0,
    })),
  },
  "accepts-large-bodies-unverified": {
    fault: "a body of more than 64 kB is accepted without verification",
    caughtBy: ["tampering.one-byte"],
    mutate: skippingVerification((body) => body.length > LARGE_BYTES),
  },
  "trusts-test-events": {
    fault: "a test event is accepted without verification",
    caughtBy: ["tampering.any-kind"],
    mutate: skippingVerification((body) => body.includes('"webhook.test"')),
  },
  "trusts-events-without-effect": {
    fault: "event types without an effect are accepted without verification",
    caughtBy: ["tampering.any-kind"],
    mutate: skippingVerification((body) => body.includes('"delivery.offered"')),
  },
  "verifies-reserialised-json": {
    fault: "the digest is over the body after parsing and serialising it again",
    caughtBy: ["bodies.escapes", "bodies.numbers", "bodies.white-space", "tampering.white-space"],
    mutate: rewriting((body) => JSON.stringify(json(body))),
  },
  "verifies-the-trimmed-body": {
    fault: "the digest is over the body without white space around it",
    caughtBy: ["bodies.white-space", "tampering.white-space"],
    mutate: rewriting((body) => body.trim()),
  },
  "verifies-the-body-without-carriage-returns": {
    fault: "the digest is over the body with other line ends",
    caughtBy: ["bodies.white-space", "tampering.white-space"],
    mutate: rewriting((body) => body.replaceAll("\r", "")),
  },
  "verifies-the-body-on-one-line": {
    fault: "the digest is over the body without its line ends",
    caughtBy: ["bodies.white-space"],
    mutate: rewriting((body) => body.replaceAll(/\r?\n/g, "")),
  },
  "verifies-the-body-with-single-spaces": {
    fault: "the digest is over the body with single spaces",
    caughtBy: ["tampering.white-space"],
    mutate: rewriting((body) => body.replaceAll(/ +/g, " ")),
  },
  "verifies-sorted-members": {
    fault: "the digest is over the body with its members sorted",
    caughtBy: ["bodies.order-of-members"],
    mutate: rewriting((body) => JSON.stringify(sorted(json(body)))),
  },
  "verifies-members-in-the-documents-order": {
    fault: "the digest is over a rebuilt envelope",
    caughtBy: ["bodies.order-of-members"],
    mutate: rewriting((body) => {
      const event = json(body);
      const read = (name: string) =>
        typeof event === "object" && event !== null ? Reflect.get(event, name) : null;
      return JSON.stringify({
        id: read("id"),
        type: read("type"),
        timestamp: read("timestamp"),
        data: read("data"),
      });
    }),
  },
  "verifies-the-body-in-ascii": {
    fault: "the digest is over the body with non-ASCII characters escaped",
    caughtBy: ["bodies.escapes", "bodies.letters"],
    mutate: rewriting((body) =>
      body.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ),
  },
  "verifies-the-body-unescaped": {
    fault: "the digest is over the body with its slashes unescaped",
    caughtBy: ["bodies.escapes"],
    mutate: rewriting((body) => body.replaceAll("\\/", "/")),
  },
  "verifies-shortened-numbers": {
    fault: "the digest is over the body with its numbers shortened",
    caughtBy: ["bodies.numbers"],
    mutate: rewriting((body) =>
      body.replaceAll(/(\d)\.(\d*?)0+(?=[,}])/g, "$1.$2").replaceAll(/\.(?=[,}])/g, ""),
    ),
  },
  "verifies-the-body-in-latin-1": {
    fault: "the digest is over the body encoded in Latin-1",
    caughtBy: ["bodies.letters"],
    mutate: rewriting((body) => Buffer.from(body, "latin1")),
  },
  "verifies-the-body-normalised": {
    fault: "the digest is over the body in Unicode normal form C",
    caughtBy: ["bodies.letters"],
    mutate: rewriting((body) => body.normalize("NFC")),
  },
  "verifies-the-decoded-text": {
    fault: "the digest is over the decoded body, in which invalid bytes are replaced",
    caughtBy: ["tampering.unreadable-bytes"],
    mutate: rewriting((body) => body),
  },
  "verifies-the-body-without-its-byte-order-mark": {
    fault: "the digest is over the body without a byte order mark; bytes that aren't UTF-8 are refused",
    caughtBy: ["tampering.unreadable-bytes"],
    mutate: alterDependencies(({ refusal, joined }) => ({
      refusal: (deps, request) => (isUtf8(request.body) ? refusal(deps, request) : 400),
      joined: (pieces) => {
        const body = joined(pieces);
        return body.indexOf(MARK) === 0 ? body.subarray(MARK.length) : body;
      },
    })),
  },
  "verifies-the-bodys-id": {
    fault: "the digest is over the id in the body, and not the header's",
    caughtBy: ["tampering.id"],
    mutate: alterDependencies(({ texts }) => ({
      texts: (signed) => texts({ ...signed, id: bodyId(signed.body) || signed.id }),
    })),
  },
  "verifies-ids-in-lower-case": {
    fault: "the digest is over the id in lower case",
    caughtBy: ["tampering.id"],
    mutate: alterDependencies(({ texts }) => ({
      texts: (signed) => texts({ ...signed, id: signed.id.toLowerCase() }),
    })),
  },
  "accepts-timestamps-changed-by-seconds": {
    fault: "timestamps that differ by a few seconds count as equal",
    caughtBy: ["tampering.timestamp"],
    mutate: alterDependencies(({ texts }) => ({
      texts: (signed) =>
        [0, 1, -1, 2, -2].flatMap((by) =>
          texts({ ...signed, timestamp: String(Number(signed.timestamp) + by) }),
        ),
    })),
  },
  "verifies-the-leading-number-of-the-timestamp": {
    fault: "the digest is over the leading number of the timestamp",
    caughtBy: ["freshness.more-than-was-signed"],
    mutate: alterDependencies(({ texts }) => ({
      seconds: (timestamp) => Number.parseInt(timestamp, 10),
      texts: (signed) => texts({ ...signed, timestamp: String(Number.parseInt(signed.timestamp, 10)) }),
    })),
  },
  "verifies-milliseconds": {
    fault: "the digest is over the timestamp in milliseconds",
    caughtBy: ["signatures.genuine"],
    mutate: signing(({ id, timestamp, body }) => `${id}.${timestamp}000.${body}`),
  },
  "joins-with-colons": {
    fault: "id, timestamp and body are joined by colons",
    caughtBy: ["signatures.genuine"],
    mutate: signing(({ id, timestamp, body }) => `${id}:${timestamp}:${body}`),
  },
  "joins-with-nothing": {
    fault: "id, timestamp and body are joined without dots",
    caughtBy: ["signatures.genuine"],
    mutate: signing(({ id, timestamp, body }) => `${id}${timestamp}${body}`),
  },
  "joins-in-another-order": {
    fault: "the timestamp is signed before the id",
    caughtBy: ["signatures.genuine"],
    mutate: signing(({ id, timestamp, body }) => `${timestamp}.${id}.${body}`),
  },
  "accepts-digests-of-the-body-too": {
    fault: "a digest over the body alone is accepted too",
    caughtBy: ["signatures.signed-text"],
    mutate: alsoTexts(() => ""),
  },
  "accepts-digests-without-the-id-too": {
    fault: "a digest over timestamp and body is accepted too",
    caughtBy: ["signatures.signed-text"],
    mutate: alsoTexts(({ timestamp }) => `${timestamp}.`),
  },
  "decodes-the-secret-with-its-prefix": {
    fault: "the secret is decoded together with its prefix",
    caughtBy: ["signatures.genuine"],
    mutate: onlyKey((secret) => Buffer.from(secret, "base64")),
  },
  "uses-the-secret-as-text": {
    fault: "the key is the secret's text",
    caughtBy: ["signatures.genuine"],
    mutate: onlyKey((secret) => secret),
  },
  "accepts-the-secret-as-text-too": {
    fault: "the secret's base64 as text is accepted as a key too",
    caughtBy: ["signatures.forms-of-the-secret"],
    mutate: alsoKeys((secret) => [secret.replace("whsec_", "")]),
  },
  "accepts-the-whole-secret-as-text-too": {
    fault: "the whole secret as text is accepted as a key too",
    caughtBy: ["signatures.forms-of-the-secret"],
    mutate: alsoKeys((secret) => [secret]),
  },
  "accepts-the-secret-with-its-prefix-too": {
    fault: "the secret decoded together with its prefix is accepted as a key too",
    caughtBy: ["signatures.forms-of-the-secret"],
    mutate: alsoKeys((secret) => [Buffer.from(secret, "base64")]),
  },
  "accepts-an-empty-key-too": {
    fault: "without a secret, an empty key is used",
    caughtBy: ["signatures.empty-key"],
    mutate: alsoKeys(() => [""]),
  },
  "accepts-the-key-of-an-unset-variable": {
    fault: "without a secret, the key is the text undefined",
    caughtBy: ["signatures.guessable-keys"],
    mutate: alsoKeys(() => ["undefined"]),
  },
  "expects-sha-1": {
    fault: "the algorithm is HMAC-SHA1",
    caughtBy: ["signatures.genuine"],
    mutate: alterDependencies(() => ({ macs: (key, text) => [hmac("sha1", key, text)] })),
  },
  "accepts-any-algorithm": {
    fault: "the algorithm is chosen by the digest's length",
    caughtBy: ["signatures.other-algorithms"],
    mutate: alsoMacs((key, text) =>
      ["sha1", "sha384", "sha512"].map((algorithm) => hmac(algorithm, key, text)),
    ),
  },
  "decodes-each-piece-of-a-body": {
    fault: "each chunk of a body is decoded separately, and the texts are concatenated",
    caughtBy: ["bodies.in-pieces"],
    mutate: alterDependencies(() => ({
      joined: (pieces) => Buffer.from(pieces.map((piece) => piece.toString()).join("")),
    })),
  },
  "reads-only-the-first-chunk": {
    fault: "only the first chunk of a body is read",
    caughtBy: ["bodies.in-pieces"],
    mutate: alterDependencies(() => ({ joined: ([first]) => first ?? Buffer.alloc(0) })),
  },
  "accepts-a-digest-without-a-key": {
    fault: "a SHA-256 of the text without a key is accepted too",
    caughtBy: ["signatures.other-algorithms"],
    mutate: alsoMacs((_, text) => [createHash("sha256").update(text).digest("base64")]),
  },
} satisfies Record<string, ReceiverMutant>;
