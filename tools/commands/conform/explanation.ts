import { serverGuidance } from "../../../suites/server/guidance.ts";
import type { ExplanationSource } from "../../certification/explain.ts";

/**
 * What `conform --explain` shows about a check, with an example run on the embedded reference server.
 */
export const serverExplanation: ExplanationSource = {
  guidance: serverGuidance,
  faults: async () => (await import("../../../suites/server/mutants/index.ts")).mutants,
  exampleRun: async (id) => (await import("./example-run.ts")).runExample(id),
};
