import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { request } from "undici";
import { pause } from "../../../suites/core/clock.ts";
import type { Report } from "../../report/model.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";

/** The poll interval for a restart of the target. */
const LOOK_MS = 300;

/** The next step, requested by the operator or by the target, between two runs. */
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

/** Resolves when a responding target has gone and come back, or with false when the wait is cancelled. */
async function restarted(url: string, over: AbortSignal): Promise<boolean> {
  let gone = false;
  while (!over.aborted) {
    const there = await answers(url);
    if (there && gone) return true;
    gone ||= !there;
    await pause(LOOK_MS, over).catch(() => {});
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

const unsettled = ({ checks }: Report): readonly string[] =>
  checks.filter(({ status }) => status === "failed" || status === "errored").map(({ id }) => id);

interface WatchOptions {
  /** The target's address, polled between runs. */
  readonly url: string;
  readonly input: Readable;
  readonly output: Output;
  readonly interrupted: Promise<void>;
  /** Runs these checks, or the whole selection. */
  run(only: readonly string[] | undefined): Promise<Report>;
}

/**
 * Supports fixing one failure after another: repeats the failed checks on Enter and whenever the target restarts, and
 * the whole selection once they all pass.
 * @returns the last report of the whole selection
 */
export async function watch({ url, input, output, interrupted, run }: WatchOptions): Promise<Report> {
  const keyboard = new Keyboard(input);
  const over = new AbortController();
  void interrupted.then(() => {
    over.abort();
    keyboard.put("end");
  });
  /** Reports a target that is temporarily unreachable, and waits for it. */
  const repeat = (only?: readonly string[]): Promise<Report | undefined> =>
    run(only).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      output.result(`error: ${error.message}`);
      return undefined;
    });
  let whole = await run(undefined);
  let failed = unsettled(whole);
  // An interrupted run ends the watch too, so it announces no next run.
  while (!over.signal.aborted) {
    const what = failed.length > 0 ? `the ${failed.length} that failed` : "everything";
    output.result(`\nWatching: Enter, or a restart of the target, repeats ${what}; a repeats all; q ends.`);
    const next = await nextRun(keyboard, url);
    if (next === "end") return whole;
    if (next === "failed" && failed.length > 0) {
      const again = await repeat(failed);
      if (over.signal.aborted) break;
      if (again) failed = unsettled(again);
      if (failed.length > 0) continue;
      output.result("\nNothing of it fails any more: everything again.");
    }
    const all = await repeat();
    if (!all) continue;
    whole = all;
    failed = unsettled(whole);
  }
  return whole;
}
