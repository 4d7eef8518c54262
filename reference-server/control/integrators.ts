/** Integrators of the control interface. */
import type { IntegratorTable } from "../database/schema.ts";
import type { Dependencies } from "../dependencies.ts";
import { DomainError } from "../errors.ts";
import type { ControlOperation } from "../operations/operation.ts";
import { issueTokenTo } from "../operations/tokens.ts";
import type { Integrator } from "../records/integrators.ts";

/** These integrators belong to test runs, which may trust receivers. */
export const createIntegrator: ControlOperation<"createIntegrator"> = async ({ deps, body }) => ({
  status: 201,
  body: await makeIntegrator(deps, { kind: body?.kind ?? "integrator", trusts_receivers: 1 }),
});

/** A new integrator without data. */
export async function makeIntegrator(
  deps: Dependencies,
  traits: Pick<IntegratorTable, "kind" | "trusts_receivers">,
): Promise<{ client_id: string; client_secret: string }> {
  const client_id = deps.ids.clientId();
  const client_secret = deps.ids.clientSecret();
  await deps.transaction(deps, (tx) =>
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

export const issueToken: ControlOperation<"issueToken"> = async ({ deps, path }) => {
  const integrator = await integratorOf(deps, path.client_id);
  if (integrator.closed_at !== null) throw new DomainError("KIMLIK_KAPALI");
  return { status: 201, body: await issueTokenTo(deps, integrator) };
};

export const closeIntegrator: ControlOperation<"closeIntegrator"> = async ({ deps, path }) => {
  const integrator = await integratorOf(deps, path.client_id);
  const now = deps.clock.of(integrator, deps.clock.now());
  await deps.records.integrators.close(deps.database, integrator.id, now);
  return { status: 204 };
};

export const readCredit: ControlOperation<"readCredit"> = async ({ deps, path }) => {
  const { id } = await integratorOf(deps, path.client_id);
  return {
    status: 200,
    body: { consumed: await deps.records.credit.read(deps.database, id) },
  };
};

/** Throws BULUNAMADI if no integrator has this client_id. */
export async function integratorOf(deps: Dependencies, clientId: string): Promise<Integrator> {
  const integrator = await deps.records.integrators.findByClientId(deps.database, clientId);
  if (integrator === undefined) throw new DomainError("BULUNAMADI");
  return integrator;
}
