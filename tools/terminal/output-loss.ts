/** The usual exit code of a process that SIGPIPE (13) ended: 128 + 13. */
const SIGPIPE_EXIT = 141;
const UNWRITABLE_EXIT = 3;

/**
 * Handles the loss of standard output: the reader exits early, as `head` does, or the disk is full. The
 * process exits, unless the command also writes files or has to clean up.
 */
export class OutputLoss {
  readonly #end: (exitCode: number) => void;
  #isIgnored = false;
  #resolveLost: (() => void) | undefined;
  #exitCode: number | undefined;

  constructor(end: (exitCode: number) => void) {
    this.#end = end;
  }

  /** The exit code that replaces the command's own; undefined while no output is lost. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Makes the command continue without output, because it also writes files. */
  ignore(): void {
    this.#isIgnored = true;
  }

  /** Resolves when the output is lost. The command then ends as it does after a signal. */
  lost(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolveLost = resolve;
    });
  }

  handle(error: NodeJS.ErrnoException): void {
    if (this.#isIgnored) return;
    this.#exitCode = error.code === "EPIPE" ? SIGPIPE_EXIT : UNWRITABLE_EXIT;
    if (this.#resolveLost) this.#resolveLost();
    else this.#end(this.#exitCode);
  }
}
