/**
 * Slows down guessing of control tokens: responses to wrong tokens are delayed, and an address with many
 * wrong tokens is reported.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Dependencies } from "../dependencies.ts";

/** The period for counting wrong tokens. For an address, the period starts with the first wrong token. */
const minuteMs = 60_000;
/** The response to each further attempt within the minute is delayed by this much more, up to a maximum. */
const stepMs = 50;
const longestMs = 2_000;
/** An address with this many wrong tokens in a minute is reported. */
const suspicious = 10;
/** The maximum number of remembered addresses. Beyond it, all counts restart. */
const mostAddresses = 10_000;

interface Attempts {
  /** The time of the first wrong token in milliseconds. */
  readonly since: number;
  readonly count: number;
}

/** Wrong control tokens of the last minute, by IP address. */
export class WrongTokens {
  readonly #byAddress = new Map<string, Attempts>();
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Counts a wrong token. Resolves later the more wrong tokens were counted. A valid token never waits. */
  async count(address: string): Promise<void> {
    const now = this.#deps.clock.now();
    if (this.#byAddress.size >= mostAddresses) this.#byAddress.clear();
    const before = this.#byAddress.get(address);
    const running = before && now < before.since + minuteMs;
    const { since, count } = running ? { ...before, count: before.count + 1 } : { since: now, count: 1 };
    this.#byAddress.set(address, { since, count });
    if (count === suspicious) {
      this.#deps.reportFault(new Error(`${suspicious} wrong control tokens within a minute from ${address}`));
    }
    await pause(Math.min((count - 1) * stepMs, longestMs));
  }
}
