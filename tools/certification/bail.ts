import type { CheckStatus } from "../../suites/core/grading/outcome.ts";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import { counted } from "../report/text/counted.ts";
import type { CommonSettings } from "../settings/common.ts";

/** Ends a run after the number of failures given with --bail. SHOULD checks count only with --strict. */
export class Bail {
  readonly #controller = new AbortController();
  readonly #countedIds: ReadonlySet<string>;
  readonly #failedIds = new Set<string>();
  readonly #maxFailures: number;

  constructor(checks: readonly SuiteCheck[], { bail, strict }: Pick<CommonSettings, "bail" | "strict">) {
    this.#maxFailures = bail ?? Number.POSITIVE_INFINITY;
    this.#countedIds = new Set(
      checks.flatMap(({ id, severity }) => (strict || severity === "MUST" ? [id] : [])),
    );
  }

  /** Records the latest result of a check. */
  ended(id: string, status: CheckStatus): void {
    if (status === "failed" && this.#countedIds.has(id)) this.#failedIds.add(id);
    else this.#failedIds.delete(id);
    if (this.#failedIds.size >= this.#maxFailures) this.#controller.abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The reason why the run ends; undefined while it continues. */
  get reason(): string | undefined {
    return this.signal.aborted ? `Ended by --bail after ${counted(this.#maxFailures, "failure")}` : undefined;
  }
}
