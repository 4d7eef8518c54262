/** The exit code of a process that SIGPIPE ended: 128 + 13. */
const SIGPIPE_EXIT = 141;
const UNWRITABLE_EXIT = 3;

/**
 * Handles the loss of standard output: the reader exits early, as `head` does, or the disk is full. The
 * process exits, unless the command also writes files or has to clean up.
 */
export class OutputLoss {
  readonly #end: (exitCode: number) => void;
  #isKeptElsewhere = false;
  #tell: (() => void) | undefined;
  #exitCode: number | undefined;

  constructor(end: (exitCode: number) => void) {
    this.#end = end;
  }

  /** Overrides the command's exit code; undefined for no override. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Called if the command also writes files, so that it continues without output. */
  goOn(): void {
    this.#isKeptElsewhere = true;
  }

  /** Resolves when the output is lost, so that the command ends like after a signal. */
  told(): Promise<void> {
    return new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  happened(error: NodeJS.ErrnoException): void {
    if (this.#isKeptElsewhere) return;
    this.#exitCode = error.code === "EPIPE" ? SIGPIPE_EXIT : UNWRITABLE_EXIT;
    if (this.#tell) this.#tell();
    else this.#end(this.#exitCode);
  }
}
