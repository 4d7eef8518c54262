import type { ClientCheck } from "./check.ts";
import type { Evidence } from "./session/evidence.ts";
import type { Scenario } from "./session/scenario.ts";
import { SCENARIOS } from "./session/scenarios.ts";

/** What checks want played again after what was seen, since it decides nothing. */
export const undecidedBy =
  (checks: readonly ClientCheck[]) =>
  (evidence: Evidence): Scenario | undefined => {
    for (const { again } of checks) {
      const name = again?.(evidence);
      if (name !== undefined) return { name, ...SCENARIOS[name] };
    }
    return undefined;
  };
