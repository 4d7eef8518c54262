#!/usr/bin/env node
import { main } from "./program.ts";
import { errorWords } from "./terminal/output.ts";
import { endWithNpm } from "./terminal/parent-process.ts";

/** Resolves when all that was written has gone out: leaving a process drops what a pipe hasn't taken yet. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write("", () => resolve());
  });

/** As a shell tells of a process that SIGPIPE ended: 128 and 13. */
const SIGPIPE_EXIT = 141;

// Whoever reads the output may stop in the middle, as `head` does: no fault of anybody's, and nobody reads on.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(SIGPIPE_EXIT);
});
// What nobody waits for any more, such as the death of the thread that the checks run in: there is no verdict then.
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
});
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// The run's thread may still hold sockets of a target that doesn't answer.
process.exit(exitCode);
