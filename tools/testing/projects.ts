import { globSync, readFileSync } from "node:fs";

export type ProjectName = "mutants" | "suite" | "process" | "browser" | "field" | "server" | "unit";

/**
 * The kind of a test is what it needs, by its place or by what it imports: the first that fits. In the order in which the
 * kinds' files start: what takes long comes first, so that no worker is left alone with it at the end.
 */
const KINDS: readonly (readonly [ProjectName, (file: string, text: string) => boolean])[] = [
  ["mutants", (file) => /^suites\/\w+\/mutants(-\d)?\.test\.ts$/.test(file)],
  // Conforming servers under disturbances, and tests that stop processes repeatedly.
  ["field", (file) => /^tools\/testing\/field\/|\/crash\.test\.ts$/.test(file)],
  ["browser", (_, text) => /playwright|testing\/(browser|console-page)/.test(text)],
  // The command line and other programs, each in a process of its own.
  ["process", (_, text) => /child_process|cli-process|sandbox-process|testing\/instances/.test(text)],
  // Many checks on servers, receivers or clients in the test's own process.
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

/** What waits for minutes, with little for the processor to do, begins beside what keeps it busy, and ends beside it. */
export const LONGEST_WAITS: readonly string[] = [
  "suites/server/variants/of-another-time.test.ts",
  "tools/testing/ending.test.ts",
];

/** What needs more than Node and npm, or has no place in two minutes, is left out of a quick run as a whole. */
const SLOW_PROJECTS: readonly ProjectName[] = ["process", "browser", "field"];
/** Of the other projects what a quick run leaves out: what runs the suite over and over, or waits for what doesn't come. */
const SLOW: readonly string[] = [
  "suites/client/timing.test.ts",
  "suites/client/turnaround.test.ts",
  "suites/receiver/forged-requests.test.ts",
  "suites/receiver/session/session.test.ts",
  "suites/server/evidence/told-failures.test.ts",
  "suites/server/faulty-servers/absent-subjects.test.ts",
  "suites/server/faulty-servers/missing-operations.test.ts",
  "suites/server/faulty-servers/recognition.test.ts",
  "suites/server/independence/alike-orders.test.ts",
  "suites/server/independence/alone.test.ts",
  "suites/server/pairing-codes.test.ts",
  "suites/server/session/identities/uncertain-webhooks.test.ts",
  "suites/server/support/retry-timeline.test.ts",
  "suites/server/support/webhooks/lost-attempts.test.ts",
  "suites/server/variants.test.ts",
  "suites/server/variants/of-another-time.test.ts",
  "tools/testing/whole-run.test.ts",
];
/** What it takes of those that it leaves out. */
const SMOKE: readonly string[] = ["tools/testing/smoke.test.ts"];

const isQuick = (name: ProjectName, file: string): boolean =>
  SMOKE.includes(file) || (!SLOW_PROJECTS.includes(name) && !SLOW.includes(file));

/** The test files of each project; in a quick run only those that it has time for. */
export function filesOfProjects(quick: boolean): ReadonlyMap<ProjectName, readonly string[]> {
  const files = globSync("**/*.test.ts", { exclude: ["node_modules", "dist"] }).toSorted();
  const kindOf = (file: string): ProjectName => {
    const text = readFileSync(file, "utf8");
    return KINDS.find(([, fits]) => fits(file, text))?.[0] ?? "unit";
  };
  const byKind = Map.groupBy(files, kindOf);
  return new Map(
    PROJECTS.map((name) => [name, (byKind.get(name) ?? []).filter((file) => !quick || isQuick(name, file))]),
  );
}
