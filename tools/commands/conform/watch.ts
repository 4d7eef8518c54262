import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { request } from "undici";
import { pause } from "../../../suites/core/clock.ts";
import type { Report, ReportedCheck } from "../../report/model.ts";
import { counted } from "../../report/text/counted.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";

/** The interval at which to check whether the target has stopped or started. */
const POLL_MS = 300;

/** What to run next: the failed checks, all checks, or nothing more. */
type NextRun = "failed" | "all" | "end";

/** The next runs, in order: requested by typed lines, by a restart of the target or by Ctrl-C. */
class RunRequests {
  readonly #pending: NextRun[] = [];
  #waiting: ((next: NextRun) => void) | undefined;

  constructor(input: Readable) {
    createInterface({ input }).on("line", (line) => {
      const word = line.trim().toLowerCase();
      this.put(word === "q" ? "end" : word === "a" ? "all" : "failed");
    });
  }

  put(next: NextRun): void {
    if (this.#waiting) this.#waiting(next);
    else this.#pending.push(next);
    this.#waiting = undefined;
  }

  next(): Promise<NextRun> {
    const next = this.#pending.shift();
    return next ? Promise.resolve(next) : new Promise((resolve) => (this.#waiting = resolve));
  }
}

const isResponding = (url: string): Promise<boolean> =>
  request(`${url}/healthz`, { headersTimeout: 2_000, reset: true })
    .then(async (answer) => {
      await answer.body.dump();
      return true;
    })
    .catch(() => false);

/** Resolves to true when the target has stopped and started again, or to false if the wait is aborted. */
async function restarted(url: string, watchEnd: AbortSignal): Promise<boolean> {
  let hasStopped = false;
  while (!watchEnd.aborted) {
    const responds = await isResponding(url);
    if (responds && hasStopped) return true;
    hasStopped ||= !responds;
    await pause(POLL_MS, watchEnd).catch(() => {});
  }
  return false;
}

async function nextRun(requests: RunRequests, url: string): Promise<NextRun> {
  const watchEnd = new AbortController();
  const restart = restarted(url, watchEnd.signal).then((isRestarted) => {
    if (isRestarted) requests.put("failed");
  });
  const next = await requests.next();
  watchEnd.abort();
  await restart;
  return next;
}

/** The latest result of each check. */
class LatestResults {
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

  #ids(isWanted: (check: ReportedCheck) => boolean): readonly string[] {
    return [...this.#checks.values()].filter(isWanted).map(({ id }) => id);
  }
}

interface WatchOptions {
  readonly url: string;
  readonly input: Readable;
  readonly output: Output;
  readonly interrupted: Promise<void>;
  /** Runs the checks with these ids, or all selected checks if undefined. */
  run(only: readonly string[] | undefined): Promise<Report>;
}

/**
 * Repeats the failed checks on Enter and after a restart of the target, and runs the checks that were blocked by a
 * check that passes now. Runs all selected checks when no check fails any more.
 * @returns the last report on all selected checks
 */
export async function watch({ url, input, output, interrupted, run }: WatchOptions): Promise<Report> {
  const requests = new RunRequests(input);
  const watchEnd = new AbortController();
  void interrupted.then(() => {
    watchEnd.abort();
    requests.put("end");
  });
  let latest = new LatestResults();
  /** Runs checks. Returns undefined if the run was interrupted, or if the target is unreachable, which is printed. */
  const repeat = async (only?: readonly string[]): Promise<Report | undefined> => {
    try {
      const report = await run(only);
      if (watchEnd.signal.aborted) return undefined;
      latest.note(report);
      return report;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      output.result(`error: ${error.message}`);
      return undefined;
    }
  };
  /** Repeats the failed checks. Then runs the checks that were blocked by a check that passes now. */
  const repeatFailed = async (failed: readonly string[]): Promise<void> => {
    if (!(await repeat(failed))) return;
    const fixed = latest.passedOf(failed);
    const unblocked = latest.blockedBy(fixed);
    if (unblocked.length === 0 || !(await repeat(unblocked))) return;
    const passed = latest.passedOf(unblocked).length;
    output.result(
      `\n${fixed.length} fixed, ${unblocked.length} unblocked; ${passed} of the unblocked checks passed`,
    );
  };
  let lastFullReport = await run(undefined);
  latest.note(lastFullReport);
  // If the user interrupted the run, the watch ends too, without announcing a next run.
  while (!watchEnd.signal.aborted) {
    const { failed } = latest;
    const what = failed.length > 0 ? counted(failed.length, "failed check") : "everything";
    output.result(
      `\nWatching. Enter or a restart of the target repeats ${what}; a and Enter repeats everything; q and Enter ends.`,
    );
    const next = await nextRun(requests, url);
    if (next === "end") return lastFullReport;
    if (next === "failed" && failed.length > 0) {
      await repeatFailed(failed);
      if (watchEnd.signal.aborted) break;
      if (latest.failed.length > 0) continue;
      output.result("\nNone of these checks fails any more: running all checks.");
    }
    const previous = latest;
    latest = new LatestResults();
    const fullReport = await repeat();
    if (fullReport) lastFullReport = fullReport;
    else latest = previous;
  }
  return lastFullReport;
}
