import { CLAIMS, type ServerClaim } from "../core/contract/claims.ts";
import { readClauseList } from "../core/contract/clause-list.ts";
import {
  type Certification,
  type CertificationOptions,
  certificationOf,
} from "../core/grading/certification.ts";
import { outcomesOf } from "../engine/events.ts";
import type { AnyCheck } from "./check.ts";
import { levelOf } from "./levels.ts";
import { type RunOptions, run } from "./run.ts";
import type { TargetDefinition } from "./session/sample-data/settings.ts";
import { serverSuite } from "./suite.ts";

export interface CertifyOptions extends RunOptions, Pick<CertificationOptions, "without"> {
  /** The target's claims. Defaults to all. */
  readonly claims?: readonly ServerClaim[];
}

/** Runs checks on a service and grades it, as `conform` does. */
export async function certify(
  target: TargetDefinition,
  all: readonly AnyCheck[],
  settings: CertifyOptions = {},
): Promise<Certification> {
  const { claims = CLAIMS, without = [], ...options } = settings;
  const { clauses } = readClauseList();
  const checks = all.filter((check) => claims.includes(levelOf(check, clauses)));
  const outcomes = await outcomesOf(run(checks, target, options));
  return certificationOf(serverSuite(checks), outcomes, { claims, without });
}
