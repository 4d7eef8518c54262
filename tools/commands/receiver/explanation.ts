import { receiverGuidance } from "../../../suites/receiver/guidance.ts";
import type { ExplanationSource } from "../../certification/explain.ts";

/** What `receiver --explain` shows about a check, with an example run on a conforming receiver in this process. */
export const receiverExplanation: ExplanationSource = {
  guidance: receiverGuidance,
  faults: async () => (await import("../../../suites/receiver/mutants/index.ts")).receiverMutants,
  exampleRun: async (id) => (await import("./example-run.ts")).runReceiverExample(id),
};
