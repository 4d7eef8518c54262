/** Where a command's words go. */
export interface Output {
  /** True for a person at a terminal: progress is drawn in place. */
  readonly interactive: boolean;
  readonly colours: boolean;
  /** True where a program reads: what a command is for comes as JSON, and no words do. */
  readonly json: boolean;
  /** Something to know on the way; left out with --quiet. */
  line(text: string): void;
  /** What the command is for, in words: always shown to people. */
  result(text: string): void;
  /** What the command is for, as data: for programs alone. */
  data(value: unknown): void;
  /** Overwrites the present line; only when interactive. */
  status(text: string): void;
}

export interface OutputOptions {
  readonly quiet: boolean;
  readonly color: boolean;
  readonly json: boolean;
  readonly environment: NodeJS.ProcessEnv;
}

export function terminalOutput(stdout: NodeJS.WriteStream, options: OutputOptions): Output {
  const { quiet, color, json, environment } = options;
  const interactive = stdout.isTTY === true && !quiet && !json;
  const colours =
    color && !environment.NO_COLOR && (stdout.isTTY === true || Boolean(environment.FORCE_COLOR));
  return {
    interactive,
    colours,
    json,
    line: (text) => {
      if (!quiet && !json) stdout.write(`${text}\n`);
    },
    result: (text) => {
      if (!json) stdout.write(`${text}\n`);
    },
    data: (value) => {
      if (json) stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    status: (text) => {
      if (interactive) stdout.write(`\r\u001b[2K${text}`);
    },
  };
}
