/**
 * Private origins that webhooks may go to. Trust is for test runs: it holds for integrators of the control
 * interface, and expires if it isn't used for a time.
 */
import type { Dependencies, OriginTrust } from "../dependencies.ts";
import type { Integrator } from "../records/integrators.ts";
import type { Dispatch } from "../records/outbox.ts";

/** Uses of the trust in an origin that are recorded per lifetime, at most. */
const recordsPerLifetime = 10;

const since = ({ clock, limits }: Dependencies): number => clock.now() - limits.webhooks.trustMs;

/** True if an integrator may register a webhook at the origin. */
export async function isTrusted(
  deps: Dependencies,
  integrator: Integrator,
  origin: string,
): Promise<boolean> {
  if (deps.trustedOrigins.includes(origin)) return true;
  if (integrator.trusts_receivers === 0) return false;
  return deps.records.trustedReceivers.has(deps.database, origin, since(deps));
}

/** The trust that applies to an attempt's origin. */
export function trustIn(deps: Dependencies, { origin, trust_used_at, ca_pem }: Dispatch): OriginTrust | null {
  if (trust_used_at !== null && trust_used_at > since(deps)) return { ca_pem };
  return deps.trustedOrigins.includes(origin) ? { ca_pem: null } : null;
}

/** Records an attempt as a use of the trust in its origin. */
export async function prolongTrust(deps: Dependencies, { origin, trust_used_at }: Dispatch): Promise<void> {
  const { clock, database, limits, records } = deps;
  if (trust_used_at === null || trust_used_at <= since(deps)) return;
  if (clock.now() - trust_used_at < limits.webhooks.trustMs / recordsPerLifetime) return;
  await records.trustedReceivers.use(database, origin, clock.now());
}
