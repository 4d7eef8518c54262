import { stripVTControlCharacters, styleText } from "node:util";
import { monotonicNow } from "../../suites/core/clock.ts";
import { withOperationNames } from "../../suites/core/contract/operation-names.ts";
import type { Outcome } from "../../suites/core/grading/outcome.ts";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import { counted } from "../report/text/counted.ts";
import type { Output } from "./output.ts";

/** The share of checks after which a line is printed, without a terminal. */
const LINE_SHARE = 0.25;
/** The longest time without a line, without a terminal. */
const LINE_INTERVAL_MS = 30_000;
/** How often the bar is redrawn on a terminal. */
const REDRAW_INTERVAL_MS = 1_000;
/** The maximum number of running checks to name. */
const MAX_NAMED = 3;
/** The time after which a running check is named. */
const LONG_RUN_MS = 10_000;
const BAR_WIDTH = 20;
/** The maximum number of failures shown during the run. An incomplete server fails nearly every check. */
const MAX_SHOWN = 20;
const MAX_CHARS = 160;
/**
 * The share of checks that must have ended before the remaining time is estimated. Earlier, a single wait for a
 * rate limit would distort the estimate.
 */
const MIN_SHARE_TO_ESTIMATE = 0.25;

type ShownCheck = Pick<SuiteCheck, "id" | "severity">;

/** Shows the progress of a run: a bar on a terminal, a few lines elsewhere. */
export class Progress {
  readonly #total: number;
  readonly #left: Set<string>;
  #group = "";
  /** The running checks by id, with the starts of their runs. */
  #runningSince: ReadonlyMap<string, number> = new Map();
  /** The checks that must not fail. The failures of the others are warnings. */
  readonly #musts: ReadonlySet<string>;
  /** The checks that have failed, and haven't passed since. */
  readonly #failing = new Set<string>();
  #shown = 0;
  #printed = 0;
  readonly #start = monotonicNow();
  #lastLine = this.#start;
  #timer: NodeJS.Timeout | undefined;
  private readonly output: Output;
  private readonly columns: () => number;

  /**
   * @param checks all checks of the run
   * @param columns the terminal's width
   */
  constructor(output: Output, checks: readonly ShownCheck[], columns = () => process.stdout.columns ?? 80) {
    this.output = output;
    this.#total = checks.length;
    this.#left = new Set(checks.map(({ id }) => id));
    this.#musts = new Set(checks.filter(({ severity }) => severity === "MUST").map(({ id }) => id));
    this.columns = columns;
  }

  /** Counts a check when it first ends. Later it shows only failures that aren't confirmed. */
  ended(id: string, { status, message }: Pick<Outcome, "status" | "message">): void {
    if (status !== "failed" && this.#failing.delete(id))
      this.notice(`  ${status === "passed" ? "passed when repeated" : "not confirmed"}  ${id}`);
    if (!this.#left.delete(id)) return;
    this.#group = id.split(".")[0] ?? "";
    if (status === "failed") {
      this.#failing.add(id);
      this.#show(id, message);
    }
    if (this.output.interactive) this.#draw();
    else if (this.#share >= this.#printed + LINE_SHARE) {
      this.#printed = this.#share;
      this.#printLine(this.#text);
    }
  }

  /** @param ids the checks that run from now on */
  running(ids: readonly string[]): void {
    const now = monotonicNow();
    this.#runningSince = new Map(ids.map((id) => [id, this.#runningSince.get(id) ?? now]));
  }

  /** Shows a failure as soon as it is found. Failed checks are repeated, and the result lists those that failed again. */
  #show(id: string, message: string | undefined): void {
    this.#shown += 1;
    if (this.#shown > MAX_SHOWN) return;
    const line = (message === undefined ? id : `${id}: ${withOperationNames(message)}`).replaceAll(
      "\n",
      "\\n",
    );
    const label = this.#musts.has(id) ? "failed once" : "warning";
    this.notice(`  ${label}  ${line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line}`);
    if (this.#shown === MAX_SHOWN) this.notice("  further failures are counted, and listed at the end");
  }

  get #done(): number {
    return this.#total - this.#left.size;
  }

  get #share(): number {
    return this.#done / this.#total;
  }

  #draw(): void {
    const share = this.#share;
    const left =
      share < MIN_SHARE_TO_ESTIMATE
        ? ""
        : `, about ${Math.ceil((this.#seconds / share) * (1 - share))} s left`;
    this.output.status(
      this.#fitted(`${this.#bar(share)} ${this.#text}${left}  ${this.#runningChecks || this.#group}`),
    );
  }

  /** The checks that have run for long, those that started last first, because a check of the whole run starts early. */
  get #runningChecks(): string {
    const now = monotonicNow();
    const long = [...this.#runningSince]
      .filter(([, since]) => now - since >= LONG_RUN_MS)
      .toReversed()
      .map(
        ([id, since]) =>
          `${id} (${this.#left.has(id) ? "" : "again, "}${Math.round((now - since) / 1000)} s)`,
      );
    const rest = long.length - MAX_NAMED;
    const more = rest > 0 ? ` and ${rest} more` : "";
    return long.length === 0 ? "" : `waiting for ${long.slice(0, MAX_NAMED).join(", ")}${more}`;
  }

  get #seconds(): number {
    return (monotonicNow() - this.#start) / 1000;
  }

  get #failedMusts(): number {
    return [...this.#failing].filter((id) => this.#musts.has(id)).length;
  }

  get #text(): string {
    const failed = this.#failedMusts;
    const warnings = this.#failing.size - failed;
    const counts = [
      `${this.#done}/${counted(this.#total, "check")}`,
      ...(failed > 0 ? [`${failed} failed so far`] : []),
      ...(warnings > 0 ? [counted(warnings, "warning")] : []),
    ];
    return `${counts.join(", ")}, ${this.#seconds.toFixed(1)} s`;
  }

  #printLine(text: string): void {
    this.#lastLine = monotonicNow();
    this.output.line(text);
  }

  /** Starts a timer, so that progress is also shown while no check ends. */
  startTimer(): void {
    const intervalMs = this.output.interactive ? REDRAW_INTERVAL_MS : LINE_INTERVAL_MS;
    this.#timer = setInterval(() => this.#tick(), intervalMs).unref();
  }

  /** Redraws the bar, or prints a line if none was printed recently. */
  #tick(): void {
    if (this.output.interactive) this.#draw();
    else if (monotonicNow() - this.#lastLine >= LINE_INTERVAL_MS / 2) {
      this.#printLine([this.#text, this.#runningChecks].filter((part) => part !== "").join(", "));
    }
  }

  end(): void {
    clearInterval(this.#timer);
    this.clear();
  }

  #bar(share: number): string {
    const full = Math.round(share * BAR_WIDTH);
    const [done, rest] = ["█".repeat(full), "░".repeat(BAR_WIDTH - full)];
    if (!this.output.colours) return done + rest;
    return `${styleText(this.#failedMusts > 0 ? "red" : "green", done, { validateStream: false })}${rest}`;
  }

  /** Cuts a text to the terminal's width, because a wrapped line can't be overwritten. */
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
