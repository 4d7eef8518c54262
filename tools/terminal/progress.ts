import { stripVTControlCharacters, styleText } from "node:util";
import { monotonicNow } from "../../suites/core/clock.ts";
import type { CheckStatus } from "../../suites/core/grading/outcome.ts";
import type { Output } from "./output.ts";

/** Without a terminal a line is printed each time this share of the checks has ended. */
const PLAIN_STEP = 0.25;
/** And at least so often, where answers are slow. */
const PLAIN_EVERY_MS = 30_000;
const BAR_WIDTH = 20;
/** A guess of the time left says nothing before this share is done. */
const ENOUGH_TO_GUESS = 0.1;

/** Shows how far a run has come: as a bar on a terminal, as a few lines elsewhere. */
export class Progress {
  #done = 0;
  #failed = 0;
  #printed = 0;
  readonly #start = monotonicNow();
  #lastLine = this.#start;
  #timer: NodeJS.Timeout | undefined;
  private readonly output: Output;
  private readonly total: number;
  private readonly columns: () => number;

  /** @param columns how wide the terminal is */
  constructor(output: Output, total: number, columns = () => process.stdout.columns ?? 80) {
    this.output = output;
    this.total = total;
    this.columns = columns;
  }

  ended(id: string, status: CheckStatus): void {
    this.#done += 1;
    if (status === "failed") this.#failed += 1;
    const share = this.#done / this.total;
    const seconds = this.#seconds;
    const text = this.#text;
    if (this.output.interactive) {
      const left =
        share < ENOUGH_TO_GUESS ? "" : `, about ${Math.ceil((seconds / share) * (1 - share))} s left`;
      this.output.status(this.#fitted(`${this.#bar(share)} ${text}${left}  ${id.split(".")[0]}`));
    } else if (share >= this.#printed + PLAIN_STEP) {
      this.#printed = share;
      this.#tell();
    }
  }

  get #seconds(): number {
    return (monotonicNow() - this.#start) / 1000;
  }

  get #text(): string {
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : "";
    return `${this.#done}/${this.total} ${this.total === 1 ? "check" : "checks"}${failed}, ${this.#seconds.toFixed(1)} s`;
  }

  #tell(): void {
    this.#lastLine = monotonicNow();
    this.output.line(this.#text);
  }

  /** From now on a line comes every now and then also where no check ends: for runs that don't wait for a person. */
  keepTelling(): void {
    if (this.output.interactive) return;
    this.#timer = setInterval(() => this.#goesOn(), PLAIN_EVERY_MS).unref();
  }

  /** Called now and then: a line, where none was printed since the last call. */
  #goesOn(): void {
    if (monotonicNow() - this.#lastLine >= PLAIN_EVERY_MS / 2) this.#tell();
  }

  /** Nothing more is told. */
  end(): void {
    clearInterval(this.#timer);
    this.clear();
  }

  #bar(share: number): string {
    const full = Math.round(share * BAR_WIDTH);
    const [done, rest] = ["█".repeat(full), "░".repeat(BAR_WIDTH - full)];
    if (!this.output.colours) return done + rest;
    return `${styleText(this.#failed > 0 ? "red" : "green", done, { validateStream: false })}${rest}`;
  }

  /** A line that wraps could not be overwritten. */
  #fitted(text: string): string {
    const tooMuch = stripVTControlCharacters(text).length - (this.columns() - 1);
    return tooMuch > 0 ? text.slice(0, -tooMuch) : text;
  }

  notice(text: string): void {
    this.clear();
    this.output.line(text);
  }

  clear(): void {
    this.output.status("");
  }
}
