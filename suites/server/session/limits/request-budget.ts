import { monotonicNow, pause } from "../../../core/clock.ts";
import type { NotifyOfWait } from "./wait-notices.ts";

const WINDOW_MS = 60_000;
/** A margin in milliseconds for clock differences. */
const MARGIN_MS = 1_000;
/** The polling interval in milliseconds while all requests of a budget are pending. */
const POLL_INTERVAL_MS = 50;

/** A request that counts towards a budget. */
export interface BudgetLease {
  /**
   * Called when the response has arrived or is given up. A minute later, no window of the target counts the
   * request.
   */
  settle(): void;
}

/**
 * A limit of the target: at most `limit` requests in any 60 seconds. The suite's sliding window satisfies a
 * fixed window, a sliding window and a bucket at the target. The target may count a request at any time between
 * sending and response, so the suite counts it from sending until a minute after the response.
 */
export class RequestBudget {
  /** The times of the responses, oldest first. */
  readonly #settled: number[] = [];
  #oldest = 0;
  #inFlight = 0;
  #turn: Promise<void> = Promise.resolve();

  private readonly name: string;
  private readonly limit: number;
  private readonly waiting: NotifyOfWait;

  constructor(name: string, limit: number, waiting: NotifyOfWait) {
    this.name = name;
    this.limit = limit;
    this.waiting = waiting;
  }

  /** The maximum number of the suite's requests that the target still counts. */
  get used(): number {
    const past = monotonicNow() - WINDOW_MS - MARGIN_MS;
    while (this.#oldest < this.#settled.length && (this.#settled[this.#oldest] ?? 0) <= past) {
      this.#oldest += 1;
    }
    return this.#settled.length - this.#oldest + this.#inFlight;
  }

  /** The number of the suite's requests in the whole run. */
  get sent(): number {
    return this.#settled.length + this.#inFlight;
  }

  /** The number of requests that may be sent now. */
  get left(): number {
    return this.limit - this.used;
  }

  /**
   * The maximum number of the suite's requests that a sliding window has dropped since a time.
   * @param since the time on the monotonic clock
   */
  expiredSince(since: number): number {
    const [from, to] = [since - WINDOW_MS - MARGIN_MS, monotonicNow() - WINDOW_MS + MARGIN_MS];
    return this.#settled.filter((at) => at >= from && at <= to).length;
  }

  /** Takes one request from the budget. Callers wait in order. */
  async take(): Promise<BudgetLease> {
    const turn = this.#turn.then(async () => {
      let isReported = false;
      while (this.left <= 0) {
        const first = this.#settled[this.#oldest];
        const wait =
          first === undefined ? POLL_INTERVAL_MS : first + WINDOW_MS + MARGIN_MS - monotonicNow() + 1;
        if (!isReported && wait > MARGIN_MS) {
          isReported = true;
          // Reports the suite's own count as the reason, because the target may have refused nothing, or may
          // return no count.
          this.waiting(wait, `${this.name} is used up, by the suite's own count`);
        }
        await pause(wait);
      }
      return this.spend();
    });
    this.#turn = turn.then(() => {});
    return turn;
  }

  /**
   * Waits for a whole window, or for the rest of a window, so that the target no longer counts earlier requests
   * of any sender.
   */
  async waitForWindow(left = WINDOW_MS): Promise<void> {
    if (this.limit === Number.POSITIVE_INFINITY) return;
    const wait = left + MARGIN_MS;
    this.waiting(wait, `${this.name} has to start again`);
    await pause(wait);
  }

  /** Counts a request that is sent without a lease. */
  spend(): BudgetLease {
    this.#inFlight += 1;
    let isSettled = false;
    return {
      settle: () => {
        if (isSettled) return;
        isSettled = true;
        this.#inFlight -= 1;
        this.#settled.push(monotonicNow());
      },
    };
  }
}
