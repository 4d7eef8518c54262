/** Attempts at the control token: whoever guesses is slowed down, counted and told of. */
import { setTimeout as pause } from "node:timers/promises";
import type { Parts } from "../parts.ts";

/**
 * Counted from an address's first attempt on: a minute of the clock would begin anew within a guesser's run, as likely
 * as not.
 */
const minuteMs = 60_000;
/** Each further attempt of a minute waits so much longer for its answer, up to the longest. */
const stepMs = 50;
const longestMs = 2_000;
/** As many wrong tokens of a minute are told of. */
const suspicious = 10;
/** More addresses than that aren't told apart. */
const mostAddresses = 10_000;

interface Attempts {
  /** The first one's time, in milliseconds. */
  readonly since: number;
  readonly count: number;
}

/** Wrong control tokens of the last minute, by the address that they came from. */
export class WrongTokens {
  readonly #byAddress = new Map<string, Attempts>();
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Counts one, and takes the longer to resolve the more there were. A right token never waits. */
  async count(address: string): Promise<void> {
    const now = this.#parts.clock.now();
    if (this.#byAddress.size >= mostAddresses) this.#byAddress.clear();
    const before = this.#byAddress.get(address);
    const running = before && now < before.since + minuteMs;
    const { since, count } = running ? { ...before, count: before.count + 1 } : { since: now, count: 1 };
    this.#byAddress.set(address, { since, count });
    if (count === suspicious) {
      this.#parts.reportFault(
        new Error(`${suspicious} wrong control tokens within a minute from ${address}`),
      );
    }
    await pause(Math.min((count - 1) * stepMs, longestMs));
  }
}
