import type { Certification } from "../../core/grading/certification.ts";
import { certifyClient } from "../certify.ts";
import { clientChecks } from "../checks/index.ts";
import { FAST_TIME_SCALE } from "../mutants/run-mutant.ts";
import { CORRECT_BEHAVIOUR } from "../reference-client/behaviour.ts";
import { ReferenceClient } from "../reference-client/client.ts";
import { startReferenceService } from "../reference-client/service.ts";
import { REAL_CLOCK, virtualClock } from "../session/run-clock.ts";
import { scenarioNames } from "../session/scenarios/scenarios.ts";
import type { ClientVariant } from "../variants.ts";

export const SEED = 20_261_121;

/** The checks that judge the length of waits. */
const TIMED = ["backoff.grows", "retries.retry-after"];

/**
 * Certifies a client with other legal choices at a small time scale. A client with concurrent requests waits in
 * real time, so a busy machine may change that client's waits.
 */
export function certifyVariant({
  behaviour,
  without = [],
  timeScale = FAST_TIME_SCALE,
}: Omit<ClientVariant, "choice">): Promise<Certification> {
  const isSequential = behaviour.atOnce === undefined;
  const clock = isSequential ? virtualClock() : REAL_CLOCK;
  return certifyClient({
    checks: clientChecks.filter(({ id }) => isSequential || !TIMED.includes(id)),
    without,
    timeScale,
    clock,
    seed: SEED,
    startService: startReferenceService,
    client: (access) =>
      new ReferenceClient(access, { ...CORRECT_BEHAVIOUR, ...behaviour }, timeScale, clock).play(
        scenarioNames.length,
      ),
  });
}
