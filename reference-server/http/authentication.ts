/** Identifies the sender of a request (specification, Authentication). */
import type { Identity, Parts } from "../parts.ts";

/** Doesn't refuse anything: public operations need no token, and all requests are counted. */
export async function identify(parts: Parts, authorization: string | undefined): Promise<Identity> {
  const read = parts.tokens.read(authorization);
  if ("refusal" in read) return read;
  const tokenHash = parts.credentials.hash(read.token);
  const holder = await parts.records.tokens.find(parts.database, tokenHash);
  if (holder === undefined) return { refusal: "GECERSIZ" };
  const now = parts.clock.of(holder.integrator, parts.clock.now());
  const refusal = parts.tokens.refusal(holder, now);
  return refusal === undefined ? { integrator: holder.integrator, tokenHash, now } : { refusal };
}
