import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { textOf } from "../../../suites/core/json.ts";
import { UsageError } from "../../usage-error.ts";
import { endTree } from "./end-tree.ts";

/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 3_000;
/** The file descriptor of standard error. A child process of a worker thread can't inherit a stream. */
const STANDARD_ERROR = 2;

const IS_WINDOWS = process.platform === "win32";

export interface ProcessEnd {
  /** The exit code; undefined if a signal ended the process. */
  readonly code: number | undefined;
}

/** The client under test, in its own process. */
export class ClientProcess {
  /** Resolves when the process has ended. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  #stopped: Promise<void> | undefined;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.ended = once(child, "exit").then(([code]) => ({
      code: typeof code === "number" ? code : undefined,
    }));
  }

  /**
   * Starts a command. The command's output goes to standard error, because standard output contains only the report.
   * @throws UsageError if the command can't be started
   */
  static async start(
    [command = "", ...args]: readonly string[],
    environment: NodeJS.ProcessEnv,
    { quiet }: { readonly quiet: boolean },
  ): Promise<ClientProcess> {
    const stream = quiet ? "ignore" : STANDARD_ERROR;
    // With its own process group, the client can be ended with all its children, and Ctrl-C doesn't reach the client.
    const child = spawn(command, args, {
      env: environment,
      stdio: ["ignore", stream, stream],
      detached: !IS_WINDOWS,
      windowsHide: true,
    });
    try {
      await once(child, "spawn");
    } catch (error) {
      const code = error instanceof Error && "code" in error ? textOf(error.code) : "it can't be started";
      throw new UsageError(
        `the client's command ${command} can't be started (${code}): check its path and permissions${IS_WINDOWS ? "; start a script such as npm with cmd /c npm …" : ""}`,
      );
    }
    return new ClientProcess(child);
  }

  /**
   * Ends the client and its children: SIGTERM, then SIGKILL. A second call sends no signal, because the system may
   * have given the process id to another process.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    this.#signal("SIGTERM");
    const isRunning = await Promise.race([
      this.ended.then(() => false),
      pause(GRACE_MS, true, { ref: false }),
    ]);
    if (isRunning) this.#signal("SIGKILL");
    await this.ended;
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    endTree(pid, signal);
  }
}
