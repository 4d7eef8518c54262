/** The signature of a delivery attempt (specification, Signature; the Standard Webhooks format). */
import { createHmac } from "node:crypto";
import { secretPrefix } from "../domain/credentials.ts";

export interface Signer {
  /** The key in a secret. */
  key(secret: string): Buffer;
  /** The signed text. */
  text(id: string, timestamp: string, body: string): string;
  /** The value of `webhook-signature`. `secret` is in the integrator's form. */
  sign(signer: Signer, secret: string, id: string, timestamp: string, body: string): string;
}

export const signer: Signer = {
  key: (secret) => Buffer.from(secret.slice(secretPrefix.length), "base64"),
  text: (id, timestamp, body) => `${id}.${timestamp}.${body}`,
  sign({ key, text }, secret, id, timestamp, body) {
    const digest = createHmac("sha256", key(secret)).update(text(id, timestamp, body));
    return `v1,${digest.digest("base64")}`;
  },
};
