import { clientChecks } from "../../../suites/client/checks/index.ts";
import { clientGuidance } from "../../../suites/client/guidance.ts";
import { describeFault } from "../../../suites/client/session/scenarios/fault.ts";
import { SCENARIOS } from "../../../suites/client/session/scenarios/scenarios.ts";
import type { ExplanationSource } from "../../certification/explain.ts";

/** The sandbox's responses in the scenarios of a check, one line per scenario. */
async function scenarioSteps(id: string): Promise<readonly string[]> {
  const check = clientChecks.find((one) => one.id === id);
  return (check?.scenarios ?? []).map((name) => {
    const { title, steps } = SCENARIOS[name];
    return `${name} (${title}): ${steps.map(describeFault).join("; then ") || "no faults"}`;
  });
}

/** Explains checks of API clients by the sandbox's actions instead of the requests sent. */
export const clientExplanation: ExplanationSource = {
  guidance: clientGuidance,
  faults: async () => (await import("../../../suites/client/mutants/index.ts")).clientMutants,
  exampleRun: scenarioSteps,
};
