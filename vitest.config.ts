import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { filesOfProjects, LONGEST_WAITS, PROJECTS, type ProjectName } from "./tools/testing/projects.ts";

/** What waits longest comes first, and then the projects' files in the projects' order. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const names: readonly string[] = PROJECTS;
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      const place = LONGEST_WAITS.findIndex((file) => moduleId.endsWith(`/${file}`));
      return place >= 0 ? place : LONGEST_WAITS.length + names.indexOf(project.name);
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

/** These end what hangs, and assert no speed: whole processes on a busy machine take their time. */
const LONGEST_MS: Readonly<Record<ProjectName, number>> = {
  unit: 60_000,
  server: 600_000,
  suite: 600_000,
  process: 600_000,
  browser: 600_000,
  mutants: 600_000,
  field: 900_000,
};

/** Each check as a test, on the service that CONFORM_URL names: a run waits for the service's limits, as long as they last. */
const CONFORM = {
  name: "conform",
  include: ["tools/testing/own-tests/conform.suite.ts"],
  testTimeout: 0,
  hookTimeout: 0,
  maxConcurrency: 10_000,
};

/** With --mode quick only what two minutes have time for, as `npm test` does. */
export default defineConfig(({ mode }) => ({
  test: {
    projects: [
      ...[...filesOfProjects(mode === "quick")]
        .filter(([, files]) => files.length > 0)
        .map(([name, files]) => ({
          name,
          include: [...files],
          testTimeout: LONGEST_MS[name],
          hookTimeout: LONGEST_MS[name],
        })),
      ...(process.env.CONFORM_URL === undefined ? [] : [CONFORM]),
    ].map((test) => ({ extends: true as const, test })),
    globalSetup: "tools/testing/global-setup.ts",
    setupFiles: "tools/testing/timing/processor-time.ts",
    reporters: ["default", "./tools/testing/timing/slowest-files.ts"],
    pool: "threads",
    // Much of the time is waiting for processes, browsers and webhooks that don't come; with three for each core what is
    // measured by a clock stood still for seconds.
    maxWorkers: Math.ceil(availableParallelism() * 2),
    // Tests that run beside each other mostly wait. Of as many mutants in each of four threads two cores are busy; twice as
    // many delayed each other so long that deadlines of seconds were missed.
    maxConcurrency: 12,
    // A tenth of the time would be loading the same modules for each file anew.
    isolate: false,
    // What is drawn in a quick run; --sequence.seed draws otherwise.
    sequence: { sequencer: InOrder, seed: 1 },
    expect: { poll: { timeout: 60_000 } },
  },
}));
