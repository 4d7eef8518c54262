import { monotonicNow, wallClock } from "../clock.ts";
import type { Redactor } from "../text/redact.ts";
import type { PartialOutcome } from "./failures/explain-failure.ts";
import type { Outcome } from "./outcome.ts";

interface FailedAt<Exchange> {
  /** The last exchanges before the failure. */
  readonly exchanges: readonly Exchange[];
  /** The time of the failure, as Unix time in milliseconds. */
  readonly at: number;
}

/** Records a running check: its duration, its requests with the last exchanges, and its notes. */
export class CheckRecord<Exchange> {
  readonly #redact: Redactor;
  readonly #maxExchanges: number;
  readonly #isRepeat: (one: Exchange, other: Exchange) => boolean;
  #start = monotonicNow();
  readonly #exchanges: Exchange[] = [];
  readonly #account: string[] = [];
  readonly #failures = new WeakMap<Error, FailedAt<Exchange>>();
  #requests = 0;

  /**
   * @param maxExchanges the number of last exchanges to keep
   * @param isRepeat true if an exchange repeats the previous one; of consecutive repeats, only the first and
   * the last are kept
   */
  constructor(
    redact: Redactor,
    maxExchanges: number,
    isRepeat: (one: Exchange, other: Exchange) => boolean = () => false,
  ) {
    this.#redact = redact;
    this.#maxExchanges = maxExchanges;
    this.#isRepeat = isRepeat;
  }

  /** Starts measuring the check's duration, after the wait for other checks. */
  begin(): void {
    this.#start = monotonicNow();
  }

  readonly addExchange = (exchange: Exchange): void => {
    this.#requests += 1;
    const [before, last] = this.#exchanges.slice(-2);
    if (before && last && this.#isRepeat(before, last) && this.#isRepeat(last, exchange))
      this.#exchanges.pop();
    this.#exchanges.push(exchange);
    if (this.#exchanges.length > this.#maxExchanges) this.#exchanges.shift();
  };

  /** Adds a note to the report, whether or not the check passes. */
  readonly account = (line: string): void => {
    this.#account.push(line);
  };

  /** Records that the check continues after a failure. Later exchanges aren't evidence of the failure. */
  readonly continueAfter = (failure: Error): void => {
    this.#failures.set(failure, { exchanges: [...this.#exchanges], at: wallClock() });
  };

  /** The check's end, or an earlier failure after which the check continued. */
  failedAt(end: unknown): FailedAt<Exchange> {
    const earlier = end instanceof Error ? this.#failures.get(end) : undefined;
    return earlier ?? { exchanges: this.#exchanges, at: wallClock() };
  }

  /** The outcome of a check that ends now. */
  outcome(end: PartialOutcome): Outcome {
    return {
      duration_ms: Math.round(monotonicNow() - this.#start),
      requests: this.#requests,
      ...end,
      ...(this.#account.length > 0 && { account: this.#account.map((line) => this.#redact.text(line)) }),
    };
  }
}
