import type { Command } from "commander";
import { ENDING_SIGNALS, noteEnding } from "../terminal/ending-signals.ts";
import { type Output, type OutputStream, terminalOutput } from "../terminal/output.ts";
import type { OutputLoss } from "../terminal/output-loss.ts";

/** What the command line reads and writes: a process's own, or what a test gives it. */
export interface Io {
  readonly stdout: OutputStream;
  readonly stderr: Pick<OutputStream, "write">;
  readonly environment: NodeJS.ProcessEnv;
  readonly loss: Pick<OutputLoss, "goOn" | "told">;
}

/** What a command's definition gets: where its words go, how it is ended, and what it ends with. */
export interface CommandContext {
  readonly environment: NodeJS.ProcessEnv;
  output(flags?: { quiet?: boolean; color?: boolean; json?: boolean; report?: string }): Output;
  /** Resolves at the first Ctrl-C, or when nobody takes the output any more; a second Ctrl-C ends the process as usual. */
  interruption(): Promise<void>;
  exit(code: number): void;
}

/** Adds one command to the program. What it runs is loaded when it is called: wrong flags are told at once. */
export type CommandDefinition = (root: Command, context: CommandContext) => void;

export function commandContext(
  { stdout, environment, loss }: Io,
  exit: (code: number) => void,
): CommandContext {
  return {
    environment,
    output: (flags = {}) => {
      if (flags.report !== undefined) loss.goOn();
      return terminalOutput(stdout, {
        quiet: flags.quiet ?? false,
        color: flags.color ?? true,
        json: flags.json ?? false,
        environment,
      });
    },
    interruption: () => Promise.race([firstSignal(), loss.told()]),
    exit,
  };
}

/**
 * Resolves at the first signal. Its listeners stay until the second: libraries that have some of their own (signal-exit,
 * below testcontainers) end the process where theirs are the only ones.
 */
const firstSignal = (): Promise<void> =>
  new Promise((resolve) => {
    let isFirst = true;
    const hear = (signal: NodeJS.Signals) => {
      if (isFirst) {
        isFirst = false;
        noteEnding();
        return resolve();
      }
      for (const one of ENDING_SIGNALS) process.off(one, hear);
      process.kill(process.pid, signal);
    };
    for (const signal of ENDING_SIGNALS) process.on(signal, hear);
  });

/** An option that may be given several times. */
export const several = (value: string, before: string[] = []): string[] => [...before, value];
/** The same, with commas between entries. */
export const patterns = (value: string, before: string[] = []): string[] => [...before, ...value.split(",")];
