import { type Several, several } from "../../core/grading/each-element.ts";
import type { Task } from "../session/task.ts";

/** Calls of a client, each named by what it is and what its first try met. */
export const metFaults = (tasks: readonly Task[]): Several<Task> =>
  several("calls", tasks, ({ kind, tries }) => `${kind} that met ${tries[0]?.fault ?? "nothing"}`);
