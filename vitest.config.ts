import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The long ones first, the longest of all at their head, so that no worker is left alone with one at the end. The list of
 * the slowest files, at the end of each run, says which they are.
 */
const LONG = [
  "suites/server/mutants-1.test.ts",
  "suites/server/mutants-2.test.ts",
  "suites/server/mutants-3.test.ts",
  "suites/server/mutants-4.test.ts",
  "tools/testing/repro-script.test.ts",
  "suites/server/variants.test.ts",
  "suites/server/variants/of-another-time.test.ts",
  "tools/testing/ending.test.ts",
  "reference-server/dispatcher/crash.test.ts",
  "suites/client/variants.test.ts",
  "tools/testing/half-built-service.test.ts",
  "tools/testing/packed.test.ts",
  "tools/report/html/page.test.ts",
  "suites/server/evidence/told-failures.test.ts",
  "suites/receiver/variants.test.ts",
  "tools/testing/cli.test.ts",
  "examples/receivers/samples.test.ts",
  "suites/server/null-servers.test.ts",
  "tools/testing/whole-run.test.ts",
  "examples/client/samples.test.ts",
  "tools/commands/receiver/receiver.test.ts",
  "sandbox/pages/console.test.ts",
  "suites/client/turnaround.test.ts",
  "tools/testing/secrets.test.ts",
  "suites/server/pairing-codes.test.ts",
  "suites/receiver/session/session.test.ts",
  "suites/receiver/mutants.test.ts",
  "suites/client/mutants.test.ts",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((name) => moduleId.endsWith(name));
      return place < 0 ? LONG.length : place;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Files that a step of the gate tries by itself, so that `npm test` in it needn't, with spaces between them. */
const testedApart = process.env.TESTED_APART?.split(" ").filter((file) => file !== "") ?? [];

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "dist/**", ...testedApart],
    globalSetup: "tools/testing/temporary-folder.ts",
    setupFiles: "tools/testing/timing/processor-time.ts",
    reporters: ["default", "./tools/testing/timing/slowest-files.ts"],
    pool: "threads",
    // Much of the time is waiting for processes, browsers and webhooks that don't come; with three for each core what is
    // measured by a clock stood still for seconds.
    maxWorkers: Math.ceil(availableParallelism() * 2),
    // Tests that run beside each other mostly wait: 107 mutants took 117 s with 5 at once, and 45 s with 25.
    maxConcurrency: 25,
    // A tenth of the time would be loading the same modules for each file anew.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // These end what hangs, and assert no speed: whole processes on a busy machine take their time. No test but the field's
    // runs has a limit of its own.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
