#!/usr/bin/env node
import { main } from "./program.ts";
import { printableError } from "./terminal/output.ts";
import { OutputLoss } from "./terminal/output-loss.ts";
import { endWithNpm } from "./terminal/parent-process.ts";

/** Resolves when all output has been flushed: exiting the process drops what a pipe hasn't read. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write("", () => resolve());
  });

const outputLoss = new OutputLoss((exitCode) => process.exit(exitCode));
let isLost = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (isLost) return;
  isLost = true;
  if (error.code !== "EPIPE") {
    const message = `error: standard output isn't writable (${error.code ?? error.message})\n`;
    process.stderr.write(printableError(message, process.env));
  }
  outputLoss.handle(error);
});
// If standard error is closed, the resulting error can't be reported anywhere.
process.stderr.on("error", () => {});
// A run catches and reports its own errors, so this handler only gets errors outside a run.
process.on("uncaughtException", (error) => {
  const message = `error: the run ended early without a verdict: ${error.message}\n`;
  process.stderr.write(printableError(message, process.env));
  process.exit(3);
});
endWithNpm(process.env);
const exitCode = await main(process.argv, {
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  outputLoss,
  signals: process,
});
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// After a second Ctrl-C, sockets to a target that doesn't respond may still be open.
process.exit(outputLoss.exitCode ?? exitCode);
