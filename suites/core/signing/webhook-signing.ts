import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/** The signed parts: the values of two headers, and the body's bytes. */
export interface SignedParts {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly body: Uint8Array;
}

/** The key of a secret: its base64 without the prefix, decoded (specification, "Signature"). */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, "base64");
}

/** `{id}.{timestamp}.{body}`, with the exact bytes of the body. */
export const signedText = ({ id, timestamp, body }: SignedParts): Buffer =>
  Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);

/** The HMAC of the signed text. */
export const digestOf = (key: string | Uint8Array, parts: SignedParts, algorithm = "sha256"): Buffer =>
  createHmac(algorithm, key).update(signedText(parts)).digest();

/** A correct entry of webhook-signature. */
export const signatureOf = (key: string | Uint8Array, parts: SignedParts): string =>
  `v1,${digestOf(key, parts).toString("base64")}`;
