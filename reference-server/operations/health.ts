import type { PublicOperation } from "../call.ts";

/** No Redis is used by this build, which is no fault. */
export const getHealth: PublicOperation<"getHealth"> = async ({ parts }) => {
  await parts.records.clocks.lastAdvance(parts.database);
  return { status: 200, body: { ok: true, version: parts.apiVersion, db: "ok", redis: "none" } };
};
