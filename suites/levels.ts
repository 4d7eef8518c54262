import { CAPABILITY_CLAIM } from "./capabilities.ts";
import { type AnyCheck, isExperiment } from "./check.ts";
import { CLAIMS, type Claim } from "./claims.ts";
import type { Clause } from "./ledger.ts";

/** The level of a check: the highest of its clauses' and of what it needs. */
export function levelOf(check: AnyCheck, clauses: readonly Clause[]): Claim {
  const ofClauses = clauses.filter(({ id }) => check.clauses.includes(id)).map(({ claim }) => claim ?? "api");
  const ofNeeds = isExperiment(check) ? check.needs.map((need) => CAPABILITY_CLAIM[need]) : [];
  return CLAIMS.findLast((claim) => ofClauses.includes(claim) || ofNeeds.includes(claim)) ?? "api";
}

export function severityOf(check: AnyCheck, clauses: readonly Clause[]): "MUST" | "SHOULD" {
  return clauses.some(({ id, level }) => level === "MUST" && check.clauses.includes(id)) ? "MUST" : "SHOULD";
}
