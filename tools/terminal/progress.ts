import { stripVTControlCharacters, styleText } from "node:util";
import { monotonicNow } from "../../suites/core/clock.ts";
import type { CheckStatus } from "../../suites/core/grading/outcome.ts";
import type { Output } from "./output.ts";

/** Without a terminal a line is printed each time this share of the checks has ended. */
const PLAIN_STEP = 0.25;
const BAR_WIDTH = 20;
/** A guess of the time left says nothing before this share is done. */
const ENOUGH_TO_GUESS = 0.1;

/** Shows how far a run has come: as a bar on a terminal, as a few lines elsewhere. */
export class Progress {
  #done = 0;
  #failed = 0;
  #printed = 0;
  readonly #start = monotonicNow();
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
    const seconds = (monotonicNow() - this.#start) / 1000;
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : "";
    const text = `${this.#done}/${this.total} ${this.total === 1 ? "check" : "checks"}${failed}, ${seconds.toFixed(1)} s`;
    if (this.output.interactive) {
      const left =
        share < ENOUGH_TO_GUESS ? "" : `, about ${Math.ceil((seconds / share) * (1 - share))} s left`;
      this.output.status(this.#fitted(`${this.#bar(share)} ${text}${left}  ${id.split(".")[0]}`));
    } else if (share >= this.#printed + PLAIN_STEP) {
      this.#printed = share;
      this.output.line(text);
    }
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
