import type { Command } from "commander";
import type { Interruption } from "../certification/interruption.ts";
import { ENDING_SIGNALS, noteEnding } from "../terminal/ending-signals.ts";
import { type Output, type OutputStream, terminalOutput } from "../terminal/output.ts";
import type { OutputLoss } from "../terminal/output-loss.ts";
import { UsageError } from "../usage-error.ts";

/** Where the program's signals come from: the process, or an emitter in a test. */
interface SignalSource {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
}

/** Output, environment and signals of the program, from the process or from a test. */
export interface Io {
  readonly stdout: OutputStream;
  readonly stderr: Pick<OutputStream, "write">;
  readonly environment: NodeJS.ProcessEnv;
  readonly outputLoss: Pick<OutputLoss, "ignore" | "lost">;
  readonly signals: SignalSource;
}

interface OutputFlags {
  quiet?: boolean;
  color?: boolean;
  json?: boolean;
  jsonLines?: boolean;
  report?: string;
}

/** What the implementation of a command gets. */
interface CommandContext {
  readonly environment: NodeJS.ProcessEnv;
  output(flags?: OutputFlags): Output;
  /**
   * Resolves at the first signal, or when the reader of the output has exited. The second signal ends the process.
   */
  interruption(): Promise<void>;
  /** Like `interruption`, for a run, which handles two signals. The third signal ends the process. */
  runInterruption(): Interruption;
  exit(code: number): void;
}

/**
 * Adds a command to the program. The command's implementation is loaded only when the command runs, so that wrong
 * flags are reported immediately.
 */
export type CommandDefinition = (root: Command, context: CommandContext) => void;

export function commandContext(
  { stdout, environment, outputLoss, signals }: Io,
  exit: (code: number) => void,
): CommandContext {
  return {
    environment,
    output: (flags = {}) => {
      // The report is written even if the reader of the output has exited.
      if (flags.report !== undefined) outputLoss.ignore();
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
    interruption: () => Promise.race([handleSignals(signals, 1)[0], outputLoss.lost()]),
    runInterruption: () => {
      const [first, second] = handleSignals(signals, 2);
      return { first: Promise.race([first, outputLoss.lost()]), second };
    },
    exit,
  };
}

/**
 * Handles the first `count` signals. The next signal ends the process.
 * @returns promises that resolve at the first and at the second signal
 */
function handleSignals(signals: SignalSource, count: number): [first: Promise<void>, second: Promise<void>] {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let received = 0;
  // The listeners stay until the signal that ends the process, even after the command. A library with its own
  // listener (signal-exit, used by testcontainers) ends the process if no other listener exists.
  const handle = (signal: NodeJS.Signals) => {
    received += 1;
    noteEnding();
    if (received <= count) return (received === 1 ? first : second).resolve();
    for (const name of ENDING_SIGNALS) signals.off(name, handle);
    process.kill(process.pid, signal);
  };
  for (const signal of ENDING_SIGNALS) signals.on(signal, handle);
  return [first.promise, second.promise];
}

/** Collects the values of an option that may be given several times. */
export const repeatable = (value: string, earlier: string[] = []): string[] => [...earlier, value];
/** Like `repeatable`, and splits each value at its commas. */
export const commaSeparated = (value: string, earlier: string[] = []): string[] => [
  ...earlier,
  ...value.split(","),
];
