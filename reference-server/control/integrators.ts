/** Integrators of the control interface. */
import type { IntegratorTable } from "../database/schema.ts";
import { DomainError } from "../errors.ts";
import type { ControlOperation } from "../operations/operation.ts";
import { issueTokenTo } from "../operations/tokens.ts";
import type { Parts } from "../parts.ts";
import type { Integrator } from "../records/integrators.ts";

/** These integrators belong to test runs, which may trust receivers. */
export const createIntegrator: ControlOperation<"createIntegrator"> = async ({ parts, body }) => ({
  status: 201,
  body: await makeIntegrator(parts, { kind: body?.kind ?? "integrator", trusts_receivers: 1 }),
});

/** A new integrator without data. */
export async function makeIntegrator(
  parts: Parts,
  traits: Pick<IntegratorTable, "kind" | "trusts_receivers">,
): Promise<{ client_id: string; client_secret: string }> {
  const client_id = parts.ids.clientId();
  const client_secret = parts.ids.clientSecret();
  await parts.transaction(parts, (tx) =>
    parts.records.integrators.insert(tx, {
      id: parts.ids.uuid(),
      client_id,
      secret_hash: parts.credentials.hash(client_secret),
      ...traits,
      closed_at: null,
      clock_offset_ms: 0,
      clock_frozen_at: null,
      clock_moved_by: null,
      created_at: parts.clock.now(),
    }),
  );
  return { client_id, client_secret };
}

export const issueToken: ControlOperation<"issueToken"> = async ({ parts, path }) => {
  const integrator = await integratorOf(parts, path.client_id);
  if (integrator.closed_at !== null) throw new DomainError("KIMLIK_KAPALI");
  return { status: 201, body: await issueTokenTo(parts, integrator) };
};

export const closeIntegrator: ControlOperation<"closeIntegrator"> = async ({ parts, path }) => {
  const integrator = await integratorOf(parts, path.client_id);
  const now = parts.clock.of(integrator, parts.clock.now());
  await parts.records.integrators.close(parts.database, integrator.id, now);
  return { status: 204 };
};

export const readCredit: ControlOperation<"readCredit"> = async ({ parts, path }) => {
  const { id } = await integratorOf(parts, path.client_id);
  return {
    status: 200,
    body: { consumed: await parts.records.credit.read(parts.database, id) },
  };
};

/** Throws BULUNAMADI if no integrator has this client_id. */
export async function integratorOf(parts: Parts, clientId: string): Promise<Integrator> {
  const integrator = await parts.records.integrators.findByClientId(parts.database, clientId);
  if (integrator === undefined) throw new DomainError("BULUNAMADI");
  return integrator;
}
