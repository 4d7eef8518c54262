import { type CaseGroup, cases } from "../../core/grading/each-element.ts";
import type { Task } from "../session/task.ts";

/** The client's calls, each named by its kind and the fault of its first try. */
export const metFaults = (tasks: readonly Task[]): CaseGroup<Task> =>
  cases("calls", tasks, ({ kind, tries }) => `${kind} that met ${tries[0]?.fault ?? "nothing"}`);
