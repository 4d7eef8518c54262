import { CLAIMS, type ServerClaim } from "../core/contract/claims.ts";
import { readLedger } from "../core/contract/ledger.ts";
import {
  type Certification,
  type CertificationOptions,
  certificationOf,
} from "../core/grading/certification.ts";
import type { AnyCheck } from "./check.ts";
import { levelOf } from "./levels.ts";
import { longestFirst } from "./rounds/rounds.ts";
import { type RunOptions, runOnTarget } from "./run-checks.ts";
import type { TargetSettings } from "./session/settings.ts";
import { serverSuite } from "./suite.ts";

export interface CertifyOptions
  extends Partial<Pick<RunOptions, "seed" | "jobs" | "observe">>,
    Pick<CertificationOptions, "without"> {
  readonly claims?: readonly ServerClaim[];
}

/**
 * Certifies a target inside a vitest test: what `conform` does with a reporter, as one call. It is how variants and
 * other servers are held against the suite.
 */
export async function certify(
  target: TargetSettings,
  all: readonly AnyCheck[],
  { seed = 1, jobs = 8, claims = CLAIMS, without = [], ...options }: CertifyOptions = {},
): Promise<Certification> {
  const { clauses } = readLedger();
  const checks = all.filter((check) => claims.includes(levelOf(check, clauses)));
  const outcomes = await runOnTarget(target, longestFirst(checks), { seed, jobs, ...options });
  return certificationOf(serverSuite(checks), outcomes, { claims, without });
}
