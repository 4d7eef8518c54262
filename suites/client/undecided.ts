import type { ClientCheck } from "./check.ts";
import type { Evidence } from "./session/evidence.ts";
import type { Scenario } from "./session/scenarios/scenario.ts";
import { SCENARIOS } from "./session/scenarios/scenarios.ts";

/** The scenarios to play again because the evidence of checks is inconclusive. */
export const undecidedBy =
  (checks: readonly ClientCheck[]) =>
  (evidence: Evidence): readonly Scenario[] => {
    for (const { scenariosToRepeat } of checks) {
      const names = scenariosToRepeat?.(evidence) ?? [];
      if (names.length > 0) return names.map((name) => ({ name, ...SCENARIOS[name] }));
    }
    return [];
  };
