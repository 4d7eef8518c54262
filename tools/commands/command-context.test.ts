import { afterEach, expect, test } from "vitest";
import { ENDING_SIGNALS } from "../terminal/ending-signals.ts";
import { OutputLoss } from "../terminal/output-loss.ts";
import { commandContext } from "./command-context.ts";

const before = process.listeners("SIGTERM");
afterEach(() => {
  for (const signal of ENDING_SIGNALS)
    for (const added of process.listeners(signal).filter((one) => !before.includes(one)))
      process.off(signal, added);
});

test("a run handles two signals: the first ends the run, the second its cleanup", async () => {
  const { runInterruption } = commandContext(
    { stdout: process.stdout, stderr: process.stderr, environment: {}, outputLoss: new OutputLoss(() => {}) },
    () => {},
  );
  const { first, second } = runInterruption();
  const heard: string[] = [];
  void first.then(() => heard.push("first"));
  void second?.then(() => heard.push("second"));
  process.emit("SIGINT", "SIGINT");
  await first;
  expect(heard).toEqual(["first"]);
  process.emit("SIGINT", "SIGINT");
  await second;
  expect(heard).toEqual(["first", "second"]);
});

test("a listener remains after the first signal: a library with the only listener would end the process", async () => {
  const { interruption } = commandContext(
    { stdout: process.stdout, stderr: process.stderr, environment: {}, outputLoss: new OutputLoss(() => {}) },
    () => {},
  );
  const heard = interruption();
  const listening = process.listenerCount("SIGTERM");
  process.emit("SIGTERM", "SIGTERM");
  await heard;
  expect(listening).toBeGreaterThan(before.length);
  expect(process.listenerCount("SIGTERM")).toBe(listening);
});
