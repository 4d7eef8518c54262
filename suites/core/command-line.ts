/** The container image sets the prefix of the command names. */
const { COURIER_CONFORM_CALLED_BY: calledByImage } = process.env;

/** True in a clone, which has npm scripts. The package has npx, and the container image neither. */
export const isClone: boolean = calledByImage === undefined && import.meta.filename.endsWith(".ts");

const called = calledByImage ?? (isClone ? "npm run" : "npx courier-conform");

/** A command as it is called without arguments, such as `npm run serve`. */
export const commandLine = (name: string): string => `${called} ${name}`;

/** The same with arguments, such as `npm run conform -- --url`. */
export const commandWith = (name: string, ...args: readonly string[]): string =>
  [commandLine(name), ...(called === "npm run" ? ["--"] : []), ...args].join(" ");

/** The same for a pipe, where npm's own output must be suppressed. */
export const commandInPipe = (name: string, ...args: readonly string[]): string =>
  commandWith(name, ...args).replace(/^npm run /, "npm run --silent ");
