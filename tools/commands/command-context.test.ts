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

test("after the first signal somebody listens still: a library that hears one alone ends the process", async () => {
  const { interruption } = commandContext(
    { stdout: process.stdout, stderr: process.stderr, environment: {}, loss: new OutputLoss(() => {}) },
    () => {},
  );
  const heard = interruption();
  const listening = process.listenerCount("SIGTERM");
  process.emit("SIGTERM", "SIGTERM");
  await heard;
  expect(listening).toBeGreaterThan(before.length);
  expect(process.listenerCount("SIGTERM")).toBe(listening);
});
