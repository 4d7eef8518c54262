import { monotonicNow, wallClock } from "../clock.ts";
import type { DisturbanceLog } from "./log.ts";

/** The interval at which this process measures its own delay. */
const SAMPLE_INTERVAL_MS = 20;
/** A longer standstill matters: a target's clock advance waits only three seconds for a webhook response. */
const STANDSTILL_MS = 1_000;
const WINDOW_MS = 3_000;
/** The minimum share of a window's time by which a late process is delayed. */
const LATE_SHARE = 0.5;
/** The maximum CPU share of this process in a late window. A busier suite delays itself and its target. */
const MAX_OWN_SHARE = 0.7;
/** The minimum share of a window's time that counts as a delay. */
const DELAYED_SHARE = 0.2;
const MIN_CORRECTION_MS = 1_000;

interface Window {
  readonly start: number;
  readonly cpuMs: number;
  lostMs: number;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Measures this process's delay and corrections of its clock, and logs them as disturbances. */
export class LatenessSampler {
  readonly #log: Pick<DisturbanceLog, "note">;
  readonly #timer: NodeJS.Timeout;
  #last = monotonicNow();
  #offset = wallClock() - this.#last;
  #window = this.#newWindow();
  #lostShare = 0;

  constructor(log: Pick<DisturbanceLog, "note">) {
    this.#log = log;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_INTERVAL_MS);
    this.#timer.unref();
  }

  /** True while this process is delayed, even if the delay is too short for the log. */
  get isDelayed(): boolean {
    const now = monotonicNow();
    const { start, lostMs } = this.#window;
    const overdue = Math.max(0, now - this.#last - SAMPLE_INTERVAL_MS);
    const present = (lostMs + overdue) / Math.max(now - start, WINDOW_MS / 2);
    return Math.max(present, this.#lostShare) >= DELAYED_SHARE;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #newWindow(): Window {
    return { start: this.#last, cpuMs: cpuMs(), lostMs: 0 };
  }

  #sample(): void {
    const before = this.#last;
    const now = monotonicNow();
    this.#last = now;
    const lost = Math.max(0, now - before - SAMPLE_INTERVAL_MS);
    this.#window.lostMs += lost;
    if (lost >= STANDSTILL_MS) {
      this.#log.note("suite-late", `the suite's own process stood still for ${seconds(lost)}`, before);
    }
    this.#detectCorrection(now);
    if (now - this.#window.start >= WINDOW_MS) this.#endWindow(now);
  }

  #endWindow(now: number): void {
    const { start, lostMs, cpuMs: before } = this.#window;
    const lasted = now - start;
    this.#lostShare = lostMs / lasted;
    const ownShare = (cpuMs() - before) / lasted;
    if (this.#lostShare >= LATE_SHARE && ownShare < MAX_OWN_SHARE) {
      const share = Math.round(ownShare * 100);
      this.#log.note("suite-late", `the suite's own process got ${share} % of a processor`, start);
    }
    this.#window = this.#newWindow();
  }

  #detectCorrection(now: number): void {
    const offset = wallClock() - now;
    const corrected = offset - this.#offset;
    this.#offset = offset;
    if (Math.abs(corrected) < MIN_CORRECTION_MS) return;
    this.#log.note("clock-corrected", `the clock of the suite's machine was set by ${seconds(corrected)}`);
  }
}
