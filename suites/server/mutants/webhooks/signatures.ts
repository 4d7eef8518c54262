import { createHmac } from "node:crypto";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Dispatch } from "../../../../reference-server/records/outbox.ts";
import { ALL_KINDS, type EventKind } from "../../../core/contract/event-kinds.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { isObject } from "../../../core/json.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterAttemptHeaders, alterAttemptRequests, keepFirstSecretFor } from "../operators/webhooks.ts";

type Signer = Dependencies["signer"];

const withSigner =
  (change: (signer: Signer) => Partial<Signer>) =>
  (deps: Dependencies): Dependencies => ({ ...deps, signer: { ...deps.signer, ...change(deps.signer) } });

/** Sends the headers of another dispatch, for example of another event or body. */
const signInstead = (change: (dispatch: Dispatch) => Partial<Dispatch>): Mutate =>
  alterAttemptRequests(({ headers }) => ({
    headers: (deps, dispatch, secret, now) =>
      headers(deps, { ...dispatch, ...change(dispatch) }, secret, now),
  }));

const alterSignature = (change: (signature: string) => string): Mutate =>
  alterAttemptHeaders(({ "webhook-signature": signature = "" }) => ({
    "webhook-signature": change(signature),
  }));

/** Sends an attempt with the headers for another time. */
const alterSendingTime = (change: (now: number) => number): Mutate =>
  alterAttemptRequests(({ headers }) => ({
    headers: (deps, dispatch, secret, now) => headers(deps, dispatch, secret, change(now)),
  }));

/** Writes the timestamp in another form, both in the header and in the signed text. */
const alterTimestamp = (write: (now: number) => string): Mutate =>
  alterAttemptRequests(() => ({
    headers: (deps, { event_id, body }, secret, now) => ({
      "webhook-id": event_id,
      "webhook-timestamp": write(now),
      "webhook-signature": deps.signer.sign(deps.signer, secret, event_id, write(now), body),
    }),
  }));

const signWith = (algorithm: string, encoding: "base64" | "hex") =>
  withSigner(() => ({
    sign: (signer, secret, id, timestamp, body) => {
      const hmac = createHmac(algorithm, signer.key(secret)).update(signer.text(id, timestamp, body));
      return `v1,${hmac.digest(encoding)}`;
    },
  }));

const escapeNonAscii = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

const deliveryIdIn = (body: string): string | undefined => {
  const envelope: unknown = JSON.parse(body);
  const data = isObject(envelope) ? envelope.data : undefined;
  return isObject(data) && typeof data.id === "string" ? data.id : undefined;
};

/** The clause on the signature of each event type. */
const SIGNATURE_CLAUSES = {
  "delivery.created": "SIGN-4",
  "delivery.queued": "SIGN-4",
  "delivery.updated": "SIGN-4",
  "delivery.cancelled": "SIGN-4",
  "webhook.test": "SIGN-4",
  "delivery.offered": "SIGN-11",
  "delivery.assigned": "SIGN-8",
  "delivery.at_pickup": "SIGN-8",
  "delivery.picked_up": "SIGN-8",
  "delivery.en_route": "SIGN-8",
  "delivery.arrived": "SIGN-8",
  "delivery.delivered": "SIGN-8",
  "delivery.failed": "SIGN-12",
  "delivery.returning": "SIGN-10",
  "delivery.returned": "SIGN-10",
  "delivery.courier_location": "SIGN-9",
} as const;
const isSigned = (kind: EventKind): kind is keyof typeof SIGNATURE_CLAUSES =>
  Object.hasOwn(SIGNATURE_CLAUSES, kind);

export const signaturesMutants: Mutants = {
  "webhook-id-missing-on-tests": {
    fault: "a test event has no webhook-id",
    breaks: [{ clause: "EVENT-33" }, { clause: "EVENT-34" }],
    caughtBy: ["signatures.headers"],
    mutate: alterAttemptHeaders(
      (_, { type }): Record<string, string> => (type === "webhook.test" ? { "webhook-id": "" } : {}),
    ),
  },
  "webhook-id-is-delivery-id": {
    fault: "webhook-id is the delivery's id",
    breaks: [{ clause: "EVENT-34" }],
    caughtBy: ["signatures.headers"],
    mutate: signInstead(({ event_id, body }) => ({ event_id: deliveryIdIn(body) ?? event_id })),
  },
  "events-of-a-creation-share-a-webhook-id": {
    fault: "delivery.created and delivery.queued of a delivery have the same webhook-id",
    breaks: [{ clause: "EVENT-34" }],
    caughtBy: ["signatures.headers"],
    mutate: signInstead(({ event_id, type, body }) => {
      const isOfCreation = type === "delivery.created" || type === "delivery.queued";
      return { event_id: (isOfCreation ? deliveryIdIn(body) : undefined) ?? event_id };
    }),
  },
  "changes-of-a-delivery-share-a-webhook-id": {
    fault: "every delivery.updated of a delivery has the same webhook-id",
    breaks: [{ clause: "EVENT-34" }],
    caughtBy: ["signatures.headers"],
    mutate: signInstead(({ event_id, type, body }) => ({
      event_id: (type === "delivery.updated" ? deliveryIdIn(body) : undefined) ?? event_id,
    })),
  },
  "webhook-id-is-subscription-id": {
    fault: "webhook-id is the subscription's id",
    breaks: [{ clause: "EVENT-34" }],
    caughtBy: ["signatures.headers"],
    mutate: signInstead(({ webhook_id }) => ({ event_id: webhook_id })),
  },
  "webhook-timestamp-in-milliseconds": {
    fault: "webhook-timestamp is in milliseconds",
    breaks: [{ clause: "EVENT-37" }],
    mutate: alterTimestamp(String),
  },
  "webhook-timestamp-is-iso": {
    fault: "webhook-timestamp is an ISO 8601 time",
    breaks: [{ clause: "EVENT-36" }],
    mutate: alterTimestamp((now) => new Date(now).toISOString()),
  },
  "webhook-timestamp-is-local-time": {
    fault: "webhook-timestamp is computed from local time (Istanbul) as if it were UTC",
    breaks: [{ clause: "EVENT-37" }],
    mutate: alterSendingTime((now) => now + 3 * 3_600_000),
  },
  "webhook-timestamp-305-seconds-behind": {
    fault: "webhook-timestamp is 305 seconds behind",
    breaks: [{ clause: "EVENT-37" }],
    mutate: alterSendingTime((now) => now - 305_000),
  },
  "webhook-timestamp-305-seconds-ahead": {
    fault: "webhook-timestamp is 305 seconds ahead",
    breaks: [{ clause: "EVENT-37" }],
    mutate: alterSendingTime((now) => now + 305_000),
  },
  "signature-without-version": {
    fault: "a signature lacks its version prefix",
    breaks: [{ clause: "EVENT-39" }],
    mutate: alterSignature((signature) => signature.replace("v1,", "")),
  },
  "signature-with-equals-sign": {
    fault: "a signature's version is followed by an equals sign instead of a comma",
    breaks: [{ clause: "EVENT-39" }],
    mutate: alterSignature((signature) => signature.replace("v1,", "v1=")),
  },
  "signatures-separated-by-commas": {
    fault: "several signatures are separated by commas",
    breaks: [{ clause: "EVENT-39" }],
    mutate: alterSignature((signature) => `${signature},${signature}`),
  },
  "signature-without-the-id": {
    fault: "the id isn't signed",
    breaks: [{ clause: "SIGN-1" }, { clause: "SIGN-3" }],
    mutate: withSigner(() => ({ text: (_, timestamp, body) => `${timestamp}.${body}` })),
  },
  "signature-without-the-timestamp": {
    fault: "the timestamp isn't signed",
    breaks: [{ clause: "SIGN-1" }, { clause: "SIGN-3" }],
    mutate: withSigner(() => ({ text: (id, _, body) => `${id}.${body}` })),
  },
  "signature-in-hex": {
    fault: "the digest is in hex",
    breaks: [{ clause: "SIGN-1" }, { clause: "SIGN-3" }],
    mutate: signWith("sha256", "hex"),
  },
  "signature-with-sha-1": {
    fault: "the digest algorithm is SHA-1",
    breaks: [{ clause: "SIGN-1" }, { clause: "SIGN-3" }],
    mutate: signWith("sha1", "base64"),
  },
  "secret-is-not-decoded": {
    fault: "the key is the secret's base64 text instead of its decoded bytes",
    breaks: [{ clause: "SIGN-1" }, { clause: "SIGN-3" }],
    mutate: withSigner(() => ({ key: (secret) => Buffer.from(secret.replace("whsec_", "")) })),
  },
  "secret-keeps-its-prefix": {
    fault: "the secret is decoded together with its whsec_ prefix",
    breaks: [{ clause: "SIGN-1" }, { clause: "SIGN-3" }],
    mutate: withSigner(() => ({ key: (secret) => Buffer.from(secret, "base64") })),
  },
  "test-events-are-not-signed": {
    fault: "a test event's signature is all zeros",
    breaks: [{ clause: "SIGN-4" }],
    mutate: alterAttemptHeaders(
      (_, { type }): Record<string, string> =>
        type === "webhook.test" ? { "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}` } : {},
    ),
  },
  "cancellations-signed-for-another-body": {
    fault: "delivery.cancelled is signed before its reason is added to the body",
    breaks: [{ clause: "SIGN-4" }],
    mutate: signInstead(({ type, body }) =>
      type === "delivery.cancelled"
        ? { body: body.replace(/"cancel_reason":"[^"]*"/, '"cancel_reason":null') }
        : {},
    ),
  },
  ...forEachElement(
    ALL_KINDS.filter(isSigned),
    (kind) => `${kind}-signed-for-another-body`,
    (kind) => ({
      fault: `${kind} is signed with an additional line break after its body`,
      breaks: breaking(kind, SIGNATURE_CLAUSES[kind]),
      mutate: signInstead(({ type, body }) => (type === kind ? { body: `${body}\n` } : {})),
    }),
  ),
  "positions-are-not-signed": {
    fault: "delivery.courier_location is signed as if its body were empty",
    breaks: [{ clause: "SIGN-9" }],
    mutate: signInstead(({ type }) => (type === "delivery.courier_location" ? { body: "" } : {})),
  },
  "courier-events-keep-the-first-secret": {
    fault: "delivery.delivered is signed with the subscription's first secret",
    breaks: [{ clause: "SIGN-8" }],
    mutate: keepFirstSecretFor("delivery.delivered"),
  },
  "pick-ups-signed-for-another-body": {
    fault: "delivery.picked_up is signed before its time is added to the body",
    breaks: [{ clause: "SIGN-8" }],
    mutate: signInstead(({ type, body }) =>
      type === "delivery.picked_up"
        ? { body: body.replace(/"picked_up_at":"[^"]*"/, '"picked_up_at":null') }
        : {},
    ),
  },
  "returns-signed-for-another-body": {
    fault: "delivery.returned is signed before its time is added to the body",
    breaks: [{ clause: "SIGN-10" }],
    mutate: signInstead(({ type, body }) =>
      type === "delivery.returned"
        ? { body: body.replace(/"returned_at":"[^"]*"/, '"returned_at":null') }
        : {},
    ),
  },
  "signature-over-escaped-body": {
    fault: "the signed body has its non-ASCII characters escaped",
    breaks: [{ clause: "SIGN-2" }],
    caughtBy: ["signatures.of-the-bytes"],
    mutate: withSigner(({ text }) => ({
      text: (id, timestamp, body) => text(id, timestamp, escapeNonAscii(body)),
    })),
  },
  "signature-over-latin-1": {
    fault: "the signed body is encoded in Latin-1",
    breaks: [{ clause: "SIGN-2" }],
    caughtBy: ["signatures.of-the-bytes"],
    mutate: withSigner(({ key, text }) => ({
      sign: (_, secret, id, timestamp, body) => {
        const bytes = Buffer.from(text(id, timestamp, body), "latin1");
        return `v1,${createHmac("sha256", key(secret)).update(bytes).digest("base64")}`;
      },
    })),
  },
  "signature-over-the-first-8-kilobytes": {
    fault: "only the first 8 kB of a body are signed",
    breaks: [{ clause: "SIGN-2" }],
    caughtBy: ["envelope.largest-order"],
    mutate: withSigner(({ key, text }) => ({
      sign: (_, secret, id, timestamp, body) => {
        const bytes = Buffer.from(text(id, timestamp, body)).subarray(0, 8192);
        return `v1,${createHmac("sha256", key(secret)).update(bytes).digest("base64")}`;
      },
    })),
  },
  "signature-over-reserialized-body": {
    fault: "the signed body is serialized differently from the sent one",
    breaks: [{ clause: "SIGN-2" }],
    caughtBy: ["signatures.of-the-bytes"],
    mutate: signInstead(({ body }) => ({ body: JSON.stringify(JSON.parse(body)).replaceAll("/", "\\/") })),
  },
  "signature-in-base64url": {
    fault: "the signature is in base64url",
    breaks: breaking(
      ["delivery.created", "delivery.updated", "delivery.queued", "delivery.cancelled", "webhook.test"],
      "SIGN-7",
    ),
    mutate: alterSignature((signature) => signature.replaceAll("+", "-").replaceAll("/", "_")),
  },
  "signature-without-padding": {
    fault: "the signature's base64 lacks its padding",
    breaks: [{ clause: "SIGN-7" }],
    mutate: alterSignature((signature) => signature.replaceAll("=", "")),
  },
};
