/** A thread that tests mutants one after another. If a mutant hangs, its thread is terminated. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { CheckStatus, Outcome } from "../../../../suites/core/grading/outcome.ts";
import { type AnyCheck, isActive } from "../../../../suites/server/check.ts";
import type { FaultyServer } from "../../../../suites/server/mutants/mutant.ts";
import type { MutantRunOptions } from "../../../../suites/server/mutants/run-mutant.ts";
import { runsLast } from "../../../../suites/server/schedule/check-order.ts";
import { BEGINNING, countFor, freshUrl, isEndless, loadInstead, reached, switchOn } from "./switches.ts";
import type { CheckName, MutantResult, Task, WorkerMessage, WorkerSources } from "./tasks.ts";

const port = portOf();
const { sources, folder }: WorkerSources = workerData;
const EMBEDDED = `${folder}embedded.ts`;
/** The timeout for a response. */
const ANSWER_MS = 10_000;
/** Concurrent checks. They mostly wait for the server, which runs in the same thread. */
const JOBS = 8;

loadInstead(sources, folder);
const { checks } = await import("../../../../suites/server/checks/index.ts");
const { eventsOnMutant } = await import("../../../../suites/server/mutants/run-mutant.ts");
const byId = new Map<string, AnyCheck>(checks.map((check) => [check.id, check]));
const chosen = (ids: readonly string[]): readonly AnyCheck[] =>
  ids.map((id) => {
    const check = byId.get(id);
    if (!check) throw new Error(`there is no check ${id}`);
    return check;
  });
/** The fault is in the loaded source, so no dependency is replaced. */
const server: FaultyServer = { fault: "a change in its source", mutate: (deps) => deps };

type Start = NonNullable<MutantRunOptions["start"]>;
const startOf = async (module: string): Promise<Start> => (await import(module)).startReferenceServer;

async function reach(ids: readonly string[]) {
  countFor(BEGINNING);
  const took: Record<string, number> = {};
  const ended: Record<string, CheckStatus> = {};
  const events = eventsOnMutant(server, chosen(ids), {
    answerMs: ANSWER_MS,
    onBegin: ({ id }) => countFor(id),
  });
  for await (const event of events) {
    if (event.type !== "result") continue;
    took[event.check.id] = event.outcome.duration_ms;
    ended[event.check.id] = event.outcome.status;
  }
  return { ...reached(), took, ended };
}

const PASSED: readonly CheckStatus[] = ["passed", "not_applicable"];

/** Runs checks on the active mutant until one fails. */
class Trial {
  failed: string | undefined;
  isBegun = false;
  /** True if a passive check, which reads the traffic of the others, failed in the last run. */
  #passiveFailed = false;
  /** Passed checks, which aren't repeated after a failure that didn't repeat. */
  readonly #passed = new Set<string>();
  /** Checks that couldn't run, and why. */
  readonly unfinished: string[] = [];

  async run(checks: readonly AnyCheck[], start: Start): Promise<string | undefined> {
    this.failed = undefined;
    this.#passiveFailed = false;
    const events = eventsOnMutant(server, checks, {
      start,
      jobs: JOBS,
      answerMs: ANSWER_MS,
      onBegin: () => {
        this.isBegun = true;
      },
    });
    for await (const event of events) {
      if (event.type !== "failure" && event.type !== "result") continue;
      if (this.#isDecidedBy(event.check, event.outcome)) break;
    }
    return this.failed;
  }

  #isDecidedBy(check: AnyCheck, { status, message = "" }: Outcome): boolean {
    if (status === "failed") this.failed ??= check.id;
    // A passive check that didn't fail may just have had too little traffic.
    if (!isActive(check)) this.#passiveFailed ||= status === "failed";
    else if (PASSED.includes(status)) this.#passed.add(check.id);
    else if (status !== "failed") this.unfinished.push(`${check.id}: ${status}, ${message}`);
    return status === "failed";
  }

  /** The check that fails twice. On a busy machine other checks may fail once. */
  async killer(stage: readonly AnyCheck[], start: Start): Promise<string | undefined> {
    let left = stage;
    for (;;) {
      const failed = await this.run(left, start);
      const suspect = left.find(({ id }) => id === failed);
      const needsTraffic = this.#passiveFailed;
      if (!suspect || !isActive(suspect) || (await this.run([suspect], start)) === failed) return failed;
      const isDone = ({ id }: AnyCheck) => !needsTraffic && this.#passed.has(id);
      left = left.filter((check) => check !== suspect && !isDone(check));
    }
  }
}

async function judge({ mutant, fresh, stages }: Extract<Task, { kind: "judge" }>): Promise<MutantResult> {
  const runs = stages.map(chosen);
  const trial = new Trial();
  switchOn(mutant);
  try {
    const start = await startOf(fresh ? freshUrl(EMBEDDED, mutant) : EMBEDDED);
    for (const run of runs) {
      const killer = await trial.killer(run, start);
      if (killer !== undefined) return { kind: "killed", killer };
    }
    if (isEndless()) return { kind: "endless" };
    const [first] = trial.unfinished;
    return first === undefined ? { kind: "survived" } : { kind: "incomplete", why: first };
  } catch (error) {
    if (isEndless()) return { kind: "endless" };
    if (trial.isBegun) throw error;
    return { kind: "dead", why: error instanceof Error ? error.message : String(error) };
  } finally {
    switchOn(undefined);
  }
}

port.on("message", async (task: Task) => {
  if (task.kind === "reach") port.postMessage({ kind: "done", result: await reach(task.checks) });
  else port.postMessage({ kind: "done", result: await judge(task) });
});
const nameOf = (check: AnyCheck): CheckName => ({
  id: check.id,
  kind: isActive(check) && runsLast(check) ? "last" : check.kind,
});
port.postMessage({ kind: "ready", checks: checks.map(nameOf) } satisfies WorkerMessage);

function portOf(): MessagePort {
  if (!parentPort) throw new Error("worker.ts runs in a thread");
  return parentPort;
}
