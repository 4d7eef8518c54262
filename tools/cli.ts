#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { defineBench } from "./cli/bench.ts";
import { defineClient } from "./cli/client.ts";
import { defineCompletion } from "./cli/completion.ts";
import { defineConform } from "./cli/conform.ts";
import { commandContext } from "./cli/context.ts";
import { defineFuzz } from "./cli/fuzz.ts";
import { defineMutants } from "./cli/mutants.ts";
import { definePact } from "./cli/pact.ts";
import { defineReceiver } from "./cli/receiver.ts";
import { defineServe } from "./cli/serve.ts";
import { NAME, VERSION } from "./package.ts";
import { UsageError } from "./usage-error.ts";

const USAGE_EXIT = 3;

const COMMANDS = [
  defineConform,
  defineReceiver,
  defineClient,
  defineServe,
  defineMutants,
  defineBench,
  defineFuzz,
  definePact,
];

function program(exit: (code: number) => void): Command {
  const root = new Command(NAME)
    .description("Conformance tests for the Courier Dispatch Integration Service")
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError("(--help shows the flags)");
  const context = commandContext(exit);
  for (const define of COMMANDS) define(root, context);
  defineCompletion(root);
  return root;
}

/** Runs the command line. @returns the exit code; the only other way out is a fault of ours */
async function main(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  try {
    await program((code) => {
      exitCode = code;
    }).parseAsync(argv);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_EXIT;
    if (error instanceof UsageError) {
      process.stderr.write(`error: ${error.message}\n`);
      return USAGE_EXIT;
    }
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`error: a fault in ${NAME} itself, please report it: ${detail}\n`);
    return USAGE_EXIT;
  }
}

/** Resolves when all that was written has gone out: leaving a process drops what a pipe hasn't taken yet. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write("", () => resolve());
  });

// Whoever reads the output may stop in the middle, as `head` does: no fault of anybody's.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
const exitCode = await main(process.argv);
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// The run's thread may still hold sockets of a target that doesn't answer.
process.exit(exitCode);
