import {
  type Certification,
  type CertificationOptions,
  certificationOf,
} from "../core/grading/certification.ts";
import { clientChecks } from "./checks/index.ts";
import { type ClientRun, runClientChecks } from "./run-checks.ts";
import { scenarioNames } from "./session/scenarios.ts";
import { clientSuite } from "./suite.ts";

/** A run of all checks on all scenarios, where none are named. */
type CertifiedRun = Omit<ClientRun, "checks" | "scenarios"> &
  Partial<Pick<ClientRun, "checks" | "scenarios">> &
  Pick<CertificationOptions, "without">;

/**
 * Certifies a client inside a vitest test: lets it play the scenarios, and grades what the checks say. It is how variants
 * and samples are held against the suite.
 */
export async function certifyClient({
  checks = clientChecks,
  scenarios = scenarioNames,
  without = [],
  ...run
}: CertifiedRun): Promise<Certification> {
  const outcomes = await runClientChecks({ ...run, checks, scenarios });
  return certificationOf(clientSuite(checks), outcomes, { without });
}
