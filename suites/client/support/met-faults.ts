import { type Several, several } from "../../core/grading/each-element.ts";
import type { Task } from "../session/task.ts";

/** The client's calls, each named by its kind and the fault of its first try. */
export const metFaults = (tasks: readonly Task[]): Several<Task> =>
  several("calls", tasks, ({ kind, tries }) => `${kind} that met ${tries[0]?.fault ?? "nothing"}`);
