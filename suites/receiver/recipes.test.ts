import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { DEFAULT_KINDS } from "../core/contract/event-kinds.ts";
import { mutantNamed } from "../core/mutation/catching.ts";
import { signatureOf } from "../core/signing/webhook-signing.ts";
import { certifyReceiver } from "./certify.ts";
import { receiverChecks } from "./checks/index.ts";
import { receiverMutants } from "./mutants/index.ts";
import {
  correctDependencies,
  type ReceiverDependencies,
  type SignedRequest,
} from "./reference-receiver/dependencies.ts";
import { serveReceiver } from "./reference-receiver/serve.ts";
import { ANSWER_LIMIT_MS, type ReceiverTarget } from "./session/settings.ts";

const secret = `whsec_${randomBytes(24).toString("base64")}`;
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function targetOf(deps: ReceiverDependencies): Promise<ReceiverTarget> {
  const { url, effectsUrl, close } = await serveReceiver(deps);
  open.push(close);
  const limits = { answerMs: ANSWER_LIMIT_MS, limitMs: ANSWER_LIMIT_MS, returnMs: 500, effectMs: 500 };
  return { url, effectsUrl, secret, eventTypes: DEFAULT_KINDS, statuses: {}, ...limits };
}

/** A receiver with the given rule of verification. */
const verifying = (isGenuine: (signed: SignedRequest) => boolean): ReceiverDependencies => ({
  ...correctDependencies(secret),
  isGenuine: (_, signed) => isGenuine(signed),
});
/** A receiver that expects the digest of the given text. */
const over = (text: (signed: SignedRequest) => string): ReceiverDependencies => ({
  ...correctDependencies(secret),
  texts: (signed) => [Buffer.from(text(signed))],
});
const rewriting = (rewrite: (body: string) => string): ReceiverDependencies =>
  over(({ id, timestamp, body }) => `${id}.${timestamp}.${rewrite(body.toString())}`);
const hex = ({ id, timestamp, body }: SignedRequest, key: string | Buffer): string =>
  createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("hex");
const mutant = (id: string): ReceiverDependencies =>
  mutantNamed(id, receiverMutants).mutate(correctDependencies(secret));
const decoded = Buffer.from(secret.replace("whsec_", ""), "base64");

/** Serialises like Python's json.dumps, but only the kinds of values that events contain. */
function dumped(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(dumped).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, one]) => `${dumped(name)}: ${dumped(one)}`);
    return `{${members.join(", ")}}`;
  }
  return JSON.stringify(value).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const wrong: Readonly<Record<string, [receiver: ReceiverDependencies, told: RegExp]>> = {
  "the secret isn't decoded": [mutant("uses-the-secret-as-text"), /signed with the secret's text \(/],
  "the secret isn't decoded, its prefix taken off": [
    { ...correctDependencies(secret), keys: (text) => [text.replace("whsec_", "")] },
    /signed with the secret's text without its prefix \(/,
  ],
  "the prefix is decoded too": [
    mutant("decodes-the-secret-with-its-prefix"),
    /signed with the secret decoded together with its prefix \(/,
  ],
  "no secret is set": [{ ...correctDependencies(secret), keys: () => [""] }, /signed with an empty key \(/],
  "the id is left out": [over(({ timestamp, body }) => `${timestamp}.${body}`), /without the webhook-id \(/],
  "the timestamp is left out": [over(({ id, body }) => `${id}.${body}`), /without the webhook-timestamp \(/],
  "the body alone is signed": [over(({ body }) => `${body}`), /signed over the body alone \(/],
  "the timestamp is put first": [mutant("joins-in-another-order"), /timestamp before the webhook-id \(/],
  colons: [mutant("joins-with-colons"), /joined by colons \(/],
  "nothing between": [mutant("joins-with-nothing"), /joined without a separator \(/],
  milliseconds: [mutant("verifies-milliseconds"), /signed with the timestamp in milliseconds \(/],
  "milliseconds in the header": [
    {
      ...correctDependencies(secret),
      seconds: (timestamp) => (timestamp.length >= 13 ? Number(timestamp) / 1000 : Number.NaN),
    },
    /dated in milliseconds \(webhook-timestamp is in Unix seconds/,
  ],
  hex: [mutant("expects-hex"), /signed in hex \(/],
  "the base64 of URLs": [
    verifying(({ signature, ...signed }) => {
      const expected = Buffer.from(hex({ ...signed, signature }, decoded), "hex").toString("base64url");
      return signature === `v1,${expected}`;
    }),
    /signed in base64url without padding \(/,
  ],
  "another scheme's header": [
    verifying(({ signature, ...signed }) => signature === `sha256=${hex({ ...signed, signature }, decoded)}`),
    /signed in the form sha256=<hex> \(/,
  ],
  "HMAC-SHA1": [mutant("expects-sha-1"), /signed with HMAC-SHA1 \(the algorithm is HMAC-SHA256/],
  "a body that Python wrote anew": [
    rewriting((body) => dumped(JSON.parse(body))),
    /signed over the body as Python serialises it \(verify the bytes/,
  ],
  "a body with an additional line end": [rewriting((body) => `${body}\n`), /with an additional line end \(/],
  "a body read as ASCII": [
    rewriting((body) => body.replaceAll(/[^\0-\x7f]/gu, "?")),
    /over the body read as ASCII, with \? for each other letter \(/,
  ],
  "a body read as ASCII, byte by byte": [
    rewriting((body) =>
      Buffer.from(body)
        .toString("latin1")
        .replaceAll(/[^\0-\x7f]/g, "\ufffd"),
    ),
    /over the body read as ASCII, with U\+FFFD for each byte of another letter \(/,
  ],
  "a body read as Latin-1": [
    rewriting((body) => Buffer.from(body).toString("latin1")),
    /over the body read as Latin-1 \(/,
  ],
  "a body decoded to text, and cut to a byte for each character": [
    {
      ...correctDependencies(secret),
      texts: ({ id, timestamp, body }) => [
        Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body.toString(), "latin1")]),
      ],
    },
    /over the body decoded to text, of which each character is cut to one byte \(verify the bytes/,
  ],
  "the secret's text, and hex": [
    verifying(({ signature, ...signed }) => signature === `v1,${hex({ ...signed, signature }, secret)}`),
    /signed with the secret's text, and in hex \(/,
  ],
};

describe("a receiver that refuses genuine events: the report names the recipe that it expects, once", () => {
  for (const [name, [receiver, told]] of Object.entries(wrong)) {
    test(name, async () => {
      const { outcomes, grade } = await certifyReceiver(await targetOf(receiver));
      const failed = [...outcomes].filter(([, { status }]) => status === "failed");
      expect(failed.map(([id]) => id)).toEqual(["signatures.genuine"]);
      expect(failed[0]?.[1].message).toMatch(
        /^a genuine event \(delivery\.\w+\): expected status 2xx, got 40[01]: the receiver accepts events that are /,
      );
      expect(failed[0]?.[1].message).toMatch(told);
      const blocked = [...outcomes.values()].filter(({ blocked_by }) => blocked_by === "signatures.genuine");
      expect(blocked).toHaveLength(receiverChecks.length - 1);
      expect(grade.verdict).toBe("NONCONFORMANT");
    });
  }
});

test("if no recipe fits, the report names none, and the other checks are blocked too", async () => {
  const target = await targetOf(mutant("accepts-nothing"));
  const { outcomes } = await certifyReceiver(target);
  expect(outcomes.get("signatures.genuine")?.message).toBe(
    "a genuine event (delivery.assigned): expected status 2xx, got 401: does the receiver have the same secret?",
  );
  expect([...outcomes.values()].filter(({ status }) => status === "blocked")).toHaveLength(
    receiverChecks.length - 1,
  );
});

test("a receiver that decodes bodies in an unknown way gets advice about bytes, not about its secret", async () => {
  const { outcomes } = await certifyReceiver(
    await targetOf(rewriting((body) => body.replaceAll(/[^\0-\x7f]/gu, "_"))),
  );
  expect(outcomes.get("signatures.genuine")?.message).toMatch(
    /got 401: the same event in plain ASCII without escapes is accepted, so the receiver doesn't verify the received bytes, but the body decoded to text/,
  );
});

test("if every response is a 403, the report suggests a gateway in front of the handler", async () => {
  const { outcomes } = await certifyReceiver(
    await targetOf({ ...correctDependencies(secret), receive: async () => 403 }),
  );
  expect(outcomes.get("signatures.genuine")?.message).toBe(
    "a genuine event (delivery.assigned): expected status 2xx, got 403: does a login or CSRF protection come before the webhook handler?",
  );
});

test("if a receiver refuses only some genuine events, all events are examined, and the fitting recipe is named", async () => {
  const { trouble } = await certifyReceiver(await targetOf(mutant("verifies-reserialised-json")));
  expect(Object.values(trouble).filter((line) => line.startsWith("blocked"))).toEqual([]);
  expect(trouble["bodies.white-space"]).toMatch(
    /signed over the body after parsing and serialising it again \(verify the bytes as they were received/,
  );
});

const bodiesChecks = receiverChecks.filter(
  ({ id }) => id === "signatures.genuine" || /^(bodies|tampering\.white)/.test(id),
);

test.each([
  ["verifies-the-trimmed-body", /signed over the body without surrounding white space \(verify the bytes/],
  [
    "verifies-the-body-without-carriage-returns",
    /signed over the body with other line ends \(verify the bytes/,
  ],
] as const)("%s: not told of a body written anew, which other white space would show", async (id, told) => {
  const { trouble } = await certifyReceiver(await targetOf(mutant(id)), bodiesChecks);
  expect(trouble["bodies.white-space"]).toMatch(told);
});

test("if a receiver without a Date header accepted an event, the report doesn't suggest a wrong clock", async () => {
  const server = createServer(async (request, response) => {
    response.sendDate = false;
    const [id, timestamp] = ["webhook-id", "webhook-timestamp"].map((name) => String(request.headers[name]));
    const body = await buffer(request);
    const isGenuine = request.headers["webhook-signature"] === signatureOf(decoded, { id, timestamp, body });
    const isAsWritten = request.rawHeaders.includes("webhook-id") && /^\d{10}$/.test(timestamp ?? "");
    response.writeHead(isAsWritten ? (isGenuine ? 204 : 401) : 400).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(async () => void server.close());
  const target = await targetOf(correctDependencies(secret));
  const checks = receiverChecks.filter(({ id }) => ["signatures.genuine", "headers.any-case"].includes(id));
  const url = `http://127.0.0.1:${Object(server.address()).port}/`;
  const { outcomes } = await certifyReceiver({ ...target, url }, checks);
  expect(outcomes.get("headers.any-case")?.message).toMatch(/in capitals: expected status 2xx, got 400$/);
});

const escapedAs = (letters: RegExp) => (body: string) =>
  JSON.stringify(JSON.parse(body)).replaceAll(
    letters,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
const writers: Readonly<Record<string, [write: (body: string) => string, told: RegExp]>> = {
  "as PHP does with two flags": [
    escapedAs(/[\u2028\u2029]/g),
    /signed over the body as PHP serialises it with JSON_UNESCAPED_SLASHES and JSON_UNESCAPED_UNICODE \(verify/,
  ],
  "in a way that no recipe has": [
    escapedAs(/[<>&\u2028\u2029]/g),
    /: the same event in plain ASCII without escapes is accepted, so the receiver doesn't verify the received bytes/,
  ],
};
for (const [name, [write, told]] of Object.entries(writers)) {
  test(`a receiver that writes bodies anew ${name} gets one cause for all failures, and no advice about its secret`, async () => {
    const { outcomes } = await certifyReceiver(await targetOf(rewriting(write)), bodiesChecks);
    const checks = [...outcomes].map(([id, outcome]) => ({ id, ...outcome }));
    const failed = checks.filter(({ status }) => status === "failed");
    expect(failed.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["bodies.white-space", "bodies.order-of-members", "bodies.letters"]),
    );
    expect(new Set(failed.map(({ fault }) => fault))).toEqual(
      new Set([
        "the receiver doesn't verify the received bytes, but the body decoded to text, or parsed and serialised again",
      ]),
    );
    const messages = failed.map(({ message }) => message).join("\n");
    expect(messages).toMatch(told);
    expect(messages).not.toMatch(/same secret/);
  });
}

test("a receiver that refuses one event type as forged gets no advice about its secret or bodies", async () => {
  const deps = correctDependencies(secret);
  const receiver: ReceiverDependencies = {
    ...deps,
    isGenuine: (own, signed) => !signed.body.includes("delivery.picked_up") && deps.isGenuine(own, signed),
  };
  const checks = receiverChecks.filter(({ id }) => ["signatures.genuine", "kinds.default"].includes(id));
  const { outcomes } = await certifyReceiver(await targetOf(receiver), checks);
  const ended = outcomes.get("kinds.default");
  expect(ended?.message).toMatch(/: expected status 2xx, got 401$/);
  expect(ended?.fault).toBeUndefined();
});

test("a receiver that accepts any signature in another form: the report names no recipe", async () => {
  const receiver = verifying(({ signature }) => !signature.startsWith("v1,"));
  const { outcomes } = await certifyReceiver(await targetOf(receiver));
  expect(outcomes.get("signatures.genuine")?.message).toMatch(
    /^a genuine event \(delivery\.\w+\): expected status 2xx, got 401: does/,
  );
});

test("if no event has an effect, one check fails and blocks the checks of effects", async () => {
  const receiver = { ...correctDependencies(secret), process: async () => 204 };
  const { outcomes } = await certifyReceiver(await targetOf(receiver));
  const needing = receiverChecks.filter(({ needs }) => needs.includes("effects")).map(({ id }) => id);
  const ended = Map.groupBy(outcomes, ([, { status }]) => status);
  expect(ended.get("failed")?.map(([id]) => id)).toEqual(["duplicates.one-effect"]);
  expect(
    ended
      .get("blocked")
      ?.map(([id]) => id)
      .toSorted(),
  ).toEqual(needing.filter((id) => id !== "duplicates.one-effect").toSorted());
  expect(ended.get("passed")).toHaveLength(receiverChecks.length - needing.length);
});
