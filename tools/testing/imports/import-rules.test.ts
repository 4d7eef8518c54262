import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { packageFolder } from "../../package.ts";
import { importGraphOf, ruleNames } from "./import-graph.ts";

/** A single import in a temporary tree of files. */
interface ExampleImport {
  readonly from: string;
  readonly to: string;
  /** True if only a type is imported. */
  readonly isType?: boolean;
  /** True if the imported file also imports the importing file. */
  readonly isMutual?: boolean;
}

const text = (from: string, to: string, isType: boolean): string => {
  const path = posix.relative(dirname(from), to);
  return `import ${isType ? "type " : ""}{ a } from "${path.startsWith(".") ? path : `./${path}`}";\nexport { a };\n`;
};

/** The rules that a tree with only this import breaks. */
async function brokenBy({
  from,
  to,
  isType = false,
  isMutual = false,
}: ExampleImport): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "imports-"));
  const write = (path: string, content: string) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  write(from, text(from, to, isType));
  write(to, isMutual ? text(to, from, isType) : "export const a = 1;\n");
  try {
    return (await importGraphOf(folder)).broken;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const BREAKING: Readonly<Record<string, readonly ExampleImport[]>> = {
  "no-circle": [
    { from: "suites/core/a.ts", to: "suites/core/b.ts", isMutual: true },
    { from: "reference-server/http/a.ts", to: "reference-server/views/b.ts", isMutual: true, isType: true },
    { from: "reference-server/a.test.ts", to: "reference-server/testing/b.ts", isMutual: true },
  ],
  "core-knows-no-grader": [
    { from: "suites/core/a.ts", to: "suites/server/check.ts" },
    { from: "suites/core/a.test.ts", to: "suites/client/check.ts", isType: true },
  ],
  "engine-knows-no-suite": [
    { from: "suites/engine/a.ts", to: "suites/server/check.ts", isType: true },
    { from: "suites/engine/a.test.ts", to: "suites/client/check.ts" },
  ],
  "no-test-runner-at-work": [
    { from: "suites/engine/a.ts", to: "node_modules/vitest/a.ts" },
    { from: "suites/server/checks/stores/a.ts", to: "node_modules/vitest/a.ts" },
    { from: "tools/report/a.ts", to: "node_modules/vitest/a.ts", isType: true },
  ],
  "graders-are-independent": [
    { from: "suites/receiver/checks/a.ts", to: "suites/server/check.ts" },
    { from: "suites/client/session/a.test.ts", to: "suites/receiver/suite.ts", isType: true },
  ],
  "checks-share-nothing-with-the-server": [
    { from: "suites/server/checks/stores/a.ts", to: "reference-server/dependencies.ts" },
    { from: "suites/server/pact/verify.ts", to: "reference-server/limits.ts" },
    { from: "suites/server/checks/stores/a.ts", to: "sandbox/sandbox.ts" },
    { from: "suites/core/a.ts", to: "reference-server/domain/model.ts", isType: true },
  ],
  "independent-server-is-independent": [
    { from: "suites/server/independent-server/a.ts", to: "suites/server/support/orders/orders.ts" },
  ],
  "session-knows-no-check": [
    { from: "suites/server/session/a.ts", to: "suites/server/check.ts", isType: true },
    { from: "suites/client/session/a.ts", to: "suites/client/run-check.ts" },
  ],
  "support-knows-no-check": [
    { from: "suites/server/support/a.ts", to: "suites/server/checks/webhooks/retries.ts" },
  ],
  "checks-know-no-runner": [
    { from: "suites/server/checks/stores/a.ts", to: "suites/server/run-check.ts" },
    { from: "suites/receiver/checks/a.ts", to: "suites/receiver/run-target.ts" },
    { from: "suites/client/session/a.ts", to: "suites/engine/run.ts" },
  ],
  "checks-know-no-mutant": [
    { from: "suites/server/checks/stores/a.ts", to: "suites/server/mutants/index.ts", isType: true },
  ],
  "server-knows-no-suite": [
    { from: "reference-server/http/a.ts", to: "suites/core/json.ts" },
    { from: "reference-server/http/a.ts", to: "suites/core/clock.ts", isType: true },
  ],
  "domain-is-the-bottom": [
    { from: "reference-server/domain/a.ts", to: "reference-server/dependencies.ts", isType: true },
    { from: "reference-server/domain/a.ts", to: "reference-server/records/stores.ts" },
  ],
  "dialects-stay-with-the-database": [
    { from: "reference-server/embedded.ts", to: "reference-server/database/postgres/client.ts" },
  ],
  "service-needs-no-sandbox": [
    { from: "reference-server/server.ts", to: "sandbox/pages/pages.ts" },
    { from: "reference-server/server.test.ts", to: "sandbox/sandbox.ts" },
    { from: "reference-server/dependencies.ts", to: "sandbox/simulator/plan.ts", isType: true },
  ],
  "tools-are-the-top": [
    { from: "suites/core/a.ts", to: "tools/package.ts" },
    { from: "reference-server/a.test.ts", to: "tools/testing/processes/cli-process.ts" },
    { from: "index.ts", to: "tools/report/model.ts", isType: true },
  ],
  "commands-are-the-top-of-the-tools": [
    { from: "tools/certification/a.ts", to: "tools/commands/conform/preflight.ts" },
    { from: "tools/report/a.ts", to: "tools/program.ts" },
  ],
  "commands-are-independent": [
    { from: "tools/commands/receiver/a.ts", to: "tools/commands/conform/preflight.ts" },
  ],
  "reports-know-no-run": [{ from: "tools/report/a.ts", to: "tools/certification/plan.ts", isType: true }],
  "no-helper-of-tests-at-work": [
    { from: "tools/commands/bench/a.ts", to: "reference-server/testing/receiver.ts" },
    { from: "suites/core/a.ts", to: "suites/core/b.test.ts" },
  ],
};

/** Imports that look similar and are allowed. */
const LEGAL: readonly ExampleImport[] = [
  { from: "suites/server/mutants/stores/a.ts", to: "reference-server/dependencies.ts" },
  { from: "suites/server/variants/a.ts", to: "reference-server/dependencies.ts" },
  { from: "suites/client/reference-client/a.ts", to: "reference-server/embedded.ts" },
  { from: "suites/server/pact/verify.test.ts", to: "reference-server/embedded.ts" },
  { from: "suites/server/independent-server/a.ts", to: "suites/core/json.ts" },
  { from: "suites/mutation-matrices.ts", to: "suites/receiver/mutants/index.ts" },
  { from: "reference-server/domain/a.ts", to: "reference-server/errors.ts" },
  { from: "reference-server/database/open.ts", to: "reference-server/database/sqlite/sqlite.ts" },
  { from: "sandbox/console/a.ts", to: "reference-server/records/stores.ts" },
  { from: "tools/commands/conform/a.ts", to: "suites/server/mutants/index.ts" },
  { from: "tools/commands/pact/a.ts", to: "tools/commands/conform/preflight.ts" },
  { from: "tools/commands/conform/a.ts", to: "tools/commands/shared-flags.ts" },
  { from: "bin/source.js", to: "tools/cli.ts" },
];

const named = ({ from, to, isType, isMutual }: ExampleImport): string =>
  `${from} ${isMutual ? "↔" : "→"} ${to}${isType ? " (a type)" : ""}`;

test("each rule has an example import that breaks it", () => {
  expect(Object.keys(BREAKING).toSorted()).toEqual(ruleNames.toSorted());
});

test("the folders of the example imports exist, so that no rule is about a missing folder", () => {
  const examples = [...Object.values(BREAKING).flat(), ...LEGAL].flatMap(({ from, to }) => [from, to]);
  expect(examples.map(dirname).filter((folder) => !existsSync(join(packageFolder, folder)))).toEqual([]);
});

describe.each(Object.entries(BREAKING))("%s is broken by", (rule, examples) => {
  test.each(examples.map((one) => [named(one), one] as const))("%s", async (_, one) => {
    expect(await brokenBy(one)).toContain(rule);
  });
});

test.each(LEGAL.map((one) => [named(one), one] as const))("no rule is broken by %s", async (_, one) => {
  expect(await brokenBy(one)).toEqual([]);
});
