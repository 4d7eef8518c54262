/** How a person calls a command of ours here, for lines to copy: a package has no npm scripts, and a container no npx. */
const isClone = import.meta.filename.endsWith(".ts");

/** The runner's image sets what comes before the name of a command. */
const called = process.env.COURIER_CONFORM_CALLED_BY ?? (isClone ? "npm run" : "npx courier-conform");

/** A command as it is called without arguments, such as `npm run serve`. */
export const commandLine = (name: string): string => `${called} ${name}`;

/** The same with arguments, such as `npm run conform -- --url`. */
export const commandWith = (name: string, ...args: readonly string[]): string =>
  [commandLine(name), ...(called === "npm run" ? ["--"] : []), ...args].join(" ");

/** The same for a pipe, which npm would write lines of its own into. */
export const commandInPipe = (name: string, ...args: readonly string[]): string =>
  commandWith(name, ...args).replace(/^npm run /, "npm run --silent ");
