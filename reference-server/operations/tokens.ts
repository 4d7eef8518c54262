import type { Dependencies } from "../dependencies.ts";
import { DomainError } from "../errors.ts";
import type { Integrator } from "../records/integrators.ts";
import type { PublicOperation } from "./operation.ts";

/**
 * Returns a token for client credentials, or 401 invalid_client for wrong or closed credentials (specification,
 * Token).
 */
export const obtainToken: PublicOperation<"obtainToken"> = async ({ deps, body }) => {
  const integrator = await deps.records.integrators.findByClientId(deps.database, body.client_id);
  // Compares even for an unknown client id, so that the response time doesn't reveal whether the id is known.
  const matches = deps.credentials.matches(body.client_secret, integrator?.secret_hash ?? "");
  if (integrator === undefined || !matches || integrator.closed_at !== null) {
    throw new DomainError("invalid_client");
  }
  return { status: 200, body: await issueTokenTo(deps, integrator) };
};

/** A new token, issued now on the integrator's clock. */
export async function issueTokenTo(deps: Dependencies, integrator: Integrator) {
  const token = deps.ids.token();
  const now = deps.clock.timeOf(integrator, deps.clock.now());
  const seconds = deps.limits.tokenSeconds;
  await deps.records.tokens.insert(
    deps.database,
    {
      hash: deps.credentials.hash(token),
      integrator_id: integrator.id,
      expires_at: now + seconds * 1000,
    },
    now,
  );
  return { access_token: token, token_type: "Bearer" as const, expires_in: seconds };
}
