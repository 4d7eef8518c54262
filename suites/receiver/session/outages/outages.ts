import { monotonicNow, poll } from "../../../core/clock.ts";
import { type DeliveryRecord, describeAttempt } from "../delivery-record.ts";

/**
 * How many of the latest attempts with a response may have stopped a receiver, and their maximum age in
 * milliseconds.
 */
const SUSPECTS = { most: 5, withinMs: 2_000 };
/** The maximum number of outages that are reported individually. */
const MAX_REPORTED_OUTAGES = 5;

/** A time at which the receiver was down. */
export interface Outage {
  /** Milliseconds on the monotonic clock. */
  readonly at: number;
  /** The attempts that got a response shortly before the outage, latest first. */
  readonly answered: readonly DeliveryRecord[];
}

interface OutageDependencies {
  /** True if a process accepts connections at the receiver's address. */
  readonly listens: () => Promise<boolean>;
  readonly notice: (line: string) => void;
  /** How long a stopped receiver may take to return, in milliseconds. */
  readonly returnMs: number;
}

/** A receiver's outages in a run. */
export class ReceiverOutages {
  /** Why the run has given up the receiver. */
  lost: string | undefined;
  readonly all: Outage[] = [];
  /** Resolves when a stopped receiver is back, or when the run has given it up. */
  current: Promise<boolean> | undefined;
  /** When the last outage ended, on the monotonic clock. */
  #backAt = Number.NEGATIVE_INFINITY;
  /** The latest attempts with a response, latest first. */
  #answered: readonly { readonly delivered: DeliveryRecord; readonly at: number }[] = [];
  readonly #deps: OutageDependencies;

  constructor(deps: OutageDependencies) {
    this.#deps = deps;
  }

  recordAnswer(delivered: DeliveryRecord): void {
    this.#answered = [{ delivered, at: monotonicNow() }, ...this.#answered].slice(0, SUSPECTS.most);
  }

  /**
   * Waits for the receiver if it doesn't listen. Concurrent requests share one wait.
   * @param suspects returns the requests that were pending when the receiver stopped, in words
   * @returns `never` if the receiver listens and wasn't down, `back` if it was down and is back, `lost` if the run
   * has given it up
   */
  async pass(suspects: () => readonly string[]): Promise<"never" | "back" | "lost"> {
    const askedAt = monotonicNow();
    if (await this.#deps.listens()) return "never";
    if (this.lost !== undefined) return "lost";
    // The answer may be older than the end of an outage that another request has waited for.
    if (this.#backAt >= askedAt) return "back";
    this.current ??= this.#waitForReturn(suspects());
    try {
      return (await this.current) ? "back" : "lost";
    } finally {
      this.current = undefined;
    }
  }

  async #waitForReturn([first = "a request", ...others]: readonly string[]): Promise<boolean> {
    const { listens, notice, returnMs } = this.#deps;
    const start = monotonicNow();
    const before = this.#answered.filter(({ at }) => at >= start - SUSPECTS.withinMs);
    const answered = before.map(({ delivered }) => delivered);
    this.all.push({ at: start, answered });
    const [last] = answered;
    const more = others.length === 0 ? "" : `, or at one of ${others.length} concurrent ones,`;
    const wentDown = `the receiver went down at ${first}${more}`;
    const isBack = await poll(async () => ((await listens()) ? true : undefined), { within: returnMs });
    if (!isBack) {
      this.lost ??= `${wentDown} and did not come back within ${returnMs / 1000} s`;
      return false;
    }
    this.#backAt = monotonicNow();
    if (this.all.length <= MAX_REPORTED_OUTAGES) {
      const after = last
        ? ` (${describeAttempt(last.attempt, last.violates)} had been answered with ${last.reply?.status})`
        : "";
      const seconds = ((this.#backAt - start) / 1000).toFixed(1);
      notice(`${wentDown}${after} and was back ${seconds} s later`);
    }
    return true;
  }

  /** Reports the number of outages if not all were reported individually. */
  reportCount(): void {
    if (this.all.length > MAX_REPORTED_OUTAGES)
      this.#deps.notice(`the receiver went down ${this.all.length} times in all`);
  }
}
