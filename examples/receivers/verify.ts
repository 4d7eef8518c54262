import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

const TOLERANCE_S = 300;

/**
 * Returns the key: the secret without its prefix, decoded. Throws without a secret, because an empty key
 * would accept forged events.
 */
function keyFrom(secret: string | undefined): Buffer {
  const key = Buffer.from(secret?.startsWith("whsec_") ? secret.slice("whsec_".length) : "", "base64");
  if (key.length === 0) throw new Error("set WEBHOOK_SECRET to the secret of the subscription (whsec_…)");
  return key;
}

const key = keyFrom(process.env.WEBHOOK_SECRET);

/** Compares in constant time. Digests of another length don't match, and don't throw. */
function same(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Verifies an event.
 * @param body the raw bytes, before any parser
 * @returns the webhook-id of a genuine event, or the status of the refusal
 */
export function verify(headers: IncomingHttpHeaders, body: Buffer): { id: string } | { refuse: 400 | 401 } {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map(
    (name) => headers[`webhook-${name}`],
  );
  if (typeof id !== "string" || typeof timestamp !== "string" || typeof signatures !== "string") {
    return { refuse: 400 };
  }
  if (id === "" || signatures === "" || !/^\d+$/.test(timestamp)) return { refuse: 400 };
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_S) return { refuse: 400 };
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  const genuine = signatures
    .split(" ")
    .filter((entry) => entry.startsWith("v1,"))
    .some((entry) => same(Buffer.from(entry.slice("v1,".length), "base64"), expected));
  return genuine ? { id } : { refuse: 401 };
}
