/** As a shell tells of a process that SIGPIPE ended: 128 and 13. */
const SIGPIPE_EXIT = 141;
const UNWRITABLE_EXIT = 3;

/**
 * The end of standard output before the command's own: whoever reads it stops in the middle, as `head` does, or its disk
 * is full. Nobody reads on, so that the process ends, unless what it does is kept elsewhere or has to be tidied up.
 */
export class OutputLoss {
  readonly #end: (exitCode: number) => void;
  #isKeptElsewhere = false;
  #tell: (() => void) | undefined;
  #exitCode: number | undefined;

  constructor(end: (exitCode: number) => void) {
    this.#end = end;
  }

  /** What the process ends with in place of the command's exit code; undefined for that. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** What the command is for is written to files too: it goes on without output. */
  goOn(): void {
    this.#isKeptElsewhere = true;
  }

  /** Resolves at the loss, as at a signal: from now on the command ends by itself. */
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
