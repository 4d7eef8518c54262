import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IntegratorClock } from "./integrator-clock.ts";

const HOUR_MS = 3_600_000;
const SKEW_MS = -60_000;

beforeEach(
  () => void vi.useFakeTimers({ toFake: ["Date", "performance"], now: Date.parse("2026-05-01T12:00:00Z") }),
);
afterEach(() => void vi.useRealTimers());

/** A target's clock, a minute behind this machine's, and how a move of it goes. */
function targetOf(clock: IntegratorClock) {
  let aheadMs = SKEW_MS;
  const shows = () => Date.now() + aheadMs;
  return {
    shows,
    /** The move waits for its turn, and then the clock stands still for a while. */
    move(byMs: number, { waitsMs = 0, standsMs = 0 } = {}) {
      vi.advanceTimersByTime(waitsMs + standsMs);
      aheadMs += byMs - standsMs;
      clock.wasMoved({ byMs, tookMs: waitsMs + standsMs, shows: shows() });
    },
  };
}

test.for([
  ["stands still", { standsMs: 3000 }],
  ["runs on while the move waits for its turn", { waitsMs: 9000 }],
  ["does both", { waitsMs: 4000, standsMs: 3000 }],
] as const)("a clock that %s is known to have passed as much as the target's", ([, way]) => {
  const clock = new IntegratorClock();
  const target = targetOf(clock);
  target.move(1000, { standsMs: 20 });
  const [before, atTarget] = [clock.now(), target.shows()];
  vi.advanceTimersByTime(500);
  target.move(HOUR_MS, way);
  target.move(HOUR_MS, way);
  expect(clock.now() - before).toBe(target.shows() - atTarget);
});

test("of its first move the clock is taken to stand still, and the machine's own time is kept", () => {
  const clock = new IntegratorClock();
  const before = clock.now();
  targetOf(clock).move(HOUR_MS, { standsMs: 3000 });
  expect(clock.now() - before).toBe(HOUR_MS);
});

test("a control interface that tells its time in whole seconds moves nothing by them", () => {
  const clock = new IntegratorClock();
  const before = clock.now();
  for (const shows of [999, 0, 500]) clock.wasMoved({ byMs: 0, tookMs: 0, shows: clock.now() - shows });
  expect(clock.now()).toBe(before);
});

test("it is known what it was ahead by at any time", () => {
  const clock = new IntegratorClock();
  const start = Date.now();
  vi.advanceTimersByTime(10);
  targetOf(clock).move(HOUR_MS);
  expect(clock.offsetAt(start)).toBe(0);
  expect(clock.offsetAt(Date.now())).toBe(HOUR_MS);
});
