/** Webhook receivers of the test set-up (control interface, `trustReceiver`). */
import { X509Certificate } from "node:crypto";
import { rejected } from "../errors.ts";
import type { ControlOperation } from "../operations/operation.ts";

/** 204. Trusting an origin again replaces its CA. */
export const trustReceiver: ControlOperation<"trustReceiver"> = async ({ parts, body }) => {
  const url = URL.parse(body.origin);
  if (url?.protocol !== "https:") throw rejected("origin", "https adresi olmalı");
  if (body.ca_pem !== undefined && !isCertificate(body.ca_pem)) {
    throw rejected("ca_pem", "PEM biçiminde bir sertifika olmalı");
  }
  const ca_pem = body.ca_pem ?? null;
  await parts.records.trustedReceivers.put(parts.database, { origin: url.origin, ca_pem });
  return { status: 204 };
};

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).ca;
  } catch {
    return false;
  }
}
