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
  /** Wait of a move for its turn, and the time for which the clock then stands still. */
  readonly waitsMs?: number;
  readonly standsMs?: number;
  /** The answer's way back. */
  readonly backMs?: number;
}

/** A target's clock, a minute behind this machine's, and a way to move it. */
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

/** The error of the estimated clock after these moves, since the first one. */
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
  ["runs on while the move waits for its turn", { waitsMs: 9000 }],
  ["does both", { waitsMs: 4000, standsMs: 3000 }],
] as const)("a clock that %s is known to have passed as much as the target's", ([, way]) => {
  expect(errorAfter({ standsMs: 20 }, [way, way, way])).toBe(0);
});

test("what an answer takes on its way back makes a clock seem ahead by as much at most, and never behind", () => {
  expect(errorAfter({ backMs: 300 }, [{ standsMs: 3000 }])).toBe(300);
  expect(errorAfter({ backMs: 300 }, [{ standsMs: 3000, backMs: 300 }])).toBe(0);
  expect(errorAfter({ backMs: 1900 }, [{ waitsMs: 50 }])).toBe(0);
});

test("a clock that is shown in whole seconds seems ahead by one at most, and never behind", () => {
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

test("a clock that was put right in between is taken to stand still, and not to run on with every move", () => {
  const clock = new IntegratorClock();
  const target = targetOf(clock);
  target.move(1000);
  target.putRight(HOUR_MS);
  target.move(1000, { standsMs: 3000 });
  const before = clock.now();
  target.move(HOUR_MS, { standsMs: 3000 });
  expect(clock.now() - before).toBe(HOUR_MS);
});

test("of its first move the clock is taken to stand still, and the machine's own time is kept", () => {
  const clock = new IntegratorClock();
  const before = clock.now();
  targetOf(clock).move(HOUR_MS, { standsMs: 3000 });
  expect(clock.now() - before).toBe(HOUR_MS);
});

test("it is known what it was ahead by at any time", () => {
  const clock = new IntegratorClock();
  const start = Date.now();
  vi.advanceTimersByTime(10);
  targetOf(clock).move(HOUR_MS);
  expect(clock.offsetAt(start)).toBe(0);
  expect(clock.offsetAt(Date.now())).toBe(HOUR_MS);
});
