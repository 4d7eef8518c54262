/** A thread that tests mutants. If it hangs, it is terminated, and the next task starts a new one. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { CheckName, MutantResult, ReachedMutants, Task, WorkerMessage, WorkerSources } from "./tasks.ts";

/**
 * The time limit per mutant: several times the duration of all checks on a busy machine. Endless loops are usually
 * detected earlier, by the number of executions.
 */
const LONGEST_MS = 600_000;

interface Ready {
  readonly worker: Worker;
  readonly checks: readonly CheckName[];
}

async function started(data: WorkerSources): Promise<Ready> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: data });
  const [message]: WorkerMessage[] = await once(worker, "message");
  if (message?.kind !== "ready") throw new Error("a thread's first message isn't its list of checks");
  return { worker, checks: message.checks };
}

export class MutantThread {
  readonly #data: WorkerSources;
  #ready: Promise<Ready> | undefined;

  constructor(data: WorkerSources) {
    this.#data = data;
  }

  async checks(): Promise<readonly CheckName[]> {
    return (await this.#thread()).checks;
  }

  /** Runs these checks on the conforming server, and returns the mutants whose code each check executes. */
  async reach(checks: readonly string[]): Promise<ReachedMutants> {
    const result = await this.#send({ kind: "reach", checks });
    if (!("by" in result)) throw new Error(`the conforming server can't be run: ${JSON.stringify(result)}`);
    return result;
  }

  async judge(task: Omit<Extract<Task, { kind: "judge" }>, "kind">): Promise<MutantResult> {
    const result = await this.#send({ kind: "judge", ...task });
    if ("by" in result) throw new Error("a thread answered a different task");
    return result;
  }

  async close(): Promise<void> {
    const ready = await this.#ready;
    this.#ready = undefined;
    await ready?.worker.terminate();
  }

  #thread(): Promise<Ready> {
    this.#ready ??= started(this.#data);
    return this.#ready;
  }

  async #send(task: Task): Promise<ReachedMutants | MutantResult> {
    const { worker } = await this.#thread();
    const { promise, resolve } = Promise.withResolvers<{
      result: ReachedMutants | MutantResult;
      isOver: boolean;
    }>();
    const give = (result: MutantResult) => resolve({ result, isOver: true });
    const timer = setTimeout(() => give({ kind: "endless" }), LONGEST_MS);
    const onMessage = (message: WorkerMessage) => {
      if (message.kind === "done") resolve({ result: message.result, isOver: false });
    };
    const onError = (error: Error) => give({ kind: "dead", why: error.message });
    const onExit = () => give({ kind: "dead", why: "its thread ended" });
    worker.on("message", onMessage).on("error", onError).on("exit", onExit).postMessage(task);
    try {
      const { result, isOver } = await promise;
      if (isOver) this.#ready = undefined;
      return result;
    } finally {
      clearTimeout(timer);
      worker.off("message", onMessage).off("exit", onExit);
      if (!this.#ready) await worker.terminate();
      worker.off("error", onError);
    }
  }
}
