/** The command line in this process, for tests of what ends before anything is run. */
import { main } from "../../program.ts";
import { type CliResult, cliPath } from "./cli-process.ts";

/** Runs it with nothing but these variables set. */
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
    loss: { goOn: () => {}, told: () => new Promise(() => {}) },
  });
  return { code, stdout, stderr };
}

/** Names of the commands that `--help` lists, `help` aside, which is another way to write it. */
export async function commandNames(): Promise<readonly string[]> {
  const { stdout } = await callCli(["--help"]);
  return [...stdout.matchAll(/^ {2}([a-z]+) /gm)].flatMap(([, name = ""]) => (name === "help" ? [] : [name]));
}
