import { timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { digestOf, keyOf, type SignedParts } from "../../../core/signing/webhook-signing.ts";
import type { Attempt } from "./attempt.ts";

/** The digests that an attempt carries under `v1`; entries of other versions don't count. */
export function v1Digests(signatureHeader: string): readonly Buffer[] {
  return signatureHeader
    .split(" ")
    .filter((entry) => entry.startsWith("v1,"))
    .map((entry) => Buffer.from(entry.slice("v1,".length), "base64"));
}

/** The text that an attempt's signature has to cover. */
export const signedParts = ({ headers, bytes }: Attempt): SignedParts => ({
  id: headers["webhook-id"] ?? "",
  timestamp: headers["webhook-timestamp"] ?? "",
  body: bytes,
});

/** True if one of the attempt's signatures was made with the secret. One match suffices. */
export function isSignedWith(attempt: Attempt, secret: string): boolean {
  const due = digestOf(keyOf(secret), signedParts(attempt));
  return v1Digests(attempt.headers["webhook-signature"] ?? "").some(
    (digest) => digest.length === due.length && timingSafeEqual(digest, due),
  );
}

/**
 * The signature that a library for Standard Webhooks makes of an attempt, and compares when it verifies one. Its own
 * `verify` is of no use: it uses this machine's clock, and the integrator's may have been moved.
 */
export function librarySignature({ headers, bytes }: Attempt, secret: string): string {
  const id = headers["webhook-id"] ?? "";
  const timestamp = new Date(Number(headers["webhook-timestamp"]) * 1000);
  const body = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  // The library accepts only base64 of the standard alphabet with padding. The form of secrets is open (OPEN-77).
  return new Webhook(keyOf(secret).toString("base64")).sign(id, timestamp, body);
}
