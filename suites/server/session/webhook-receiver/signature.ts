import { timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { digestOf, keyOf, type SignedParts } from "../../../core/signing/webhook-signing.ts";
import type { Attempt } from "./attempt.ts";

/** The digests of an attempt's `v1` entries. */
function v1Digests(signatureHeader: string): readonly Buffer[] {
  return signatureHeader
    .split(" ")
    .filter((entry) => entry.startsWith("v1,"))
    .map((entry) => Buffer.from(entry.slice("v1,".length), "base64"));
}

/** The parts that an attempt's signature covers. */
export const signedParts = ({ headers, bytes }: Attempt): SignedParts => ({
  id: headers["webhook-id"] ?? "",
  timestamp: headers["webhook-timestamp"] ?? "",
  body: bytes,
});

/** True if at least one of the attempt's signatures is valid for the secret. */
export function isSignedWith(attempt: Attempt, secret: string): boolean {
  const expected = digestOf(keyOf(secret), signedParts(attempt));
  return v1Digests(attempt.headers["webhook-signature"] ?? "").some(
    (digest) => digest.length === expected.length && timingSafeEqual(digest, expected),
  );
}

/**
 * The signature that a Standard Webhooks library calculates for an attempt. The library's `verify` can't be
 * used, because it compares the timestamp with this machine's clock.
 */
export function librarySignature({ headers, bytes }: Attempt, secret: string): string {
  const id = headers["webhook-id"] ?? "";
  const timestamp = new Date(Number(headers["webhook-timestamp"]) * 1000);
  const body = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  // The library accepts only padded standard base64, and the form of secrets is unspecified (OPEN-77).
  return new Webhook(keyOf(secret).toString("base64")).sign(id, timestamp, body);
}
