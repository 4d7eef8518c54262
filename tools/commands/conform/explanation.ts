import { serverLessons } from "../../../suites/server/guidance.ts";
import type { Teacher } from "../../certification/explain.ts";

/** Explains checks of services: what is sent is seen on the embedded reference server. */
export const serverTeacher: Teacher = {
  lessons: serverLessons,
  faults: async () => (await import("../../../suites/server/mutants/index.ts")).mutants,
  rehearse: async (id) => (await import("./example-run.ts")).rehearse(id),
};
