#!/usr/bin/env node
import { main } from "./program.ts";
import { errorWords } from "./terminal/output.ts";
import { OutputLoss } from "./terminal/output-loss.ts";
import { endWithNpm } from "./terminal/parent-process.ts";

/** Resolves when all output has been flushed: exiting the process drops what a pipe hasn't read. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write("", () => resolve());
  });

const loss = new OutputLoss((exitCode) => process.exit(exitCode));
let isLost = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (isLost) return;
  isLost = true;
  if (error.code !== "EPIPE") {
    const words = `error: standard output isn't writable (${error.code ?? error.message})\n`;
    process.stderr.write(errorWords(words, process.env));
  }
  loss.happened(error);
});
// If standard error is closed, nothing can be reported.
process.stderr.on("error", () => {});
// Only errors outside a run get here. A run catches and reports them.
process.on("uncaughtException", (error) => {
  const words = `error: the run ended early without a verdict: ${error.message}\n`;
  process.stderr.write(errorWords(words, process.env));
  process.exit(3);
});
endWithNpm(process.env);
const exitCode = await main(process.argv, {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  loss,
});
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// A run that was given up may still have open sockets to a target that doesn't respond.
process.exit(loss.exitCode ?? exitCode);
