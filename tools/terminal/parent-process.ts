import { readFileSync } from "node:fs";
import { isEnding } from "./ending-signals.ts";

/** How soon it is seen that nobody is left who started us. */
const LOOK_MS = 200;

/**
 * Ends this process with the one that started it, where that is npm: npm passes a SIGTERM on to the shell that it runs a
 * script in, which dies of it and leaves what it started to itself. It is ended as by that signal, so that a run tidies up.
 */
export function endWithNpm(environment: NodeJS.ProcessEnv): void {
  if (environment.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  let isLeft = !isStarter(parent);
  const timer = setInterval(() => {
    // A signal to the whole group has come to this process too by the next look, where it isn't heard of yet.
    if (!isLeft) {
      isLeft = process.ppid !== parent;
      return;
    }
    clearInterval(timer);
    // Whoever ends a whole group of processes, as timeout and pipelines do, has told this one too.
    if (!isEnding()) process.kill(process.pid, "SIGTERM");
  }, LOOK_MS);
  timer.unref();
}

/**
 * Whether npm or its shell may be this process: the first of all takes in orphans, and is neither save in a container
 * that npm itself was started in.
 */
function isStarter(pid: number): boolean {
  if (pid !== 1) return true;
  try {
    const [program = ""] = readFileSync("/proc/1/cmdline", "utf8").split("\0");
    return /(^|[/-])(npm|npx|pnpm|yarn|bun|node|(ba|da|z|k|a)?sh|busybox)\b/.test(program);
  } catch {
    // Elsewhere than on Linux nobody says.
    return true;
  }
}
