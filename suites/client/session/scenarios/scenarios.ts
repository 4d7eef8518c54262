import * as fc from "fast-check";
import {
  CANCELLATION_SCENARIOS,
  CHANGE_SCENARIOS,
  PAGE_SCENARIOS,
  QUOTE_SCENARIOS,
  STORE_SCENARIOS,
  TOKEN_SCENARIOS,
} from "./call-scenarios.ts";
import { ORDER_SCENARIOS } from "./order-scenarios.ts";
import type { Scenario, Scenarios } from "./scenario.ts";

export const SCENARIOS = {
  ...ORDER_SCENARIOS,
  ...TOKEN_SCENARIOS,
  ...STORE_SCENARIOS,
  ...QUOTE_SCENARIOS,
  ...CHANGE_SCENARIOS,
  ...CANCELLATION_SCENARIOS,
  ...PAGE_SCENARIOS,
} as const satisfies Scenarios;

export type ScenarioName = keyof typeof SCENARIOS;

const allScenarios: readonly Scenario[] = Object.entries(SCENARIOS).map(([name, rest]) => ({
  name,
  ...rest,
}));

export const scenarioNames: readonly string[] = allScenarios.map(({ name }) => name);

/** The named scenarios in the order in which they are played: by phase, and shuffled within a phase. */
export function scenarioOrder(seed: number, names: readonly string[]): readonly Scenario[] {
  const chosen = allScenarios.filter(({ name }) => names.includes(name));
  const shuffled = fc.shuffledSubarray(chosen, { minLength: chosen.length });
  const [order = []] = fc.sample(shuffled, { seed, numRuns: 1 });
  return order.toSorted((a, b) => a.phase - b.phase);
}
