import { afterEach, expect, test } from "vitest";
import { commandContext } from "./command-context.ts";

const before = process.listeners("SIGTERM");
afterEach(() => {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    for (const added of process.listeners(signal).filter((one) => !before.includes(one)))
      process.off(signal, added);
});

test("after the first signal somebody listens still: a library that hears one alone ends the process", async () => {
  const { interruption } = commandContext(
    { stdout: process.stdout, stderr: process.stderr, environment: {} },
    () => {},
  );
  const heard = interruption();
  const listening = process.listenerCount("SIGTERM");
  process.emit("SIGTERM", "SIGTERM");
  await heard;
  expect(listening).toBeGreaterThan(before.length);
  expect(process.listenerCount("SIGTERM")).toBe(listening);
});
