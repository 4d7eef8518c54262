import { pause, stopwatch } from "../../core/clock.ts";

const WINDOW_MS = 60_000;
/** For clocks that differ. */
const MARGIN_MS = 1_000;

/** Tells the person who runs the suite that it waits, and why. */
export type Notice = (text: string) => void;

/**
 * A limit of the target that binds the suite: at most `limit` requests in any 60 seconds. A sliding window on our
 * side stays within a fixed, sliding or bucket window on the other.
 */
export class Budget {
  readonly #spent: number[] = [];
  #oldest = 0;
  #gate: Promise<void> = Promise.resolve();

  private readonly name: string;
  private readonly limit: number;
  private readonly notice: Notice;

  constructor(name: string, limit: number, notice: Notice) {
    this.name = name;
    this.limit = limit;
    this.notice = notice;
  }

  #used(now: number): number {
    while (this.#oldest < this.#spent.length && (this.#spent[this.#oldest] ?? 0) <= now - WINDOW_MS) {
      this.#oldest += 1;
    }
    return this.#spent.length - this.#oldest;
  }

  /** How many requests have gone out in the last minute. */
  get used(): number {
    return this.#used(stopwatch());
  }

  /** How many requests may go out at once now. */
  get left(): number {
    return this.limit - this.used;
  }

  /** Takes one request from the budget, waiting in turn until there is one. */
  async take(): Promise<void> {
    const turn = this.#gate.then(async () => {
      if (this.left <= 0) {
        const wait = (this.#spent[this.#oldest] ?? 0) + WINDOW_MS - stopwatch() + 50;
        this.notice(`waiting ${Math.ceil(wait / 1000)} s: ${this.name} is used up`);
        await pause(wait);
      }
      this.#spent.push(stopwatch());
    });
    this.#gate = turn;
    await turn;
  }

  /**
   * Lets a whole window pass, or what is left of one: whatever was counted before, and by whomever it was sent, counts
   * no more.
   */
  async rest(left = WINDOW_MS): Promise<void> {
    if (this.limit === Number.POSITIVE_INFINITY) return;
    const wait = left + MARGIN_MS;
    this.notice(`waiting ${Math.ceil(wait / 1000)} s: ${this.name} has to begin anew`);
    await pause(wait);
  }

  /** Counts a request that has been sent without asking. */
  spend(): void {
    this.#spent.push(stopwatch());
  }
}
