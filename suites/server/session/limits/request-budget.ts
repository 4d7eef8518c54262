import { monotonicNow, pause } from "../../../core/clock.ts";
import type { NotifyOfWait } from "./wait-notices.ts";

const WINDOW_MS = 60_000;
/** Margin for clocks that differ. */
const MARGIN_MS = 1_000;
/** Polling interval for an answer while all of a budget is under way. */
const POLL_INTERVAL_MS = 50;

/** One request of a budget. */
export interface BudgetLease {
  /** Its answer has come, or never will: a minute from now the target has certainly stopped counting it. */
  settle(): void;
}

/**
 * A limit of the target that binds the suite: at most `limit` requests in any 60 seconds. A sliding window on our
 * side stays within a fixed, sliding or bucket window on the other. When the target counts a request isn't known: at
 * some time between its sending and its answer; so it is held against us from the one until a minute after the other.
 */
export class RequestBudget {
  /** Times of the answers, the oldest first, on the stopwatch. */
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

  /** The most requests of ours that the target may still count. */
  get used(): number {
    const past = monotonicNow() - WINDOW_MS - MARGIN_MS;
    while (this.#oldest < this.#settled.length && (this.#settled[this.#oldest] ?? 0) <= past) {
      this.#oldest += 1;
    }
    return this.#settled.length - this.#oldest + this.#inFlight;
  }

  /** Number of requests that may go out now. */
  get left(): number {
    return this.limit - this.used;
  }

  /**
   * The most requests of ours that a window which slides may have let go of since then.
   * @param since on the stopwatch
   */
  expiredSince(since: number): number {
    const [from, to] = [since - WINDOW_MS - MARGIN_MS, monotonicNow() - WINDOW_MS + MARGIN_MS];
    return this.#settled.filter((at) => at >= from && at <= to).length;
  }

  /** Takes one request from the budget. Waits in turn until there is one. */
  async take(): Promise<BudgetLease> {
    const turn = this.#turn.then(async () => {
      let isTold = false;
      while (this.left <= 0) {
        const first = this.#settled[this.#oldest];
        const wait =
          first === undefined ? POLL_INTERVAL_MS : first + WINDOW_MS + MARGIN_MS - monotonicNow() + 1;
        if (!isTold && wait > MARGIN_MS) {
          isTold = true;
          // The target may have refused nothing, and may not show its count.
          this.waiting(wait, `${this.name} is used up, by the suite's own count`);
        }
        await pause(wait);
      }
      return this.spend();
    });
    this.#turn = turn.then(() => {});
    return turn;
  }

  /** Lets a whole window pass, or the rest of one: earlier requests from any sender no longer count. */
  async waitForWindow(left = WINDOW_MS): Promise<void> {
    if (this.limit === Number.POSITIVE_INFINITY) return;
    const wait = left + MARGIN_MS;
    this.waiting(wait, `${this.name} has to begin anew`);
    await pause(wait);
  }

  /** Counts a request that is sent without asking. */
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
