import { monotonicNow } from "../../../core/clock.ts";

/**
 * Milliseconds before a check's start. A connection that broke in this time may mean a restart of the target.
 */
const LOSS_WINDOW_MS = 10_000;
/** The number of unknown integrators that prove a loss if no connection of the check itself broke. */
const MIN_IDENTITIES = 2;

/**
 * Detects that a target has lost its data. Often a broken connection is the only sign of a fast restart. After
 * a loss, the target refuses earlier credentials and misses events, which aren't faults.
 */
export class StateLossProbe {
  #lastLoss: { readonly at: number; readonly place: string } | undefined;
  #probe: Promise<void> | undefined;
  #lost: string | undefined;
  private readonly knowsIntegrators: (least: number) => Promise<boolean>;

  /** @param knowsIntegrators returns false if at least this many integrators were tested and all are unknown */
  constructor(knowsIntegrators: (least: number) => Promise<boolean>) {
    this.knowsIntegrators = knowsIntegrators;
  }

  /** @param place the request whose connection broke */
  noteLoss(place: string): void {
    this.#lastLoss = { at: monotonicNow(), place };
  }

  /**
   * Called after a broken connection. Connections that break at the same time cause only one test.
   * @returns the reason to stop
   */
  async lostAfterLoss(): Promise<string | undefined> {
    this.#probe ??= this.#probeFor(1).finally(() => {
      this.#probe = undefined;
    });
    await this.#probe;
    return this.#lost;
  }

  /**
   * Called before a check fails, because the target may have restarted just before the check's requests.
   * @param since the check's start on the monotonic clock
   * @param settled resolves when all pending requests have ended
   * @returns the reason to stop
   */
  async lostSince(since: number, settled: () => Promise<void>): Promise<string | undefined> {
    if (this.#lastLoss === undefined || this.#lastLoss.at < since - LOSS_WINDOW_MS) return undefined;
    await settled();
    // A test after the broken connection may be running.
    await this.#probe;
    if (this.#lost === undefined) await this.#probeFor(MIN_IDENTITIES);
    return this.#lost;
  }

  async #probeFor(least: number): Promise<void> {
    const place = this.#lastLoss?.place;
    if (await this.knowsIntegrators(least)) return;
    this.#lost ??= `the target was unavailable before it responded to ${place}, and came back immediately without its data`;
  }
}
