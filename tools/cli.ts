#!/usr/bin/env node
import { main } from "./program.ts";
import { errorWords } from "./terminal/output.ts";
import { OutputLoss } from "./terminal/output-loss.ts";
import { endWithNpm } from "./terminal/parent-process.ts";

/** Resolves when all that was written has gone out: leaving a process drops what a pipe hasn't taken yet. */
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
    const words = `error: standard output can't be written to (${error.code ?? error.message})\n`;
    process.stderr.write(errorWords(words, process.env));
  }
  loss.happened(error);
});
// There is nowhere left to tell of it.
process.stderr.on("error", () => {});
// Outside a run, which keeps such errors as faults of its own: there is no verdict then.
process.on("uncaughtException", (error) => {
  const words = `error: the run broke off, without a verdict: ${error.message}\n`;
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
// An abandoned run may still hold sockets of a target that doesn't answer.
process.exit(loss.exitCode ?? exitCode);
