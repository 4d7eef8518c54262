import { expect, onTestFinished, test } from "vitest";
import { monotonicNow, pause } from "../clock.ts";
import { LatenessSampler } from "./lateness.ts";
import { DisturbanceLog } from "./log.ts";

function sampled() {
  const log = new DisturbanceLog();
  const sampler = new LatenessSampler(log);
  onTestFinished(() => sampler.close());
  return { log, sampler };
}

test("a stalled process is logged with the time of the stall", async () => {
  const started = monotonicNow();
  const { log, sampler } = sampled();
  await pause(50);
  const from = monotonicNow();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_300);
  expect(sampler.isDelayed).toBe(true);
  await pause(50);
  const [noted] = log.between(from + 1_000, monotonicNow());
  expect(noted).toMatchObject({
    kind: "suite-late",
    what: expect.stringMatching(/stood still for [\d.]+ s/),
  });
  expect(noted?.from).toBeGreaterThan(started);
  expect(log.between(0, started)).toEqual([]);
});

test("an entry is found for every interval that it overlaps", () => {
  const log = new DisturbanceLog();
  const now = monotonicNow();
  log.note("restart", "the target was away", now - 500);
  expect(log.between(now - 900, now - 400)).toHaveLength(1);
  expect(log.between(now - 900, now - 600)).toEqual([]);
  expect(log.between(monotonicNow() + 1, monotonicNow() + 2)).toEqual([]);
});
