/** Defines a Vitest test for each check of the service at CONFORM_URL: `vitest run --project conform`. */
import { afterAll, type RunnerTestFile, test } from "vitest";
import type { Outcome } from "../../../suites/core/grading/outcome.ts";
import { checks } from "../../../suites/server/checks/index.ts";
import { expectPassed } from "../../../suites/server/define-target.ts";
import { run } from "../../../suites/server/run.ts";
import { serverSuite } from "../../../suites/server/suite.ts";
import { planRun } from "../../certification/plan.ts";
import { openTarget } from "../../commands/conform/open-target.ts";
import { conformSettings } from "../../commands/conform/settings.ts";

const settings = conformSettings({}, process.env);
const { selected } = planRun(serverSuite(), settings);
const target = await openTarget(settings);
const ended = new Map(selected.map(({ id }) => [id, Promise.withResolvers<Outcome>()]));
const leaving = new AbortController();
let running: Promise<void> | undefined;

/** Runs the checks of the selected tests. */
async function runTests(tests: RunnerTestFile["tasks"]): Promise<void> {
  const chosen = tests.filter(({ mode }) => mode === "run").map(({ name }) => name);
  const { seed, shuffle, jobs } = settings;
  const options = {
    seed,
    shuffle,
    ...(jobs !== undefined && { jobs }),
    cleanUp: true,
    signal: leaving.signal,
  };
  for await (const event of run(
    checks.filter(({ id }) => chosen.includes(id)),
    target.settings,
    options,
  )) {
    if (event.type === "notice") console.info(event.text);
    if (event.type === "result") ended.get(event.check.id)?.resolve(event.outcome);
  }
}

for (const check of checks.filter(({ id }) => ended.has(id))) {
  test(check.id, { concurrent: true }, async (context) => {
    running ??= runTests(context.task.file.tasks);
    // If the run ends early, all waiting tests fail.
    const outcome = await Promise.race([ended.get(check.id)?.promise, running.then(() => undefined)]);
    if (outcome) expectPassed(check, outcome, context);
    else throw new Error("the run ended before the check did");
  });
}

afterAll(async () => {
  leaving.abort();
  await running;
  await target.close();
});
