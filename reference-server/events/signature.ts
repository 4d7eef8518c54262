/** How an attempt is signed (specification, Signature; the Standard Webhooks format). */
import { createHmac } from "node:crypto";
import { secretPrefix } from "../domain/credentials.ts";

export interface Signer {
  /** The key that a secret stands for. */
  key(secret: string): Buffer;
  /** The text that is signed. */
  text(id: string, timestamp: string, body: string): string;
  /** What `webhook-signature` holds; `secret` as the integrator has it. */
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
