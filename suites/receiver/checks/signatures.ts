import { createHash, createHmac, randomBytes } from "node:crypto";
import { clause } from "../../../openapi/generated/clauses.ts";
import { casesFrom, ofSet } from "../../core/grading/expectations/each-element.ts";
import { type ReceiverCheck, type ResponsesContext, receiverCheck } from "../check.ts";
import { type Attempt, macOf, signedWith } from "../session/attempt.ts";
import { sampleEvent } from "../session/events.ts";
import { expectAccepted, expectRefused, expectToVerifySignatures } from "./expectations.ts";
import { attemptSigned } from "./refusal.ts";
import { REQUIRED_REJECTIONS } from "./required-rejections.ts";
import { severalSignaturesChecks } from "./signatures-several.ts";

const newAttempt = (context: ResponsesContext): Attempt => context.attempt(sampleEvent(context));
/** The attempt's correct signature in base64. */
const correctMac = (context: ResponsesContext, attempt: Attempt): string => macOf(context.key, attempt);
/** An invalid signature in the correct form. */
const wrongSignature = (): string => `v1,${randomBytes(32).toString("base64")}`;

const expectKeyRefused = (context: ResponsesContext, key: string | Buffer, what: string): Promise<void> =>
  expectRefused(
    context,
    signedWith(key, newAttempt(context)),
    `signed with ${what}`,
    REQUIRED_REJECTIONS.forged,
  );

const genuine = receiverCheck({
  id: "signatures.genuine",
  title:
    "an event that is signed as the specification says is accepted, with any characters in its signature",
  clauses: [clause["RECV-30"]],
  async run(context) {
    await expectToVerifySignatures(context);
    await context.forEachUntilFailure([/\+/, /\//, /^v1,[A-Za-z0-9]+=$/], async (characters) => {
      await expectAccepted(
        context,
        attemptSigned(context, characters),
        `an event whose signature matches ${characters}`,
      );
    });
  },
});

const otherKeys = receiverCheck({
  id: "signatures.other-keys",
  title: "a signature that was made with another key is refused with 401",
  clauses: [clause["RECV-16"]],
  async run(context) {
    await expectAccepted(context, newAttempt(context));
    const near = Buffer.from(context.key);
    near[0] = near[0] === 0 ? 1 : 0;
    const keys: Readonly<Record<string, Buffer>> = {
      "an unrelated key": randomBytes(32),
      "the key with one byte changed": near,
      "the key and one byte more": Buffer.concat([context.key, Buffer.of(1)]),
    };
    await context.each(casesFrom("wrong signatures", keys), async ([what, key]) => {
      await expectKeyRefused(context, key, what);
    });
    await expectRefused(
      context,
      { ...newAttempt(context), signature: wrongSignature() },
      "the signature is random",
      REQUIRED_REJECTIONS.forged,
    );
  },
});

const secretsForms = receiverCheck({
  id: "signatures.forms-of-the-secret",
  title: "a signature made with the secret as text, or with its prefix, is refused with 401",
  clauses: [clause["RECV-21"]],
  async run(context) {
    await expectAccepted(context, newAttempt(context));
    const { secret } = context;
    const keys: Readonly<Record<string, string | Buffer>> = {
      "the whole secret as text": secret,
      "the secret as text, without its prefix": secret.slice("whsec_".length),
      "the secret decoded together with its prefix": Buffer.from(secret, "base64"),
    };
    await context.each(casesFrom("wrong signatures", keys), async ([what, key]) => {
      await expectKeyRefused(context, key, what);
    });
  },
});

const emptyKey = receiverCheck({
  id: "signatures.empty-key",
  title: "a signature made with an empty key is refused with 401",
  clauses: [clause["RECV-22"]],
  async run(context) {
    await expectAccepted(context, newAttempt(context));
    await expectKeyRefused(context, "", "an empty key");
  },
});

const guessable = receiverCheck({
  id: "signatures.guessable-keys",
  title: "a signature made with a guessable key, such as the text undefined, is refused with 401",
  clauses: [clause["RECV-16"]],
  async run(context) {
    await expectAccepted(context, newAttempt(context));
    const zeros = Buffer.alloc(context.key.length);
    await context.forEachUntilFailure(
      ["undefined", "null", "None", "whsec_", "secret", zeros],
      async (key) => {
        const what = typeof key === "string" ? `the text "${key}"` : "zero bytes";
        await expectKeyRefused(context, key, what);
        const decoded = typeof key === "string" ? Buffer.from(key, "base64") : key;
        await expectKeyRefused(context, decoded, `${what}, decoded`);
      },
    );
  },
});

const algorithms = receiverCheck({
  id: "signatures.other-algorithms",
  title: "a digest of another algorithm, or one without a key, is refused",
  clauses: [clause["RECV-23"]],
  async run(context) {
    await expectAccepted(context, newAttempt(context));
    await context.each(ofSet("other-algorithms"), async (algorithm) => {
      const attempt = newAttempt(context);
      const signature = `v1,${macOf(context.key, attempt, algorithm)}`;
      await expectRefused(
        context,
        { ...attempt, signature },
        `signed with HMAC-${algorithm}`,
        REQUIRED_REJECTIONS.unreadable,
      );
    });
    const attempt = newAttempt(context);
    const hash = (first: string | Uint8Array) =>
      createHash("sha256").update(first).update(`${attempt.id}.${attempt.timestamp}.`).update(attempt.body);
    await context.forEachUntilFailure(["", context.key], async (first) => {
      const signature = `v1,${hash(first).digest("base64")}`;
      const what = first === "" ? "without a key" : "over the key and the text, without HMAC";
      await expectRefused(
        context,
        { ...attempt, signature },
        `a plain SHA-256 ${what}`,
        REQUIRED_REJECTIONS.forged,
      );
    });
  },
});

const wholeDigest = receiverCheck({
  id: "signatures.whole-digest",
  title: "a signature with characters missing or added at either end is refused",
  clauses: [clause["RECV-24"]],
  async run(context) {
    await expectAccepted(context, newAttempt(context));
    await context.forEachUntilFailure([1, 4, 8, 12, 20, 32, 40], async (length) => {
      const attempt = newAttempt(context);
      const signature = `v1,${correctMac(context, attempt).slice(0, length)}`;
      await expectRefused(
        context,
        { ...attempt, signature },
        `the signature has only the first ${length} characters of the correct one`,
        REQUIRED_REJECTIONS.unreadable,
      );
    });
    const longer = newAttempt(context);
    const digest = Buffer.from(correctMac(context, longer), "base64");
    const more: Readonly<Record<string, string>> = {
      "the correct digest and one more byte": Buffer.concat([digest, Buffer.alloc(1)]).toString("base64"),
      // The additional characters come first, because many decoders ignore characters after the padding of the
      // digest, and would read the correct digest.
      "the correct digest with characters before it": `AAAA${digest.toString("base64")}`,
      "the correct digest twice": Buffer.concat([digest, digest]).toString("base64"),
      empty: "",
    };
    await context.each(casesFrom("wrong signatures", more), async ([what, base64]) => {
      const attempt = { ...longer, signature: `v1,${base64}` };
      await expectRefused(context, attempt, `the signature is ${what}`, REQUIRED_REJECTIONS.unreadable);
    });
  },
});

/** Changes the case of the first letter. The result encodes a different digest. */
const otherCase = (base64: string): string =>
  base64.replace(/[A-Za-z]/, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()));

const exactDigest = receiverCheck({
  id: "signatures.exact",
  title: "a signature with one different character is refused with 401, even if only its case differs",
  clauses: [clause["RECV-16"]],
  async run(context) {
    await expectAccepted(context, newAttempt(context));
    const edits: Readonly<Record<string, (digest: Buffer) => Buffer>> = {
      "the first byte differs": (digest) =>
        Buffer.concat([Buffer.of((digest[0] ?? 0) ^ 1), digest.subarray(1)]),
      "the last byte differs": (digest) =>
        Buffer.concat([digest.subarray(0, -1), Buffer.of((digest[31] ?? 0) ^ 1)]),
      "the bytes are in another order": (digest) => Buffer.from(digest).reverse(),
    };
    await context.each(casesFrom("wrong signatures", edits), async ([what, edit]) => {
      const attempt = newAttempt(context);
      const digest = edit(Buffer.from(correctMac(context, attempt), "base64"));
      const signature = `v1,${digest.toString("base64")}`;
      await expectRefused(
        context,
        { ...attempt, signature },
        `in the correct digest ${what}`,
        REQUIRED_REJECTIONS.forged,
      );
    });
    const cased = attemptSigned(context, /,.*[A-Za-z]/);
    await expectRefused(
      context,
      { ...cased, signature: `v1,${otherCase(correctMac(context, cased))}` },
      "one letter of the correct signature has the other case",
      REQUIRED_REJECTIONS.forged,
    );
  },
});

const signedText = receiverCheck({
  id: "signatures.signed-text",
  title: "a digest over anything other than id, timestamp and body, joined by dots, is refused with 401",
  clauses: [clause["RECV-16"]],
  async run(context) {
    await expectAccepted(context, newAttempt(context));
    const texts: Readonly<Record<string, (attempt: Attempt) => string>> = {
      "the body alone": () => "",
      "timestamp and body": ({ timestamp }) => `${timestamp}.`,
      "id and body": ({ id }) => `${id}.`,
      "id, timestamp and body without dots": ({ id, timestamp }) => `${id}${timestamp}`,
    };
    await context.each(casesFrom("wrong signatures", texts), async ([what, before]) => {
      const attempt = newAttempt(context);
      const mac = createHmac("sha256", context.key)
        .update(before(attempt))
        .update(attempt.body)
        .digest("base64");
      await expectRefused(
        context,
        { ...attempt, signature: `v1,${mac}` },
        `the digest is over ${what}`,
        REQUIRED_REJECTIONS.forged,
      );
    });
  },
});

export const signaturesChecks: readonly ReceiverCheck[] = [
  genuine,
  otherKeys,
  secretsForms,
  emptyKey,
  guessable,
  algorithms,
  wholeDigest,
  exactDigest,
  ...severalSignaturesChecks,
  signedText,
];
