/**
 * The start of a line that a GitHub Actions runner parses as a command. The runner first trims the white space that
 * .NET knows (`ActionCommand`).
 */
const COMMAND = /^([\t\v\f\p{Zs}\ufeff\u0085]*)::/gmu;
/** The older format of commands, which the runner finds anywhere in a line. */
const OLD_COMMAND = /##\[/g;

/**
 * Removes workflow commands, because a target's text must not annotate the job or mask its log. The command that
 * switches commands off isn't safe: the runner reads stdout and stderr in any order.
 */
export const withoutCommands = (text: string): string =>
  text.replace(COMMAND, "$1\\::").replace(OLD_COMMAND, "##\\[");

/** Like withoutCommands, for JSON: the parsed strings stay the same. */
export const jsonWithoutCommands = (json: string): string => json.replace(OLD_COMMAND, "##\\u005b");
