/** Identifies the sender of a request (specification, Authentication). */
import type { Dependencies, Identity } from "../dependencies.ts";

/** Doesn't refuse anything: public operations need no token, and all requests are counted. */
export async function identify(deps: Dependencies, authorization: string | undefined): Promise<Identity> {
  const read = deps.tokens.read(authorization);
  if ("refusal" in read) return read;
  const tokenHash = deps.credentials.hash(read.token);
  const holder = await deps.records.tokens.find(deps.database, tokenHash);
  if (holder === undefined) return { refusal: "GECERSIZ" };
  const now = deps.clock.of(holder.integrator, deps.clock.now());
  const refusal = deps.tokens.refusal(holder, now);
  return refusal === undefined ? { integrator: holder.integrator, tokenHash, now } : { refusal };
}
