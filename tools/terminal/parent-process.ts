import { readFileSync } from "node:fs";
import { isEnding } from "./ending-signals.ts";

/** The poll interval for the loss of the parent process. */
const POLL_MS = 200;

/**
 * Ends this process when its parent process npm ends. npm sends SIGTERM to the shell of a script, and the
 * shell exits without ending its children. This process then handles a SIGTERM itself, so that a run cleans
 * up.
 */
export function endWithNpm(environment: NodeJS.ProcessEnv): void {
  if (environment.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  let isLeft = !isStarter(parent);
  const timer = setInterval(() => {
    // A signal to the whole process group reaches this process before the next poll.
    if (!isLeft) {
      isLeft = process.ppid !== parent;
      return;
    }
    clearInterval(timer);
    // If a signal went to the whole group, as from timeout and pipelines, this process has received it too.
    if (!isEnding()) process.kill(process.pid, "SIGTERM");
  }, POLL_MS);
  timer.unref();
}

/**
 * True if npm or its shell may be the parent. Process 1 is neither: it adopts orphans. In a container, npm
 * may be started by it.
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
