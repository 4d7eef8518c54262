import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IntegratorClock } from "./integrator-clock.ts";

const HOUR_MS = 3_600_000;
const SKEW_MS = -60_000;

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ["Date", "performance"], now: Date.parse("2026-05-01T12:00:00.123Z") }),
);
afterEach(() => void vi.useRealTimers());

interface Move {
  /** Milliseconds for which an advance waits for its turn, and for which the clock is then frozen. */
  readonly waitsMs?: number;
  readonly standsMs?: number;
  /** Milliseconds of the response's latency. */
  readonly backMs?: number;
}

/** A target's clock that is a minute behind this machine's, and a way to move it. */
function targetOf(clock: IntegratorClock, shown = (at: number) => at) {
  let aheadMs = SKEW_MS;
  const shows = () => Date.now() + aheadMs;
  return {
    shows,
    putRight: (ms: number) => {
      aheadMs += ms;
    },
    move(byMs: number, { waitsMs = 0, standsMs = 0, backMs = 0 }: Move = {}) {
      vi.advanceTimersByTime(waitsMs + standsMs);
      aheadMs += byMs - standsMs;
      const atItsEnd = shown(shows());
      vi.advanceTimersByTime(backMs);
      clock.wasMoved({ byMs, tookMs: waitsMs + standsMs + backMs, shows: atItsEnd });
    },
  };
}

/** How much the error of the estimated clock changes by `moves` after the first move. */
function errorAfter(first: Move, moves: readonly Move[], shown?: (at: number) => number): number {
  const clock = new IntegratorClock();
  const target = targetOf(clock, shown);
  target.move(1000, first);
  const [before, atTarget] = [clock.now(), target.shows()];
  vi.advanceTimersByTime(500);
  for (const move of moves) target.move(HOUR_MS, move);
  return clock.now() - before - (target.shows() - atTarget);
}

test.for([
  ["stands still", { standsMs: 3000 }],
  ["runs while the advance waits for its turn", { waitsMs: 9000 }],
  ["does both", { waitsMs: 4000, standsMs: 3000 }],
] as const)("the estimate for a clock that %s matches the target's", ([, way]) => {
  expect(errorAfter({ standsMs: 20 }, [way, way, way])).toBe(0);
});

test("a response's latency makes the estimate at most that much ahead, and never behind", () => {
  expect(errorAfter({ backMs: 300 }, [{ standsMs: 3000 }])).toBe(300);
  expect(errorAfter({ backMs: 300 }, [{ standsMs: 3000, backMs: 300 }])).toBe(0);
  expect(errorAfter({ backMs: 1900 }, [{ waitsMs: 50 }])).toBe(0);
});

test("a clock shown in whole seconds is estimated at most one second ahead, and never behind", () => {
  const inSeconds = (at: number) => Math.floor(at / 1000) * 1000;
  const moves = [
    { waitsMs: 1800, standsMs: 900 },
    { waitsMs: 1150, standsMs: 700 },
    { waitsMs: 700, standsMs: 1600 },
  ];
  const error = errorAfter({ waitsMs: 640 }, moves, inSeconds);
  expect(error).toBeGreaterThanOrEqual(0);
  expect(error).toBeLessThanOrEqual(1000);
});

test("a corrected clock is assumed to be frozen during advances", () => {
  const clock = new IntegratorClock();
  const target = targetOf(clock);
  target.move(1000);
  target.putRight(HOUR_MS);
  target.move(1000, { standsMs: 3000 });
  const before = clock.now();
  target.move(HOUR_MS, { standsMs: 3000 });
  expect(clock.now() - before).toBe(HOUR_MS);
});

test("the clock is assumed to be frozen during its first advance", () => {
  const clock = new IntegratorClock();
  const before = clock.now();
  targetOf(clock).move(HOUR_MS, { standsMs: 3000 });
  expect(clock.now() - before).toBe(HOUR_MS);
});

test("the clock's offset at any past time is known", () => {
  const clock = new IntegratorClock();
  const start = Date.now();
  vi.advanceTimersByTime(10);
  targetOf(clock).move(HOUR_MS);
  expect(clock.offsetAt(start)).toBe(0);
  expect(clock.offsetAt(Date.now())).toBe(HOUR_MS);
});
