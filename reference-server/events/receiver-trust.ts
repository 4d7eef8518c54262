/**
 * Private origins that webhooks may go to. Trust is for test runs: it holds for integrators of the control interface,
 * and expires when it isn't used.
 */
import type { OriginTrust, Parts } from "../parts.ts";
import type { Integrator } from "../records/integrators.ts";
import type { Dispatch } from "../records/outbox.ts";

/** A use is recorded at most once per tenth of the trust's lifetime. */
const share = 10;

const since = ({ clock, limits }: Parts): number => clock.now() - limits.webhooks.trustMs;

/** True if an integrator may register a webhook at the origin. */
export async function isTrusted(parts: Parts, integrator: Integrator, origin: string): Promise<boolean> {
  if (parts.trustedOrigins.includes(origin)) return true;
  if (integrator.trusts_receivers === 0) return false;
  return parts.records.trustedReceivers.has(parts.database, origin, since(parts));
}

/** The trust that applies to an attempt's origin. */
export function trustIn(parts: Parts, { origin, trust_used_at, ca_pem }: Dispatch): OriginTrust | null {
  if (trust_used_at !== null && trust_used_at > since(parts)) return { ca_pem };
  return parts.trustedOrigins.includes(origin) ? { ca_pem: null } : null;
}

/** Records an attempt as a use of the trust in its origin. */
export async function prolongTrust(parts: Parts, { origin, trust_used_at }: Dispatch): Promise<void> {
  const { clock, database, limits, records } = parts;
  if (trust_used_at === null || trust_used_at <= since(parts)) return;
  if (clock.now() - trust_used_at < limits.webhooks.trustMs / share) return;
  await records.trustedReceivers.use(database, origin, clock.now());
}
