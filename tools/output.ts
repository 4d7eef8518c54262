/** Where a command's words go. */
export interface Output {
  /** True for a person at a terminal: progress is drawn in place. */
  readonly interactive: boolean;
  readonly colours: boolean;
  /** Something to know on the way; left out with --quiet. */
  line(text: string): void;
  /** What the command is for: always shown. */
  result(text: string): void;
  /** Overwrites the present line; only when interactive. */
  status(text: string): void;
}

export function terminalOutput(
  stdout: NodeJS.WriteStream,
  options: { quiet: boolean; color: boolean; environment: NodeJS.ProcessEnv },
): Output {
  const interactive = stdout.isTTY === true && !options.quiet;
  const colours =
    options.color &&
    !options.environment.NO_COLOR &&
    (stdout.isTTY === true || Boolean(options.environment.FORCE_COLOR));
  return {
    interactive,
    colours,
    line: (text) => {
      if (!options.quiet) stdout.write(`${text}\n`);
    },
    result: (text) => void stdout.write(`${text}\n`),
    status: (text) => {
      if (interactive) stdout.write(`\r\u001b[2K${text.slice(0, Math.max(20, (stdout.columns ?? 80) - 1))}`);
    },
  };
}
