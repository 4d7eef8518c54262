import {
  type Certification,
  type CertificationOptions,
  certificationOf,
} from "../core/grading/certification.ts";
import { clientChecks } from "./checks/index.ts";
import { type ClientRun, runClientChecks } from "./run-target.ts";
import { scenarioNames } from "./session/scenarios/scenarios.ts";
import { clientSuite } from "./suite.ts";

/** The options of a certified run. By default, all checks and scenarios run. */
type CertifiedRun = Omit<ClientRun, "checks" | "scenarios"> &
  Partial<Pick<ClientRun, "checks" | "scenarios">> &
  Pick<CertificationOptions, "without">;

/** Runs a client in this process through the scenarios, and grades the results. */
export async function certifyClient({
  checks = clientChecks,
  scenarios = scenarioNames,
  without = [],
  ...run
}: CertifiedRun): Promise<Certification> {
  const outcomes = await runClientChecks({ ...run, checks, scenarios });
  return certificationOf(clientSuite(checks), outcomes, { without });
}
