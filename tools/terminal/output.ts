import { visible, visibleButStyles } from "../../suites/core/text/visible-text.ts";
import { jsonText } from "./json-text.ts";
import { jsonWithoutCommands, withoutCommands } from "./workflow-commands.ts";

/** The GitHub Actions job that a command runs in. */
interface GitHubJob {
  /** The file for the job summary. */
  readonly summaryFile: string | undefined;
  /** Writes a workflow command, if messages go to stdout. */
  command(text: string): void;
}

export interface Output {
  /** True if stdout is a terminal, on which progress is redrawn. */
  readonly interactive: boolean;
  readonly colours: boolean;
  /** True with --quiet: only the verdict and its causes are printed. */
  readonly quiet: boolean;
  /** True with --json or --json-lines: the result is JSON, and messages are omitted. */
  readonly json: boolean;
  /** Undefined outside GitHub Actions. */
  readonly github?: GitHubJob;
  /** Prints a message during the run, except with --quiet or as JSON. */
  line(text: string): void;
  /** Prints the result in words, even with --quiet, but not as JSON. */
  result(text: string): void;
  /** Prints the result as JSON, only with --json. */
  data(value: unknown): void;
  /** Prints a part of the result as soon as it is known, only with --json-lines. */
  event(value: object): void;
  /** Overwrites the current line, only if interactive. */
  status(text: string): void;
}

export interface OutputStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface OutputOptions {
  readonly quiet: boolean;
  readonly color: boolean;
  readonly json: boolean;
  /** True for --json-lines: a line per event instead of one object at the end. */
  readonly jsonLines?: boolean;
  readonly environment: NodeJS.ProcessEnv;
}

const isInJob = (environment: NodeJS.ProcessEnv): boolean => environment.GITHUB_ACTIONS === "true";

/** Text that is safe to print on standard error. On GitHub Actions it can't contain workflow commands. */
export function printableError(text: string, environment: NodeJS.ProcessEnv): string {
  const shown = visible(text);
  return isInJob(environment) ? withoutCommands(shown) : shown;
}

export function terminalOutput(stdout: OutputStream, options: OutputOptions): Output {
  const { quiet, color, jsonLines = false, environment } = options;
  const json = options.json || jsonLines;
  const interactive = stdout.isTTY === true && !quiet && !json;
  const colours =
    color && !environment.NO_COLOR && (stdout.isTTY === true || Boolean(environment.FORCE_COLOR));
  const inJob = isInJob(environment);
  const write = (text: string) => void stdout.write(`${text}\n`);
  const writeText = (text: string) => write(inJob ? withoutCommands(text) : text);
  const writeJson = (text: string) => write(inJob ? jsonWithoutCommands(text) : text);
  return {
    interactive,
    colours,
    quiet,
    json,
    ...(inJob && {
      github: {
        summaryFile: environment.GITHUB_STEP_SUMMARY,
        command: (text: string) => {
          if (!json) write(text);
        },
      },
    }),
    line: (text) => {
      if (!quiet && !json) writeText(visible(text));
    },
    result: (text) => {
      if (!json) writeText(colours ? visibleButStyles(text) : visible(text));
    },
    data: (value) => {
      if (options.json) writeJson(jsonText(value));
    },
    event: (value) => {
      if (jsonLines) writeJson(jsonText(value, 0));
    },
    status: (text) => {
      if (interactive) stdout.write(`\r\u001b[2K${text}`);
    },
  };
}
