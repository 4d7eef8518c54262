/** Webhook receivers of test runs (control interface, `trustReceiver`). */
import { X509Certificate } from "node:crypto";
import { rejected } from "../errors.ts";
import type { ControlOperation } from "../operations/operation.ts";

/** 204. Trusting an origin again replaces its CA. */
export const trustReceiver: ControlOperation<"trustReceiver"> = async ({ deps, body }) => {
  const url = URL.parse(body.origin);
  if (url?.protocol !== "https:") throw rejected("origin", "https adresi olmalı");
  const refusal = body.ca_pem === undefined ? undefined : refusalOf(body.ca_pem);
  if (refusal !== undefined) throw rejected("ca_pem", refusal);
  const ca_pem = body.ca_pem ?? null;
  const now = deps.clock.now();
  const { trustedReceivers } = deps.records;
  await trustedReceivers.purge(deps.database, now - deps.limits.webhooks.trustMs);
  await trustedReceivers.put(deps.database, { origin: url.origin, ca_pem, used_at: now });
  return { status: 204 };
};

/** Why a certificate is invalid; undefined for a valid one. */
function refusalOf(pem: string): string | undefined {
  try {
    const { ca, issuer } = new X509Certificate(pem);
    if (ca) return undefined;
    return `bir CA sertifikası olmalı: bu, sunucunun kendi sertifikası; onu imzalayanınki gerekli (${issuer.replaceAll("\n", ", ")})`;
  } catch {
    return "PEM biçiminde bir sertifika olmalı";
  }
}
