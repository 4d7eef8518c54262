import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { request } from "undici";
import { pause } from "../../../suites/core/clock.ts";
import type { Report, ReportedCheck } from "../../report/model.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";

/** The poll interval for a restart of the target. */
const POLL_MS = 300;

/** The next run, as requested by the user or caused by the target. */
type NextRun = "failed" | "all" | "end";

/** The keys pressed, in order. */
class Keyboard {
  readonly #asked: NextRun[] = [];
  #waiting: ((next: NextRun) => void) | undefined;

  constructor(input: Readable) {
    createInterface({ input }).on("line", (line) => {
      const word = line.trim().toLowerCase();
      this.put(word === "q" ? "end" : word === "a" ? "all" : "failed");
    });
  }

  put(next: NextRun): void {
    if (this.#waiting) this.#waiting(next);
    else this.#asked.push(next);
    this.#waiting = undefined;
  }

  next(): Promise<NextRun> {
    const next = this.#asked.shift();
    return next ? Promise.resolve(next) : new Promise((resolve) => (this.#waiting = resolve));
  }
}

const answers = (url: string): Promise<boolean> =>
  request(`${url}/healthz`, { headersTimeout: 2_000, reset: true })
    .then(async (answer) => {
      await answer.body.dump();
      return true;
    })
    .catch(() => false);

/** Resolves to true when the target has stopped and started again, or to false when the wait is cancelled. */
async function restarted(url: string, over: AbortSignal): Promise<boolean> {
  let gone = false;
  while (!over.aborted) {
    const there = await answers(url);
    if (there && gone) return true;
    gone ||= !there;
    await pause(POLL_MS, over).catch(() => {});
  }
  return false;
}

async function nextRun(keyboard: Keyboard, url: string): Promise<NextRun> {
  const over = new AbortController();
  const restart = restarted(url, over.signal).then((back) => {
    if (back) keyboard.put("failed");
  });
  const next = await keyboard.next();
  over.abort();
  await restart;
  return next;
}

/** The checks of a watch, with their latest results. */
class Known {
  readonly #checks = new Map<string, ReportedCheck>();

  note({ checks }: Report): void {
    for (const check of checks) if (check.status !== "not_run") this.#checks.set(check.id, check);
  }

  get failed(): readonly string[] {
    return this.#ids(({ status }) => status === "failed" || status === "errored");
  }

  passedOf(ids: readonly string[]): readonly string[] {
    return this.#ids(({ id, status }) => status === "passed" && ids.includes(id));
  }

  blockedBy(ids: readonly string[]): readonly string[] {
    return this.#ids(({ status, blocked_by = "" }) => status === "blocked" && ids.includes(blocked_by));
  }

  #ids(holds: (check: ReportedCheck) => boolean): readonly string[] {
    return [...this.#checks.values()].filter(holds).map(({ id }) => id);
  }
}

interface WatchOptions {
  readonly url: string;
  readonly input: Readable;
  readonly output: Output;
  readonly interrupted: Promise<void>;
  /** Runs these checks, or all selected ones. */
  run(only: readonly string[] | undefined): Promise<Report>;
}

/**
 * Repeats the failed checks on Enter and after a restart of the target. Then runs the checks that a fix
 * unblocks, and all selected checks once those pass.
 * @returns the last report on all selected checks
 */
export async function watch({ url, input, output, interrupted, run }: WatchOptions): Promise<Report> {
  const keyboard = new Keyboard(input);
  const over = new AbortController();
  void interrupted.then(() => {
    over.abort();
    keyboard.put("end");
  });
  let known = new Known();
  /**
   * Reports an unreachable target, and waits for it. An interrupted run doesn't prove a fix.
   */
  const repeat = async (only?: readonly string[]): Promise<Report | undefined> => {
    try {
      const report = await run(only);
      if (over.signal.aborted) return undefined;
      known.note(report);
      return report;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      output.result(`error: ${error.message}`);
      return undefined;
    }
  };
  /** Repeats the failed checks, and runs those that they blocked. */
  const repeatFailed = async (failed: readonly string[]): Promise<void> => {
    if (!(await repeat(failed))) return;
    const fixed = known.passedOf(failed);
    const unblocked = known.blockedBy(fixed);
    if (unblocked.length === 0 || !(await repeat(unblocked))) return;
    const passed = known.passedOf(unblocked).length;
    output.result(`\n${fixed.length} fixed, ${unblocked.length} unblocked, ${passed} passed`);
  };
  let whole = await run(undefined);
  known.note(whole);
  // An interrupted run ends the watch too, so no next run is announced.
  while (!over.signal.aborted) {
    const { failed } = known;
    const what = failed.length > 0 ? `the ${failed.length} that failed` : "everything";
    output.result(`\nWatching: Enter, or a restart of the target, repeats ${what}; a repeats all; q ends.`);
    const next = await nextRun(keyboard, url);
    if (next === "end") return whole;
    if (next === "failed" && failed.length > 0) {
      await repeatFailed(failed);
      if (over.signal.aborted) break;
      if (known.failed.length > 0) continue;
      output.result("\nNone of these checks fails any more: running all checks.");
    }
    const before = known;
    known = new Known();
    const all = await repeat();
    if (all) whole = all;
    else known = before;
  }
  return whole;
}
