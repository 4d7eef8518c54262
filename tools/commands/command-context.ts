import type { Command } from "commander";
import type { Interruption } from "../certification/interruption.ts";
import { ENDING_SIGNALS, noteEnding } from "../terminal/ending-signals.ts";
import { type Output, type OutputStream, terminalOutput } from "../terminal/output.ts";
import type { OutputLoss } from "../terminal/output-loss.ts";
import { UsageError } from "../usage-error.ts";

/** The input and output of the command line: the process's own, or a test's. */
export interface Io {
  readonly stdout: OutputStream;
  readonly stderr: Pick<OutputStream, "write">;
  readonly environment: NodeJS.ProcessEnv;
  readonly loss: Pick<OutputLoss, "goOn" | "told">;
}

interface OutputFlags {
  quiet?: boolean;
  color?: boolean;
  json?: boolean;
  jsonLines?: boolean;
  report?: string;
}

/** The parts of a command line that its implementation gets: output, interruption and exit code. */
interface CommandContext {
  readonly environment: NodeJS.ProcessEnv;
  output(flags?: OutputFlags): Output;
  /**
   * Resolves at the first Ctrl-C, or when the reader of the output has exited. A second Ctrl-C ends the
   * process as usual.
   */
  interruption(): Promise<void>;
  /** The same for a run, which handles two signals. A third one ends the process as usual. */
  runInterruption(): Interruption;
  exit(code: number): void;
}

/**
 * Adds one command to the program. Its implementation is loaded when it runs, so that wrong flags are
 * reported immediately.
 */
export type CommandDefinition = (root: Command, context: CommandContext) => void;

export function commandContext(
  { stdout, environment, loss }: Io,
  exit: (code: number) => void,
): CommandContext {
  return {
    environment,
    output: (flags = {}) => {
      if (flags.report !== undefined) loss.goOn();
      if (flags.json && flags.jsonLines) {
        throw new UsageError("--json and --json-lines exclude each other: give one of them");
      }
      return terminalOutput(stdout, {
        quiet: flags.quiet ?? false,
        color: flags.color ?? true,
        json: flags.json ?? false,
        jsonLines: flags.jsonLines ?? false,
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
 * Handles this many signals, and ends the process at the next one.
 * @returns promises that resolve at each signal
 */
function hearSignals(count: number): [first: Promise<void>, second: Promise<void>] {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let heard = 0;
  // The listeners are never removed. A library with its own listener (signal-exit, used by testcontainers)
  // ends the process if no other listener exists.
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
/** Like `several`, with commas between entries. */
export const patterns = (value: string, before: string[] = []): string[] => [...before, ...value.split(",")];
