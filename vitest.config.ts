import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import {
  filesOfProjects,
  groupOrderOf,
  LONGEST,
  PROJECTS,
  type ProjectName,
} from "./tools/testing/projects.ts";

/** Runs the longest files first, and the others in the projects' order. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const names: readonly string[] = PROJECTS;
    const placeOf = ({ project, moduleId }: TestSpecification): number =>
      LONGEST.some((file) => moduleId.endsWith(file)) ? -1 : names.indexOf(project.name);
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

/** Timeouts for hanging tests. They are generous, because whole processes take long on a busy machine. */
const LONGEST_MS: Readonly<Record<ProjectName, number>> = {
  unit: 60_000,
  server: 600_000,
  timing: 600_000,
  suite: 600_000,
  process: 600_000,
  browser: 600_000,
  mutants: 600_000,
  field: 900_000,
};

/**
 * Each check as a test of the service at CONFORM_URL. There is no timeout for rate limits, because a run
 * waits for them.
 */
const CONFORM = {
  name: "conform",
  include: ["tools/testing/own-tests/conform.suite.ts"],
  testTimeout: 0,
  hookTimeout: 0,
  maxConcurrency: 10_000,
};

/**
 * With --mode quick, as in `npm test`, only the tests that fit into two minutes run. With --mode rest, as in
 * `.ci/run` after `npm cit`, only what those leave out or shorten.
 */
export default defineConfig(({ mode }) => ({
  test: {
    projects: [
      ...[...filesOfProjects(mode)]
        .filter(([, files]) => files.length > 0)
        .map(([name, files]) => ({
          name,
          include: [...files],
          testTimeout: LONGEST_MS[name],
          hookTimeout: LONGEST_MS[name],
          sequence: { groupOrder: groupOrderOf(name) },
        })),
      ...(process.env.CONFORM_URL === undefined ? [] : [CONFORM]),
    ].map((test) => ({ extends: true as const, test })),
    globalSetup: "tools/testing/global-setup.ts",
    setupFiles: "tools/testing/timing/processor-time.ts",
    reporters: ["default", "./tools/testing/timing/slowest-files.ts"],
    pool: "threads",
    // Tests spend much of their time waiting for processes, browsers and webhooks. With three workers per
    // core, clocks in tests were delayed by seconds.
    maxWorkers: Math.ceil(availableParallelism() * 2),
    // Concurrent tests mostly wait. Twice this number delayed each other so much that they missed deadlines
    // of seconds.
    maxConcurrency: 12,
    // Isolation would load the same modules for each file, which takes a tenth of the time.
    isolate: false,
    // The seed of the random choice in a quick run; --sequence.seed overrides it.
    sequence: { sequencer: InOrder, seed: 1 },
    expect: { poll: { timeout: 60_000 } },
  },
}));
