/** A line that a runner of GitHub Actions takes for a command: it looks behind all that .NET trims (`ActionCommand`). */
const COMMAND = /^([\s\u0085]*)::/gm;
/** The older form, which it finds anywhere in a line. */
const OLD_COMMAND = /##\[/g;

/**
 * Text for a job's log in which nothing is a workflow command: what a target answers is printed, and must not be able
 * to mark the job or to mask its log. Nothing is to be switched off for it and on again: the runner reads both streams of
 * a step as they come.
 */
export const withoutCommands = (text: string): string =>
  text.replace(COMMAND, "$1\\::").replace(OLD_COMMAND, "##\\[");

/** The same for JSON, whose texts stay what they are. */
export const jsonWithoutCommands = (json: string): string => json.replace(OLD_COMMAND, "##\\u005b");
