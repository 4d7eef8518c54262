import { globSync, readFileSync } from "node:fs";

export type ProjectName =
  | "timing"
  | "mutants"
  | "suite"
  | "process"
  | "browser"
  | "field"
  | "server"
  | "unit";

/** Whole runs that measure seconds, and tests that wait for minutes with little CPU use. */
const TIMING: readonly string[] = [
  "suites/server/variants/other-timing-1.test.ts",
  "suites/server/variants/other-timing-2.test.ts",
  "tools/testing/ending.test.ts",
];

/**
 * The kinds of tests by the resources that they need, from their path or imports. The first match wins. Slow
 * kinds start first, so that no worker is left alone with one at the end.
 */
const KINDS: readonly (readonly [ProjectName, (file: string, text: string) => boolean])[] = [
  ["timing", (file) => TIMING.includes(file)],
  ["mutants", (file) => /^suites\/\w+\/mutants(-\d)?\.test\.ts$/.test(file)],
  // Conforming servers under disturbances, and tests that repeatedly stop processes.
  ["field", (file) => /^tools\/testing\/field\/|\/crash\.test\.ts$/.test(file)],
  ["browser", (_, text) => /playwright|testing\/(browser|console-page)/.test(text)],
  // The command line and other programs in their own processes.
  [
    "process",
    (_, text) => /child_process|cli-process|sandbox-process|testing\/instances|new Copy\(/.test(text),
  ],
  // Many checks on servers, receivers or clients in the test's process.
  [
    "suite",
    (_, text) =>
      /\bcertify|runOnTarget|outcomesOn|null-servers|runMutant|\/variants|legal-servers/.test(text),
  ],
  [
    "server",
    (_, text) => /start\w*Server|\.inject\(|listen\(|testing\/(accounts|orders|proxy|receiver)/.test(text),
  ],
  ["unit", () => true],
];

export const PROJECTS: readonly ProjectName[] = KINDS.map(([name]) => name);

/**
 * The order of a project. All projects of one order end before the next order begins, because other tests would delay
 * those of `timing`.
 */
export const groupOrderOf = (name: ProjectName): number => (name === "timing" ? 0 : 1);

/** Files of the kinds that start last, but take minutes. They start before all other files, so that none runs alone at
 * the end. */
export const LONGEST: readonly string[] = [
  "suites/client/timing.test.ts",
  "suites/server/faulty-servers/absent-subjects.test.ts",
  "suites/server/variants.test.ts",
  "suites/server/variants/same-timing.test.ts",
];

/** Projects that a quick run excludes, because they are slow or need more than Node and npm. */
const SLOW_PROJECTS: readonly ProjectName[] = ["timing", "process", "browser", "field", "suite"];
/** Tests of other projects that a quick run excludes, because they take seconds of CPU or wait for timeouts. */
const SLOW: readonly string[] = [
  "reference-server/testing/robustness/memory.test.ts",
  "suites/client/one-cause.test.ts",
  "suites/client/session/sandbox/request-intake.test.ts",
  "suites/client/timing.test.ts",
  "suites/receiver/forged-requests.test.ts",
  "suites/receiver/session/session.test.ts",
  "suites/server/pact/verify.test.ts",
  "suites/server/support/webhooks/lost-attempts.test.ts",
  "suites/server/support/webhooks/retry-timeline.test.ts",
  "tools/commands/bench/measurements.test.ts",
  "tools/commands/fuzz/fuzzer.test.ts",
  "tools/commands/fuzz/gates/gates.test.ts",
  "tools/commands/mutants/generated/generated.test.ts",
  "tools/commands/samples/samples.test.ts",
  "tools/commands/verify/verify.test.ts",
  "tools/testing/whole-run.test.ts",
];
/**
 * Tests of these projects that a quick run includes: each command once, the suites on conforming
 * implementations, and servers that give the same answer to every request.
 */
const SMOKE: readonly string[] = [
  "suites/client/variants.test.ts",
  "suites/receiver/variants.test.ts",
  "suites/server/element-coverage.test.ts",
  "suites/server/null-servers.test.ts",
  "suites/server/variants/same-timing.test.ts",
  "tools/testing/smoke.test.ts",
];

const isQuick = (name: ProjectName, file: string): boolean =>
  SMOKE.includes(file) || (!SLOW_PROJECTS.includes(name) && !SLOW.includes(file));

/** The functions with which a test does less in a quick run. */
export const SHORTENS_QUICK_RUNS =
  /\b(itemsToTry|testLegalServers|testMutantsOfFile|testMutationGate|testScope)\b/;

/**
 * The test files of each project.
 * @param mode `quick` for a quick run; `rest` for what a quick run leaves out or shortens; otherwise all files
 */
export function filesOfProjects(mode: string): ReadonlyMap<ProjectName, readonly string[]> {
  const files = globSync("**/*.test.ts", { exclude: ["node_modules", "dist"] }).toSorted();
  const kinds = files.map((file) => {
    const text = readFileSync(file, "utf8");
    const name = KINDS.find(([, fits]) => fits(file, text))?.[0] ?? "unit";
    const quick = isQuick(name, file);
    const isChosen = mode === "quick" ? quick : mode !== "rest" || !quick || SHORTENS_QUICK_RUNS.test(text);
    return { file, name, isChosen };
  });
  const byKind = Map.groupBy(
    kinds.filter(({ isChosen }) => isChosen),
    ({ name }) => name,
  );
  return new Map(PROJECTS.map((name) => [name, (byKind.get(name) ?? []).map(({ file }) => file)]));
}
