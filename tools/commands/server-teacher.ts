import { serverLessons } from "../../suites/lessons/server.ts";
import type { Teacher } from "./explain.ts";

/** Explains checks of services: what is sent is seen on the embedded reference server. */
export const serverTeacher: Teacher = {
  lessons: serverLessons,
  faults: async () => (await import("../../suites/mutants/index.ts")).mutants,
  rehearse: async (id) => (await import("../rehearsal.ts")).rehearse(id),
};
