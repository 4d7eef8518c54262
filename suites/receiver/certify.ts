import {
  type Certification,
  type CertificationOptions,
  certificationOf,
} from "../core/grading/certification.ts";
import { runChecks } from "../core/run-checks.ts";
import type { ReceiverCheck } from "./check.ts";
import { orderOf } from "./check-order.ts";
import { CheckRunner } from "./check-runner.ts";
import { receiverChecks } from "./checks/index.ts";
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
  { without = [] }: Pick<CertificationOptions, "without"> = {},
): Promise<Certification> {
  const session = new ReceiverSession(target);
  try {
    const runner = new CheckRunner(session, checks, SEED);
    const outcomes = await runChecks(orderOf(checks), (check) => runner.examine(check), JOBS);
    return certificationOf(receiverSuite(checks), outcomes, { without });
  } finally {
    session.close();
  }
}
