import {
  type Certification,
  type CertificationOptions,
  certificationOf,
} from "../core/grading/certification.ts";
import { clientChecks } from "./checks/index.ts";
import { type ClientRun, runClientChecks } from "./run-target.ts";
import { scenarioNames } from "./session/scenarios.ts";
import { clientSuite } from "./suite.ts";

/** A run of all checks on all scenarios, where none are named. */
type CertifiedRun = Omit<ClientRun, "checks" | "scenarios"> &
  Partial<Pick<ClientRun, "checks" | "scenarios">> &
  Pick<CertificationOptions, "without">;

/** Lets a client play the scenarios inside this process, and grades what the checks say of it. */
export async function certifyClient({
  checks = clientChecks,
  scenarios = scenarioNames,
  without = [],
  ...run
}: CertifiedRun): Promise<Certification> {
  const outcomes = await runClientChecks({ ...run, checks, scenarios });
  return certificationOf(clientSuite(checks), outcomes, { without });
}
