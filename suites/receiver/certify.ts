import { type Certification, certificationOf } from "../core/certification.ts";
import { runChecks, runOrder } from "../core/run-checks.ts";
import { type ReceiverCheck, runsAlone } from "./check.ts";
import { receiverChecks } from "./checks/index.ts";
import { examine } from "./run-check.ts";
import { ReceiverSession } from "./session/session.ts";
import type { ReceiverTarget } from "./session/settings.ts";
import { receiverSuite } from "./suite.ts";

const JOBS = 4;
/** One seed, so that what is found can be repeated. */
const SEED = 1;

/**
 * Certifies a receiver inside a vitest test: what `receiver` does with a reporter, as one call. It is how variants,
 * samples and null receivers are held against the suite.
 */
export async function certifyReceiver(
  target: ReceiverTarget,
  checks: readonly ReceiverCheck[] = receiverChecks,
): Promise<Certification> {
  const session = new ReceiverSession(target);
  try {
    const run = (check: ReceiverCheck) => examine(check, session, SEED);
    const outcomes = await runChecks(runOrder(checks, runsAlone), run, JOBS);
    return certificationOf(receiverSuite(checks), outcomes);
  } finally {
    session.close();
  }
}
