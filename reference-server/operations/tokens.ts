import { DomainError } from "../errors.ts";
import type { Parts } from "../parts.ts";
import type { Integrator } from "../records/integrators.ts";
import type { PublicOperation } from "./operation.ts";

/**
 * Returns a token for client credentials, or 401 invalid_client for wrong or closed ones (specification,
 * Token).
 */
export const obtainToken: PublicOperation<"obtainToken"> = async ({ parts, body }) => {
  const integrator = await parts.records.integrators.findByClientId(parts.database, body.client_id);
  // Compares even for an unknown client id, so that the response time doesn't reveal it.
  const matches = parts.credentials.matches(body.client_secret, integrator?.secret_hash ?? "");
  if (integrator === undefined || !matches || integrator.closed_at !== null) {
    throw new DomainError("invalid_client");
  }
  return { status: 200, body: await issueTokenTo(parts, integrator) };
};

/** A new token, issued now on the integrator's clock. */
export async function issueTokenTo(parts: Parts, integrator: Integrator) {
  const token = parts.ids.token();
  const now = parts.clock.of(integrator, parts.clock.now());
  const seconds = parts.limits.tokenSeconds;
  await parts.records.tokens.insert(
    parts.database,
    {
      hash: parts.credentials.hash(token),
      integrator_id: integrator.id,
      expires_at: now + seconds * 1000,
    },
    now,
  );
  return { access_token: token, token_type: "Bearer" as const, expires_in: seconds };
}
