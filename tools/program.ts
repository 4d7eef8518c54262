import { Command, CommanderError } from "commander";
import { isClone } from "../suites/core/command-line.ts";
import { textOf } from "../suites/core/json.ts";
import { defineClient } from "./commands/client/flags.ts";
import { type CommandDefinition, commandContext, type Io } from "./commands/command-context.ts";
import { defineCompletion } from "./commands/completion.ts";
import { defineConform } from "./commands/conform/flags.ts";
import { defineDiff } from "./commands/diff/flags.ts";
import { defineInit } from "./commands/init/flags.ts";
import { defineMcp } from "./commands/mcp/flags.ts";
import { definePact } from "./commands/pact/flags.ts";
import { defineReceiver } from "./commands/receiver/flags.ts";
import { defineResults } from "./commands/results/flags.ts";
import { defineSamples } from "./commands/samples/flags.ts";
import { defineServe } from "./commands/serve/flags.ts";
import { defineSubmit } from "./commands/submit/flags.ts";
import { defineTrigger } from "./commands/trigger/flags.ts";
import { defineVerify } from "./commands/verify/flags.ts";
import { defineWebhook } from "./commands/webhook/flags.ts";
import { NAME, VERSION } from "./package.ts";
import { printableError } from "./terminal/output.ts";
import { UsageError } from "./usage-error.ts";

const USAGE_EXIT = 3;

const COMMANDS = [
  defineInit,
  defineConform,
  defineReceiver,
  defineClient,
  defineDiff,
  defineVerify,
  defineResults,
  defineSubmit,
  defineMcp,
  defineServe,
  defineTrigger,
  defineWebhook,
  defineSamples,
  definePact,
];

/** The commands for work on the suite itself. They need its tests, which the package doesn't contain. */
const maintainerCommands = (): Promise<readonly CommandDefinition[]> =>
  Promise.all([
    import("./commands/mutants/flags.ts").then(({ defineMutants }) => defineMutants),
    import("./commands/bench/flags.ts").then(({ defineBench }) => defineBench),
    import("./commands/fuzz/flags.ts").then(({ defineFuzz }) => defineFuzz),
  ]);

async function program(io: Io, exit: (code: number) => void): Promise<Command> {
  const root = new Command(NAME)
    .description("Conformance tests for the Courier Dispatch Integration Service")
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(printableError(text, io.environment)),
    })
    .showHelpAfterError("(--help shows the flags)")
    .addHelpText(
      "after",
      "\nStart with conform: without flags it certifies the embedded reference server, with --url yours.\n" +
        "COMMAND --help shows a command's flags and environment variables.",
    );
  root.hook("preAction", (_, command) => refuseEmpty(command));
  const context = commandContext(io, exit);
  for (const define of [...COMMANDS, ...(isClone ? await maintainerCommands() : [])]) define(root, context);
  for (const command of root.commands) refuseRepeated(command);
  defineCompletion(root);
  return root;
}

/** Refuses a repeated flag, because Commander would use its last value without a message. */
function refuseRepeated(command: Command): void {
  for (const option of command.options.filter(({ required, parseArg }) => required && !parseArg)) {
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) throw new UsageError(`${option.long ?? option.flags} is given twice: give it once`);
      isGiven = true;
    });
  }
}

/** @throws UsageError for a flag with an empty value, which is usually an unset shell variable */
function refuseEmpty(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (value !== "" && !(Array.isArray(value) && value.includes(""))) continue;
    throw new UsageError(`${option.long ?? option.flags} requires a value`);
  }
}

/**
 * Runs the command line.
 * @param argv as in process.argv
 * @returns the exit code
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = 0;
  try {
    const root = await program(io, (code) => {
      exitCode = code;
    });
    await root.parseAsync(argv);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_EXIT;
    const say = (text: string) => io.stderr.write(printableError(`error: ${text}\n`, io.environment));
    if (error instanceof UsageError) {
      say(error.message);
      return USAGE_EXIT;
    }
    const detail = error instanceof Error ? (error.stack ?? error.message) : textOf(error);
    say(`a bug in ${NAME}, please report it: ${detail}`);
    return USAGE_EXIT;
  }
}
