import { readFileSync } from "node:fs";
import { isEnding } from "./ending-signals.ts";

/** The interval at which to check whether the parent process still exists. */
const POLL_MS = 200;

/**
 * Ends this process when its parent process, npm, ends: npm sends SIGTERM to the shell of a script, and the shell
 * exits without ending its children. This process sends itself SIGTERM, so that a run cleans up.
 */
export function endWithNpm(environment: NodeJS.ProcessEnv): void {
  if (environment.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  let isOrphan = !isStarter(parent);
  const timer = setInterval(() => {
    // This process ends only at the next poll, because a signal to the whole process group may arrive until then.
    if (!isOrphan) {
      isOrphan = process.ppid !== parent;
      return;
    }
    clearInterval(timer);
    // `timeout` and pipelines signal the whole group, so this process may be ending already.
    if (!isEnding()) process.kill(process.pid, "SIGTERM");
  }, POLL_MS);
  timer.unref();
}

/**
 * True if npm or its shell may be the parent. Process 1 adopts orphans, so it isn't the parent, except in a container
 * in which it is npm or a shell.
 */
function isStarter(pid: number): boolean {
  if (pid !== 1) return true;
  try {
    const [program = ""] = readFileSync("/proc/1/cmdline", "utf8").split("\0");
    return /(^|[/-])(npm|npx|pnpm|yarn|bun|node|(ba|da|z|k|a)?sh|busybox)\b/.test(program);
  } catch {
    // Only Linux reports the parent's name.
    return true;
  }
}
