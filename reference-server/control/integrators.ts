/** Integrators of the control interface. */
import type { IntegratorTable } from "../database/schema.ts";
import type { Dependencies } from "../dependencies.ts";
import { DomainError } from "../errors.ts";
import type { Integrator } from "../records/integrators.ts";

/** Stores a new integrator and returns its credentials. */
export async function makeIntegrator(
  deps: Dependencies,
  traits: Pick<IntegratorTable, "kind" | "trusts_receivers">,
): Promise<{ client_id: string; client_secret: string }> {
  const client_id = deps.ids.clientId();
  const client_secret = deps.ids.clientSecret();
  await deps.transaction((tx) =>
    deps.records.integrators.insert(tx, {
      id: deps.ids.uuid(),
      client_id,
      secret_hash: deps.credentials.hash(client_secret),
      ...traits,
      closed_at: null,
      clock_offset_ms: 0,
      clock_frozen_at: null,
      clock_moved_by: null,
      created_at: deps.clock.now(),
    }),
  );
  return { client_id, client_secret };
}

/** Throws BULUNAMADI if no integrator has this client_id. */
export async function integratorOf(deps: Dependencies, clientId: string): Promise<Integrator> {
  const integrator = await deps.records.integrators.findByClientId(deps.database, clientId);
  if (integrator === undefined) throw new DomainError("BULUNAMADI");
  return integrator;
}
