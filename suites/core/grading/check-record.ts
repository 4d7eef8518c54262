import { monotonicNow } from "../clock.ts";
import type { Redactor } from "../text/redact.ts";
import type { PartialOutcome } from "./explain-failure.ts";
import type { Outcome } from "./outcome.ts";

/** What is noted while one check runs: its time, its requests and the last of them, and what it tells of itself. */
export class CheckRecord<Exchange> {
  readonly #redact: Redactor;
  readonly #most: number;
  readonly #start = monotonicNow();
  readonly #exchanges: Exchange[] = [];
  readonly #account: string[] = [];
  #requests = 0;

  /** @param most how many exchanges are kept: the last ones */
  constructor(redact: Redactor, most: number) {
    this.#redact = redact;
    this.#most = most;
  }

  readonly addExchange = (exchange: Exchange): void => {
    this.#requests += 1;
    this.#exchanges.push(exchange);
    if (this.#exchanges.length > this.#most) this.#exchanges.shift();
  };

  /** Adds a line to what the report tells of the check, also when it passes. */
  readonly account = (line: string): void => {
    this.#account.push(line);
  };

  /** The last exchanges, in their order. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  /** The outcome of a check that has ended now. */
  outcome(end: PartialOutcome): Outcome {
    return {
      duration_ms: Math.round(monotonicNow() - this.#start),
      requests: this.#requests,
      ...end,
      ...(this.#account.length > 0 && { account: this.#account.map((line) => this.#redact.text(line)) }),
    };
  }
}
