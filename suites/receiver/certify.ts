import {
  type Certification,
  type CertificationOptions,
  certificationOf,
} from "../core/grading/certification.ts";
import { outcomesOf } from "../engine/events.ts";
import { run } from "../engine/run.ts";
import type { ReceiverCheck } from "./check.ts";
import { receiverChecks } from "./checks/index.ts";
import { receiverTarget } from "./run-target.ts";
import type { ReceiverTarget } from "./session/settings.ts";
import { receiverSuite } from "./suite.ts";

const JOBS = 4;

/** Runs checks on a receiver and grades it, like the command `receiver`. */
export async function certifyReceiver(
  target: ReceiverTarget,
  checks: readonly ReceiverCheck[] = receiverChecks,
  { without = [] }: Pick<CertificationOptions, "without"> = {},
): Promise<Certification> {
  const outcomes = await outcomesOf(run(checks, receiverTarget(target), { jobs: JOBS }));
  return certificationOf(receiverSuite(checks), outcomes, { without });
}
