import type { ClientCheck } from "./check.ts";
import type { Evidence } from "./session/evidence.ts";
import type { Scenario } from "./session/scenario.ts";
import { SCENARIOS } from "./session/scenarios.ts";

/** What checks want played again after what was seen, since it decides nothing. */
export const undecidedBy =
  (checks: readonly ClientCheck[]) =>
  (evidence: Evidence): Scenario | undefined => {
    const again = checks.find((check) => check.again?.isOfUse(evidence))?.again;
    return again && { name: again.scenario, ...SCENARIOS[again.scenario] };
  };
