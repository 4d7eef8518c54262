/**
 * A line that a GitHub Actions runner parses as a command, after all characters that .NET trims
 * (`ActionCommand`).
 */
const COMMAND = /^([\t\v\f\p{Zs}\ufeff\u0085]*)::/gmu;
/** The older format, which the runner finds anywhere in a line. */
const OLD_COMMAND = /##\[/g;

/**
 * Text for a job's log without workflow commands. A target's text must not annotate the job or mask its log.
 * Switching commands off isn't safe, because the runner reads both streams of a step as they come.
 */
export const withoutCommands = (text: string): string =>
  text.replace(COMMAND, "$1\\::").replace(OLD_COMMAND, "##\\[");

/** The same for JSON, without changing the values of its strings. */
export const jsonWithoutCommands = (json: string): string => json.replace(OLD_COMMAND, "##\\u005b");
