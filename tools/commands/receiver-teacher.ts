import { receiverLessons } from "../../suites/lessons/receiver.ts";
import type { Teacher } from "./explain.ts";

/** Explains checks of webhook receivers: what is sent is seen on a correct receiver in this process. */
export const receiverTeacher: Teacher = {
  lessons: receiverLessons,
  faults: async () => (await import("../../suites/receiver/mutants/index.ts")).receiverMutants,
  rehearse: async (id) => (await import("../receiver-rehearsal.ts")).rehearseReceiverCheck(id),
};
