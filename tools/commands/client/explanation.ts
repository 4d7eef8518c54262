import { clientChecks } from "../../../suites/client/checks/index.ts";
import { clientGuidance } from "../../../suites/client/guidance.ts";
import { describeFault } from "../../../suites/client/session/scenarios/fault.ts";
import { SCENARIOS } from "../../../suites/client/session/scenarios/scenarios.ts";
import type { ExplanationSource } from "../../certification/explain.ts";

/** A line for each scenario of a check, with the sandbox's responses. */
async function scenarioSteps(id: string): Promise<readonly string[]> {
  const check = clientChecks.find((clientCheck) => clientCheck.id === id);
  return (check?.scenarios ?? []).map((name) => {
    const { title, steps } = SCENARIOS[name];
    return `${name} (${title}): ${steps.map(describeFault).join("; then ") || "no faults"}`;
  });
}

/** Explains a check of clients. The example shows the sandbox's responses instead of requests. */
export const clientExplanation: ExplanationSource = {
  guidance: clientGuidance,
  faults: async () => (await import("../../../suites/client/mutants/index.ts")).clientMutants,
  exampleRun: scenarioSteps,
};
