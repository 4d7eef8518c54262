import type { Command } from "commander";
import type { Interruption } from "../certification/interruption.ts";
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
  /** The same for a run, which takes two of them; a third ends the process as usual. */
  runInterruption(): Interruption;
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
    interruption: () => Promise.race([hearSignals(1)[0], loss.told()]),
    runInterruption: () => {
      const [first, second] = hearSignals(2);
      return { first: Promise.race([first, loss.told()]), second };
    },
    exit,
  };
}

/**
 * Hears so many signals, and ends the process at the next one.
 * @returns what resolves at each of them
 */
function hearSignals(count: number): [first: Promise<void>, second: Promise<void>] {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let heard = 0;
  // The listeners stay: libraries that have some of their own (signal-exit, below testcontainers) end the process where
  // theirs are the only ones.
  const hear = (signal: NodeJS.Signals) => {
    heard += 1;
    noteEnding();
    if (heard <= count) return (heard === 1 ? first : second).resolve();
    for (const one of ENDING_SIGNALS) process.off(one, hear);
    process.kill(process.pid, signal);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, hear);
  return [first.promise, second.promise];
}

/** An option that may be given several times. */
export const several = (value: string, before: string[] = []): string[] => [...before, value];
/** The same, with commas between entries. */
export const patterns = (value: string, before: string[] = []): string[] => [...before, ...value.split(",")];
