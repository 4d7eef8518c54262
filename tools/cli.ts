#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { defineBench } from "./cli/bench.ts";
import { defineCompletion } from "./cli/completion.ts";
import { defineConform } from "./cli/conform.ts";
import { commandContext } from "./cli/context.ts";
import { defineMutants } from "./cli/mutants.ts";
import { defineServe } from "./cli/serve.ts";
import { NAME, VERSION } from "./package.ts";
import { UsageError } from "./usage-error.ts";

const USAGE_EXIT = 3;

const COMMANDS = [defineConform, defineServe, defineMutants, defineBench];

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

const exitCode = await main(process.argv);
// The run's thread may still hold sockets of a target that doesn't answer; everything is written by now.
process.exit(exitCode);
