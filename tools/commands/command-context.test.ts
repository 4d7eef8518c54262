import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { OutputLoss } from "../terminal/output-loss.ts";
import { commandContext } from "./command-context.ts";

function openContext() {
  const signals = new EventEmitter();
  const { stdout, stderr } = process;
  const outputLoss = new OutputLoss(() => {});
  const context = commandContext({ stdout, stderr, environment: {}, outputLoss, signals }, () => {});
  return { ...context, signals };
}

test("a run handles two signals: the first ends the run, the second its cleanup", async () => {
  const { runInterruption, signals } = openContext();
  const { first, second } = runInterruption();
  const heard: string[] = [];
  void first.then(() => heard.push("first"));
  void second?.then(() => heard.push("second"));
  signals.emit("SIGINT", "SIGINT");
  await first;
  expect(heard).toEqual(["first"]);
  signals.emit("SIGINT", "SIGINT");
  await second;
  expect(heard).toEqual(["first", "second"]);
});

test("a listener remains after the first signal: a library with the only listener would end the process", async () => {
  const { interruption, signals } = openContext();
  const heard = interruption();
  signals.emit("SIGTERM", "SIGTERM");
  await heard;
  expect(signals.listenerCount("SIGTERM")).toBe(1);
});
