import { monotonicNow } from "../../../core/clock.ts";

/** Milliseconds before a check's start in which a lost connection may mean that the target restarted. */
const LOSS_TELLS_MS = 10_000;
/**
 * Fewer integrators prove nothing if none of the check's own requests was lost: one of them may be unknown for another
 * reason.
 */
const LEAST_IDENTITIES = 2;

/**
 * Detects that a target lost its data. A fast restart shows only as a lost connection. The target then refuses earlier
 * credentials and misses events, and none of that is a fault.
 */
export class StateLossProbe {
  #lastLoss: { readonly at: number; readonly place: string } | undefined;
  #look: Promise<void> | undefined;
  #lost: string | undefined;
  private readonly remembers: (least: number) => Promise<boolean>;

  /** @param remembers returns false if at least so many integrators were tested and all are unknown */
  constructor(remembers: (least: number) => Promise<boolean>) {
    this.remembers = remembers;
  }

  /** @param place the request that lost its connection */
  noteLoss(place: string): void {
    this.#lastLoss = { at: monotonicNow(), place };
  }

  /**
   * Called after a request lost its connection. Requests that lost theirs together share one test.
   * @returns the reason to send no more
   */
  async lostAfterLoss(): Promise<string | undefined> {
    this.#look ??= this.#lookFor(1).finally(() => {
      this.#look = undefined;
    });
    await this.#look;
    return this.#lost;
  }

  /**
   * Called before a check fails: all of its requests may have come to a target that restarted just before.
   * @param since the check's start on the monotonic clock
   * @param settled resolves once all work under way is over
   * @returns the reason to send no more
   */
  async lostSince(since: number, settled: () => Promise<void>): Promise<string | undefined> {
    if (this.#lastLoss === undefined || this.#lastLoss.at < since - LOSS_TELLS_MS) return undefined;
    await settled();
    // The request that lost its connection may have found out by now.
    await this.#look;
    if (this.#lost === undefined) await this.#lookFor(LEAST_IDENTITIES);
    return this.#lost;
  }

  async #lookFor(least: number): Promise<void> {
    const place = this.#lastLoss?.place;
    if (await this.remembers(least)) return;
    this.#lost ??= `the target was away before it answered ${place}, and back at once with nothing of what it had known`;
  }
}
