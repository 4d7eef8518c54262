import { monotonicNow } from "../../../core/clock.ts";

/** So long before a check began, milliseconds, a lost connection may have been the end of the target that it began with. */
const LOSS_TELLS_MS = 10_000;
/** Where no request of its own was lost, one identity that is known no longer may be so for a reason of its own. */
const LEAST_IDENTITIES = 2;

/**
 * Whether a target that lost connections still knows what it knew. One may be started again so fast that only a connection
 * is lost by it, and then refuses what it took before, leaves out events, and is at fault in none of that.
 */
export class TargetMemory {
  #lastLoss: { readonly at: number; readonly place: string } | undefined;
  #look: Promise<void> | undefined;
  #lost: string | undefined;
  private readonly remembers: (least: number) => Promise<boolean>;

  /** @param remembers false where as many identities as are named, or more, were asked about and none is known any more */
  constructor(remembers: (least: number) => Promise<boolean>) {
    this.remembers = remembers;
  }

  /** @param place the request that lost its connection */
  noteLoss(place: string): void {
    this.#lastLoss = { at: monotonicNow(), place };
  }

  /** After a request lost its connection: one look for all that lost theirs together. @returns why no more is asked */
  async lostAfterLoss(): Promise<string | undefined> {
    this.#look ??= this.#lookFor(1).finally(() => {
      this.#look = undefined;
    });
    await this.#look;
    return this.#lost;
  }

  /**
   * Where a check is about to fail: its own requests may all have come to a target that had been started again just before.
   * @param since when the check began, on the monotonic clock
   * @param settled resolves once what was under way is over
   * @returns why no more is asked
   */
  async lostSince(since: number, settled: () => Promise<void>): Promise<string | undefined> {
    if (this.#lastLoss === undefined || this.#lastLoss.at < since - LOSS_TELLS_MS) return undefined;
    await settled();
    // What lost its connection itself may have found out by now.
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
