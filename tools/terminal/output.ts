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

/** The output of a command. */
export interface Output {
  /** True for a user at a terminal: progress is redrawn. */
  readonly interactive: boolean;
  readonly colours: boolean;
  /** True if only the verdict and its causes are wanted. */
  readonly quiet: boolean;
  /** True if a program reads the output: the result is JSON, and messages are omitted. */
  readonly json: boolean;
  /** Undefined outside GitHub Actions. */
  readonly github?: GitHubJob;
  /** A message during the run; omitted with --quiet. */
  line(text: string): void;
  /** The result in words, shown even with --quiet. */
  result(text: string): void;
  /** The result as data, with --json. */
  data(value: unknown): void;
  /** A part of the result as soon as it is known; with --json-lines. */
  event(value: object): void;
  /** Overwrites the current line; only if interactive. */
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

/** Prepares text for standard error. On GitHub Actions, removes workflow commands. */
export function errorWords(text: string, environment: NodeJS.ProcessEnv): string {
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
  const writeWords = (text: string) => write(inJob ? withoutCommands(text) : text);
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
      if (!quiet && !json) writeWords(visible(text));
    },
    result: (text) => {
      if (!json) writeWords(colours ? visibleButStyles(text) : visible(text));
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
