/** Signs and verifies statements in DSSE envelopes (Dead Simple Signing Envelope 1.0), which cosign and in-toto read. */
import { createPublicKey, type KeyObject, sign } from "node:crypto";
import { crypto, dsse } from "@sigstore/core";
import { isObject, parseJson } from "../../../suites/core/json.ts";
import { ambiguousJson } from "../../../suites/core/json-bytes.ts";
import { sha256 } from "./digests.ts";

const PAYLOAD_TYPE = "application/vnd.in-toto+json";
/** The digest algorithm for a key; undefined for Ed25519, which needs none. */
const digestFor = (key: KeyObject): string | undefined =>
  key.asymmetricKeyType === "ed25519" || key.asymmetricKeyType === "ed448" ? undefined : "sha256";

/** The id of a key: a digest of the public key. */
const keyIdOf = (key: KeyObject): string =>
  sha256(createPublicKey(key).export({ type: "spki", format: "der" }));

/** The contents of attestation.dsse.json: the signed statement. */
export function signedEnvelope(statement: string, key: KeyObject): string {
  const payload = Buffer.from(statement);
  const signature = sign(digestFor(key), dsse.preAuthEncoding(PAYLOAD_TYPE, payload), key);
  const envelope = {
    payload: payload.toString("base64"),
    payloadType: PAYLOAD_TYPE,
    signatures: [{ keyid: keyIdOf(key), sig: signature.toString("base64") }],
  };
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

/**
 * Verifies an envelope.
 * @returns the problem; undefined if the envelope has a valid signature by the key
 */
export function envelopeProblem(text: string, statement: string, key: KeyObject): string | undefined {
  const envelope = parseJson(text);
  if (!isObject(envelope) || typeof envelope.payload !== "string" || !Array.isArray(envelope.signatures)) {
    return "isn't a DSSE envelope";
  }
  const ambiguity = ambiguousJson(text, envelope);
  if (ambiguity !== undefined) return ambiguity;
  const payload = Buffer.from(envelope.payload, "base64");
  if (envelope.payloadType !== PAYLOAD_TYPE) return `contains no statement, by its payloadType`;
  const signed = dsse.preAuthEncoding(PAYLOAD_TYPE, payload);
  const isSigned = envelope.signatures.some((one: unknown) => {
    if (!isObject(one) || typeof one.sig !== "string") return false;
    return crypto.verify(signed, key, Buffer.from(one.sig, "base64"), digestFor(key));
  });
  if (!isSigned) return "isn't signed with this key";
  return payload.equals(Buffer.from(statement))
    ? undefined
    : "signs a different statement than attestation.json";
}
