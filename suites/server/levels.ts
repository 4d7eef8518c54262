import { CLAIMS, type ServerClaim } from "../core/contract/claims.ts";
import type { Clause } from "../core/contract/clause-list.ts";
import { CAPABILITY_CLAIM } from "./capabilities.ts";
import { type AnyCheck, isActive } from "./check.ts";

/** A check's level: the highest of its clauses and needs. */
export function levelOf(check: AnyCheck, clauses: readonly Clause[]): ServerClaim {
  const ofClauses = clauses.filter(({ id }) => check.clauses.includes(id)).map(({ claim }) => claim);
  const ofNeeds = isActive(check) ? check.needs.map((need) => CAPABILITY_CLAIM[need]) : [];
  return CLAIMS.findLast((claim) => ofClauses.includes(claim) || ofNeeds.includes(claim)) ?? "api";
}
