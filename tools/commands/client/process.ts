import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { textOf } from "../../../suites/core/json.ts";
import { UsageError } from "../../usage-error.ts";
import { endTree } from "./end-tree.ts";

/** How long a process that was asked to end may take. */
const GRACE_MS = 3_000;
/** By its number: a thread's own stream can't be handed on. */
const STANDARD_ERROR = 2;

const IS_WINDOWS = process.platform === "win32";

/** How a client's process ended. */
export interface ProcessEnd {
  /** Undefined where a signal ended it. */
  readonly code: number | undefined;
}

/** The client that is graded, as a process of its own. */
export class ClientProcess {
  /** Resolves when it has ended. */
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
   * Starts a command; what it prints goes to standard error, so that a report on standard output stays alone.
   * @throws UsageError where it can't be started
   */
  static async start(
    [command = "", ...args]: readonly string[],
    environment: NodeJS.ProcessEnv,
    { quiet }: { readonly quiet: boolean },
  ): Promise<ClientProcess> {
    const stream = quiet ? "ignore" : STANDARD_ERROR;
    // A group of its own: it can be ended with all that it starts, and doesn't hear a Ctrl-C that is meant for the run.
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

  /** Ends it and all that it started: asks first, then doesn't ask. Asked again, it does nothing: the number may be another's. */
  stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  async #end(): Promise<void> {
    this.#signal("SIGTERM");
    const late = await Promise.race([this.ended.then(() => false), pause(GRACE_MS, true, { ref: false })]);
    if (late) this.#signal("SIGKILL");
    await this.ended;
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    endTree(pid, signal);
  }
}
