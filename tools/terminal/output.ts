import { visible, visibleButStyles } from "../../suites/core/text/visible-text.ts";
import { jsonText } from "./json-text.ts";
import { jsonWithoutCommands, withoutCommands } from "./workflow-commands.ts";

/** The job on GitHub Actions that a command runs in. */
export interface GitHubJob {
  /** What is added to this file stands on the job's page. */
  readonly summaryFile: string | undefined;
  /** Writes a workflow command; only where words go to stdout. */
  command(text: string): void;
}

/** Where a command's words go. */
export interface Output {
  /** True for a person at a terminal: progress is drawn in place. */
  readonly interactive: boolean;
  readonly colours: boolean;
  /** True where a program reads: what a command is for comes as JSON, and no words do. */
  readonly json: boolean;
  /** Undefined anywhere else. */
  readonly github?: GitHubJob;
  /** Something to know on the way; left out with --quiet. */
  line(text: string): void;
  /** What the command is for, in words: always shown to people. */
  result(text: string): void;
  /** What the command is for, as data: for programs alone. */
  data(value: unknown): void;
  /** Overwrites the present line; only when interactive. */
  status(text: string): void;
}

/** What is needed of standard output. */
export interface OutputStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface OutputOptions {
  readonly quiet: boolean;
  readonly color: boolean;
  readonly json: boolean;
  readonly environment: NodeJS.ProcessEnv;
}

const isInJob = (environment: NodeJS.ProcessEnv): boolean => environment.GITHUB_ACTIONS === "true";

/** Words for standard error, whoever they may be of. */
export function errorWords(text: string, environment: NodeJS.ProcessEnv): string {
  const shown = visible(text);
  return isInJob(environment) ? withoutCommands(shown) : shown;
}

export function terminalOutput(stdout: OutputStream, options: OutputOptions): Output {
  const { quiet, color, json, environment } = options;
  const interactive = stdout.isTTY === true && !quiet && !json;
  const colours =
    color && !environment.NO_COLOR && (stdout.isTTY === true || Boolean(environment.FORCE_COLOR));
  const inJob = isInJob(environment);
  const write = (text: string) => void stdout.write(`${text}\n`);
  const writeWords = (text: string) => write(inJob ? withoutCommands(text) : text);
  return {
    interactive,
    colours,
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
      const text = jsonText(value);
      if (json) write(inJob ? jsonWithoutCommands(text) : text);
    },
    status: (text) => {
      if (interactive) stdout.write(`\r\u001b[2K${text}`);
    },
  };
}
