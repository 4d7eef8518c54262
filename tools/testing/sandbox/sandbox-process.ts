/** Runs `serve` in its own process, for tests. */
import { startCli } from "../processes/cli-process.ts";

export interface SandboxProcess {
  /** The output until the sandbox was ready or ended. */
  readonly stdout: string;
  /** The sandbox's URL; empty if it doesn't listen. */
  readonly url: string;
  outputSoFar(): { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<number | null>;
  stop(): void;
  kill(): void;
}

/** Starts a sandbox, and waits until it is ready or has ended. */
export async function startSandbox(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<SandboxProcess> {
  let becomesReady = () => {};
  const isReady = new Promise<void>((resolve) => {
    becomesReady = resolve;
  });
  const {
    child,
    ended,
    outputSoFar: said,
  } = startCli(["serve", ...(args.includes("--port") ? [] : ["--port", "0"]), ...args], {
    env: environment,
    onOutput: (stdout) => /Ctrl-C stops it|^}\n/m.test(stdout) && becomesReady(),
  });
  await Promise.race([isReady, ended]);
  const { stdout } = said();
  return {
    stdout,
    url: /listens on (http[^,]*),/.exec(stdout)?.[1] ?? "",
    outputSoFar: said,
    ended: ended.then(({ code }) => code),
    stop: () => child.kill("SIGTERM"),
    kill: () => child.kill("SIGKILL"),
  };
}
