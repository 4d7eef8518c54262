/** How soon it is seen that nobody is left who started us. */
const LOOK_MS = 200;

/**
 * Ends this process with the one that started it, where that is npm: npm passes a SIGTERM on to the shell that it runs a
 * script in, which dies of it and leaves what it started to itself. It is ended as by that signal, so that a run tidies up.
 */
export function endWithNpm(environment: NodeJS.ProcessEnv): void {
  if (environment.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_MS);
  timer.unref();
}
