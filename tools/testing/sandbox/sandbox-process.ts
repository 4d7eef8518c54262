/** `serve` as a process of its own, for tests. */
import { startCli } from "../processes/cli-process.ts";

export interface SandboxProcess {
  /** All that it has said by the time when it was ready, or ended. */
  readonly stdout: string;
  /** Where it listens; empty where it doesn't. */
  readonly url: string;
  said(): { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<number | null>;
  stop(): void;
  kill(): void;
}

/** Runs it until its output says that it can be stopped, or it ends. */
export async function startSandbox(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<SandboxProcess> {
  let becomesReady = () => {};
  const isReady = new Promise<void>((resolve) => {
    becomesReady = resolve;
  });
  const { child, ended, said } = startCli(
    ["serve", ...(args.includes("--port") ? [] : ["--port", "0"]), ...args],
    {
      env: environment,
      hear: (stdout) => /Ctrl-C stops it|^}\n/m.test(stdout) && becomesReady(),
    },
  );
  await Promise.race([isReady, ended]);
  const { stdout } = said();
  return {
    stdout,
    url: /listens on (http[^,]*),/.exec(stdout)?.[1] ?? "",
    said,
    ended: ended.then(({ code }) => code),
    stop: () => child.kill("SIGTERM"),
    kill: () => child.kill("SIGKILL"),
  };
}
