#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { serverSuite } from "../suites/server-suite.ts";
import { bench } from "./commands/bench.ts";
import { explain, listChecks } from "./commands/catalogue.ts";
import { conform } from "./commands/conform.ts";
import { type MutantsFlags, runMutants } from "./commands/mutants.ts";
import { type ServeFlags, serve } from "./commands/serve.ts";
import { terminalOutput } from "./output.ts";
import { NAME, VERSION } from "./package.ts";
import { type ConformFlags, conformSettings } from "./settings/conform.ts";
import { UsageError } from "./usage-error.ts";

const USAGE_EXIT = 3;

const several = (value: string, before: string[] = []): string[] => [...before, value];
const patterns = (value: string, before: string[] = []): string[] => [...before, ...value.split(",")];

/** Resolves at the first Ctrl-C; a second one ends the process as usual. */
const interruption = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });

function program(setExit: (code: number) => void): Command {
  const root = new Command(NAME)
    .description("Conformance tests for the Courier Dispatch Integration Service")
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError("(--help shows the flags)");
  root
    .command("conform")
    .description("Certifies a server: the embedded reference server, or the one at --url.")
    .option("--url <url>", "base address of the service to certify")
    .option("--config <file>", "settings file (default: ./conform.yaml if there is one)")
    .option("--control-url <url>", "address of the target's control interface")
    .option("--control-token <token>", "its token; better in CONFORM_CONTROL_TOKEN")
    .option("--client-id <id>", "an integrator's client id; twice for two integrators", several)
    .option(
      "--client-secret <secret>",
      "its secret, in the same order; better in CONFORM_CLIENT_SECRET",
      several,
    )
    .option("--pairing-code <code>", "an unused pairing code; as often as there are codes", patterns)
    .option("--claims <levels>", "what the target claims: of api,events,courier,time (default: all)")
    .option("--only <ids>", "only these checks: ids, clause ids or globs, with commas", patterns)
    .option("--skip <ids>", "all but these checks", patterns)
    .option("--list", "list the checks, and run nothing")
    .option("--explain <id>", "explain a check or a clause, and run nothing")
    .option("--seed <number>", "seed of everything random (default: a new one)")
    .option("--shuffle", "run the checks in an order made from the seed")
    .option("--jobs <number>", "checks at a time (default: 8)")
    .option("--timeout <duration>", "how long one answer may take (default: 10s)")
    .option("--patience <duration>", "how long a check may wait for time to pass (default: 0s)")
    .option("--strict", "failed SHOULD clauses count like MUST clauses")
    .option("--report <dir>", "write report.json there")
    .option("--no-color", "plain text")
    .option("--quiet", "only failures and verdict")
    .addHelpText(
      "after",
      "\nExit codes: 0 CONFORMANT, 1 NONCONFORMANT, 2 INCOMPLETE, 3 ERROR (usage, configuration, unreachable target).\n" +
        "Settings come from flags, then CONFORM_… variables (CONFORM_URL, CONFORM_CONTROL_URL, CONFORM_CONTROL_TOKEN,\n" +
        "CONFORM_CLIENT_ID, CONFORM_CLIENT_SECRET, CONFORM_PAIRING_CODE, CONFORM_CLAIMS, CONFORM_SEED), then the file.",
    )
    .action(async (flags: ConformFlags & { list?: boolean; explain?: string }) => {
      const output = terminalOutput(process.stdout, {
        quiet: flags.quiet ?? false,
        color: flags.color ?? true,
        environment: process.env,
      });
      if (flags.list) return output.result(listChecks(serverSuite()));
      if (flags.explain !== undefined) return output.result(explain(serverSuite(), flags.explain));
      setExit(await conform(conformSettings(flags, process.env), output, interruption()));
    });
  root
    .command("serve")
    .description(
      "Serves the reference server until Ctrl-C. CONTROL_TOKEN sets the control interface's token.",
    )
    .option("--port <number>", "port to listen on; 0 picks a free one (default: 8080)")
    .option("--host <address>", "address to listen on (default: 127.0.0.1)")
    .option("--database <file>", "keep everything in this SQLite file (default: in memory)")
    .action(async (flags: ServeFlags) => {
      const output = terminalOutput(process.stdout, { quiet: false, color: true, environment: process.env });
      setExit(await serve(flags, process.env, output, interruption()));
    });
  root
    .command("bench")
    .description("Times the main jobs as whole processes, and prints how they compare within one run.")
    .action(async () => {
      const output = terminalOutput(process.stdout, { quiet: false, color: true, environment: process.env });
      setExit(await bench(output));
    });
  root
    .command("mutants")
    .description("Runs the checks on reference servers with one fault each; every fault must be caught.")
    .option("--only <ids>", "only these mutants: ids or globs, with commas", patterns)
    .option("--group <glob>", "only the mutants that these checks name, e.g. 'idempotency.*'")
    .option("--full", "try every check on every mutant, not only those that name it")
    .action(async (flags: MutantsFlags) => {
      const output = terminalOutput(process.stdout, { quiet: false, color: true, environment: process.env });
      setExit(await runMutants(flags, output));
    });
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
