/** Measures subjects. yardstick.ts runs it as a vitest file, because two checks need vitest's state. */
import { inject, test } from "vitest";
import type { Measured } from "./measured.ts";
import { subjects } from "./subjects.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The names of the subjects. */
    subjects: readonly string[];
  }
  interface TaskMeta {
    measured?: Measured;
  }
}

const asked = new Set(inject("subjects"));
const chosen = subjects.filter(({ name }) => asked.has(name));
// Exclusive subjects come first, so that nothing runs beside them in this thread.
for (const { name, concurrent, measure } of chosen.toSorted(
  (one, other) => Number(one.concurrent) - Number(other.concurrent),
)) {
  test(name, { concurrent }, async ({ task }) => {
    task.meta.measured = await measure();
  });
}
