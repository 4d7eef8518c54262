import { receiverLessons } from "../../../suites/receiver/guidance.ts";
import type { Teacher } from "../../certification/explain.ts";

/** Explains checks of webhook receivers: what is sent is seen on a correct receiver in this process. */
export const receiverTeacher: Teacher = {
  lessons: receiverLessons,
  faults: async () => (await import("../../../suites/receiver/mutants/index.ts")).receiverMutants,
  rehearse: async (id) => (await import("./example-run.ts")).rehearseReceiverCheck(id),
};
