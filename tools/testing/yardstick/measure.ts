/** Run by yardstick.ts as a vitest file, since two checks need the state of a vitest test: measures the subjects that it is given. */
import { inject, test } from "vitest";
import type { Measured } from "./measured.ts";
import { subjects } from "./subjects.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Names of subjects. */
    subjects: readonly string[];
  }
  interface TaskMeta {
    measured?: Measured;
  }
}

const asked = new Set(inject("subjects"));
const chosen = subjects.filter(({ name }) => asked.has(name));
// Those that stand alone come first, while nothing runs beside them in this thread.
for (const { name, concurrent, measure } of chosen.toSorted(
  (one, other) => Number(one.concurrent) - Number(other.concurrent),
)) {
  test(name, { concurrent }, async ({ task }) => {
    task.meta.measured = await measure();
  });
}
