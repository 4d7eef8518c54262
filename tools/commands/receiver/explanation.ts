import { receiverGuidance } from "../../../suites/receiver/guidance.ts";
import type { ExplanationSource } from "../../certification/explain.ts";

/** Explains checks of receivers by the events sent to a conforming receiver in this process. */
export const receiverExplanation: ExplanationSource = {
  guidance: receiverGuidance,
  faults: async () => (await import("../../../suites/receiver/mutants/index.ts")).receiverMutants,
  exampleRun: async (id) => (await import("./example-run.ts")).runReceiverExample(id),
};
