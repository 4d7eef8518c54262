import type { CheckStatus } from "../../suites/core/grading/outcome.ts";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import { counted } from "../report/text/counted.ts";
import type { CommonSettings } from "../settings/common.ts";

/** Ends a run after a number of failures: of MUST checks, or of any with --strict. */
export class Bail {
  readonly #controller = new AbortController();
  readonly #counted: ReadonlySet<string>;
  readonly #failed = new Set<string>();
  readonly #most: number;

  constructor(checks: readonly SuiteCheck[], { bail, strict }: Pick<CommonSettings, "bail" | "strict">) {
    this.#most = bail ?? Number.POSITIVE_INFINITY;
    this.#counted = new Set(
      checks.flatMap(({ id, severity }) => (strict || severity === "MUST" ? [id] : [])),
    );
  }

  /** A later result of a check replaces its earlier one. */
  ended(id: string, status: CheckStatus): void {
    if (status === "failed" && this.#counted.has(id)) this.#failed.add(id);
    else this.#failed.delete(id);
    if (this.#failed.size >= this.#most) this.#controller.abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The reason why the run ends; undefined while it continues. */
  get reason(): string | undefined {
    return this.signal.aborted ? `Ended by --bail after ${counted(this.#most, "failure")}` : undefined;
  }
}
