import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The long ones first, so that no worker is left alone with one at the end. */
const LONG = [
  "suites/server/mutants.test.ts",
  "suites/server/variants.test.ts",
  "reference-server/dispatcher/crash.test.ts",
  "tools/testing/packed.test.ts",
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

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "dist/**"],
    globalSetup: "tools/testing/temporary-folder.ts",
    pool: "threads",
    // Much of the time is waiting for processes, browsers and webhooks that don't come.
    maxWorkers: Math.ceil(availableParallelism() * 2),
    // A tenth of the time would be loading the same modules for each file anew.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // Ends what hangs, and asserts no speed: whole processes on a busy machine take their time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
