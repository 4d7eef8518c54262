/** Runs the command line in this process, for tests of commands that end before any check runs. */
import { EventEmitter } from "node:events";
import { main } from "../../program.ts";
import { type CliResult, cliPath } from "./cli-process.ts";

/** Runs a command with only these environment variables. */
export async function callCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  let [stdout, stderr] = ["", ""];
  const code = await main(["node", cliPath, ...args], {
    stdout: {
      write: (text) => {
        stdout += text;
      },
    },
    stderr: {
      write: (text) => {
        stderr += text;
      },
    },
    environment,
    outputLoss: { ignore: () => {}, lost: () => new Promise(() => {}) },
    // A command's signal listeners stay until the process ends, so those of all calls would add up.
    signals: new EventEmitter(),
  });
  return { code, stdout, stderr };
}

/** The commands that `--help` lists, except `help`. */
export async function commandNames(): Promise<readonly string[]> {
  const { stdout } = await callCli(["--help"]);
  return [...stdout.matchAll(/^ {2}([a-z]+) /gm)].flatMap(([, name = ""]) => (name === "help" ? [] : [name]));
}
