const { COURIER_CONFORM_CALLED_BY: imagePrefix } = process.env;

/** True in a clone, which has npm scripts. The package has npx, and the container image neither. */
export const isClone: boolean = imagePrefix === undefined && import.meta.filename.endsWith(".ts");

const commandPrefix = imagePrefix ?? (isClone ? "npm run" : "npx courier-conform");

/** A command as it is called without arguments, such as `npm run serve`. */
export const commandLine = (name: string): string => `${commandPrefix} ${name}`;

/** A command with arguments, such as `npm run conform -- --url`. */
export const commandWith = (name: string, ...args: readonly string[]): string =>
  [commandLine(name), ...(commandPrefix === "npm run" ? ["--"] : []), ...args].join(" ");

/** A command with arguments for a pipe, without npm's own output. */
export const commandInPipe = (name: string, ...args: readonly string[]): string =>
  commandWith(name, ...args).replace(/^npm run /, "npm run --silent ");
