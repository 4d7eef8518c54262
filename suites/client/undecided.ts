import type { ClientCheck } from "./check.ts";
import type { Evidence } from "./session/evidence.ts";
import type { Scenario } from "./session/scenario.ts";
import { SCENARIOS } from "./session/scenarios.ts";

/** The scenarios to play again because checks found the evidence inconclusive. */
export const undecidedBy =
  (checks: readonly ClientCheck[]) =>
  (evidence: Evidence): Scenario | undefined => {
    for (const { again } of checks) {
      const name = again?.(evidence);
      if (name !== undefined) return { name, ...SCENARIOS[name] };
    }
    return undefined;
  };
