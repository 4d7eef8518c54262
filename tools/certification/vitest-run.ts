import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { ProvidedContext } from "vitest";
import type { Reporter, startVitest, TestModule, Vitest } from "vitest/node";
import type { RunSummary } from "../../suites/core/cleanup-report.ts";
import type { Outcome } from "../../suites/core/grading/outcome.ts";
import { tellRunsToStop } from "../../suites/core/stop-channel.ts";
import { packageFolder, SOURCE_EXTENSION } from "../package.ts";
import { ENDING_SIGNALS } from "../terminal/ending-signals.ts";

/** What the command hears while a run goes on. */
export interface RunListener {
  checkEnded(id: string, outcome: Outcome): void;
  notice(text: string): void;
}

export interface RunResult {
  readonly requests: number;
  /** Faults outside any check: the suite's own, or a target that could not be taken hold of. */
  readonly faults: readonly string[];
  /** What the run says of its end; undefined where it says nothing, or didn't come to it. */
  readonly ending?: RunSummary | undefined;
}

/** How long a run that is stopped may take to tidy up. */
const STOPPING_MS = 15_000;

/** A stopped run starts nothing more, tidies up if that is quick, and resolves with what had ended by then. */
export interface Run {
  readonly finished: Promise<RunResult>;
  readonly stop: () => void;
}

export interface SuiteFile {
  /** The vitest file that registers the checks, from the package's folder. */
  readonly file: string;
  /** What it injects. */
  readonly provide: Partial<ProvidedContext>;
  /** Checks at a time. */
  readonly jobs: number;
}

/** Runs the selected checks through vitest, in a thread of its own, and reports each as it ends. */
export function startRun({ file, provide, jobs }: SuiteFile, listener: RunListener): Run {
  let requests = 0;
  let ending: RunSummary | undefined;
  let vitest: Vitest | undefined;
  let isStopped = false;
  let giveUp = () => {};
  const faults: string[] = [];
  const givenUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  const stop = () => {
    isStopped = true;
    setTimeout(giveUp, STOPPING_MS).unref();
    if (!vitest) return giveUp();
    tellRunsToStop();
    cancel();
  };
  const cancel = () => void vitest?.cancelCurrentRun("keyboard-input").catch(giveUp);
  const signals = keepSignals();
  const dataFolder = lendDataFolder();
  const reporter: Reporter = {
    onInit(instance) {
      vitest = instance;
      signals.restore();
      dataFolder.takeBack();
    },
    // Before its thread is there a run takes no notice of being cancelled.
    onTestModuleStart() {
      if (isStopped) cancel();
    },
    onTestCaseResult(test) {
      if (isStopped) return;
      const { outcome, requests: count } = test.meta();
      requests = Math.max(requests, count ?? 0);
      const thrown = test.result().errors?.[0]?.message;
      if (outcome) listener.checkEnded(test.name, outcome);
      else if (thrown !== undefined) {
        listener.checkEnded(test.name, { status: "errored", duration_ms: 0, requests: 0, message: thrown });
      }
    },
    onUserConsoleLog(log) {
      listener.notice(log.content.trim());
    },
    onTestModuleEnd(module) {
      ending = module.meta().summary;
      for (const [id, outcome] of ending?.turned ?? []) listener.checkEnded(id, outcome);
    },
    onTestRunEnd(modules, errors) {
      const inModules = modules.flatMap((module: TestModule) => [
        ...module.errors(),
        ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
      ]);
      for (const error of [...inModules, ...errors]) faults.push(error.message);
    },
  };
  const through = runVitest({
    root: packageFolder,
    config: false,
    include: [file.replace(/\.ts$/, SOURCE_EXTENSION)],
    exclude: [],
    watch: false,
    pool: "threads",
    isolate: false,
    maxWorkers: 1,
    maxConcurrency: jobs,
    provide,
    reporters: [reporter],
  });
  return {
    finished: Promise.race([through, givenUp]).then(() => ({
      requests: ending?.requests ?? requests,
      faults,
      ending,
    })),
    stop,
  };
}

const isSignal = (event: string | symbol): event is (typeof ENDING_SIGNALS)[number] =>
  ENDING_SIGNALS.some((signal) => signal === event);

/**
 * vitest and vite end the process at once on these signals; whoever runs a command still has a report to write, and a
 * container to take away. A signal comes at any moment: their listeners are gone before the next one can.
 */
function keepSignals(): { restore(): void } {
  const refuse = (event: string | symbol, listener: NodeJS.SignalsListener) => {
    if (isSignal(event)) queueMicrotask(() => process.off(event, listener));
  };
  process.on("newListener", refuse);
  return { restore: () => void process.off("newListener", refuse) };
}

/** Names the folder of programs' data to vitest. */
const DATA_VARIABLE =
  process.platform === "win32" ? "LOCALAPPDATA" : process.platform === "darwin" ? "HOME" : "XDG_DATA_HOME";

/**
 * vitest writes down a token of an interface that isn't served here, as no option turns off: in the person's home, and ends
 * where that can't be. For the time of its start it gets a folder of ours.
 */
function lendDataFolder(): { takeBack(): void } {
  const folder = mkdtempSync(join(tmpdir(), "courier-conform-"));
  const before = process.env[DATA_VARIABLE];
  process.env[DATA_VARIABLE] = folder;
  return {
    takeBack() {
      if (before === undefined) delete process.env[DATA_VARIABLE];
      else process.env[DATA_VARIABLE] = before;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** vitest waits until its thread's output has flowed off: it must do so also where nobody takes ours any more. */
const passingOn = (stream: NodeJS.WriteStream): Writable =>
  new Writable({
    write(chunk: Buffer, _, done) {
      stream.write(chunk);
      done();
    },
  });

type VitestOptions = NonNullable<Parameters<typeof startVitest>[2]>;

/** vitest is loaded when it is needed: it takes longer than all the rest together. */
async function runVitest(options: VitestOptions): Promise<void> {
  const { startVitest: start } = await import("vitest/node");
  const streams = { stdout: passingOn(process.stdout), stderr: passingOn(process.stderr) };
  const vitest = await start("test", [], options, {}, streams);
  await vitest.close();
}
