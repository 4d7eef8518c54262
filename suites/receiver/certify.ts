import { LEVELS } from "../core/claims.ts";
import { type Grade, grade } from "../core/grade.ts";
import type { Outcome } from "../core/outcome.ts";
import type { ReceiverCheck } from "./check.ts";
import { receiverChecks } from "./checks/index.ts";
import { examine } from "./run-check.ts";
import { ReceiverSession } from "./session/session.ts";
import type { ReceiverTarget } from "./session/settings.ts";
import { receiverSuite } from "./suite.ts";

export interface ReceiverCertification {
  readonly grade: Grade;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** A line for each check that did not pass, by the check's id. */
  readonly trouble: Readonly<Record<string, string>>;
}

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
): Promise<ReceiverCertification> {
  const session = new ReceiverSession(target);
  const outcomes = new Map<string, Outcome>();
  const run = async (check: ReceiverCheck) => outcomes.set(check.id, await examine(check, session, SEED));
  try {
    const queue = checks.filter(({ alone }) => !alone);
    const worker = async () => {
      for (let check = queue.shift(); check; check = queue.shift()) await run(check);
    };
    await Promise.all(Array.from({ length: JOBS }, worker));
    for (const check of checks.filter(({ alone }) => alone)) await run(check);
  } finally {
    session.close();
  }
  const { clauses } = receiverSuite(checks);
  const trouble = [...outcomes].flatMap(([id, { status, message, expected, actual }]) =>
    status === "passed" ? [] : [[id, `${status}: ${message ?? ""} (expected ${expected}, actual ${actual})`]],
  );
  return {
    grade: grade({
      levels: LEVELS.receiver,
      clauses,
      checks: checks.map(({ id, clauses: ids }) => ({ id, clauses: ids, status: outcomes.get(id)?.status })),
      claims: LEVELS.receiver,
      incomplete: false,
      strict: false,
    }),
    outcomes,
    trouble: Object.fromEntries(trouble),
  };
}
