import type { Command } from "commander";
import { type Output, type OutputStream, terminalOutput } from "../terminal/output.ts";

/** What the command line reads and writes: a process's own, or what a test gives it. */
export interface Io {
  readonly stdout: OutputStream;
  readonly stderr: Pick<OutputStream, "write">;
  readonly environment: NodeJS.ProcessEnv;
}

/** What a command's definition gets: where its words go, how it is ended, and what it ends with. */
export interface CommandContext {
  readonly environment: NodeJS.ProcessEnv;
  output(flags?: { quiet?: boolean; color?: boolean; json?: boolean }): Output;
  /** Resolves at the first Ctrl-C; a second one ends the process as usual. */
  interruption(): Promise<void>;
  exit(code: number): void;
}

/** Adds one command to the program. What it runs is loaded when it is called: wrong flags are told at once. */
export type CommandDefinition = (root: Command, context: CommandContext) => void;

export function commandContext({ stdout, environment }: Io, exit: (code: number) => void): CommandContext {
  return {
    environment,
    output: (flags = {}) =>
      terminalOutput(stdout, {
        quiet: flags.quiet ?? false,
        color: flags.color ?? true,
        json: flags.json ?? false,
        environment,
      }),
    interruption: () =>
      new Promise((resolve) => {
        for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
      }),
    exit,
  };
}

/** An option that may be given several times. */
export const several = (value: string, before: string[] = []): string[] => [...before, value];
/** The same, with commas between entries. */
export const patterns = (value: string, before: string[] = []): string[] => [...before, ...value.split(",")];
