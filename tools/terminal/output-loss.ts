/** The exit code that a shell reports for SIGPIPE: 128 and 13. */
const SIGPIPE_EXIT = 141;
const UNWRITABLE_EXIT = 3;

/**
 * The loss of standard output before the command ends: its reader stops early, as `head` does, or its disk is full. The
 * process exits, unless its work is also kept elsewhere or must be cleaned up.
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

  /** The command also writes files, so it continues without output. */
  goOn(): void {
    this.#isKeptElsewhere = true;
  }

  /** Resolves at the loss, as at a signal. The command then ends by itself. */
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
