import type { CheckStatus } from "../suites/outcome.ts";
import { stopwatch } from "../suites/target/clock.ts";
import type { Output } from "./output.ts";

/** Without a terminal a line is printed each time this share of the checks has ended. */
const PLAIN_STEP = 0.25;

/** Shows how far a run has come: in place on a terminal, as a few lines elsewhere. */
export class Progress {
  #done = 0;
  #failed = 0;
  #printed = 0;
  readonly #start = stopwatch();
  private readonly output: Output;
  private readonly total: number;

  constructor(output: Output, total: number) {
    this.output = output;
    this.total = total;
  }

  ended(id: string, status: CheckStatus): void {
    this.#done += 1;
    if (status === "failed") this.#failed += 1;
    const seconds = ((stopwatch() - this.#start) / 1000).toFixed(1);
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : "";
    const text = `${this.#done}/${this.total} checks${failed}, ${seconds} s`;
    this.output.status(`${text}  ${id.split(".")[0]}`);
    if (!this.output.interactive && this.#done / this.total >= this.#printed + PLAIN_STEP) {
      this.#printed = this.#done / this.total;
      this.output.line(text);
    }
  }

  notice(text: string): void {
    this.clear();
    this.output.line(text);
  }

  clear(): void {
    this.output.status("");
  }
}
