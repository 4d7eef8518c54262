import { monotonicNow } from "../../core/clock.ts";
import type { Disturbance } from "../../core/confirmation/disturbance.ts";
import type { Exchange } from "../../core/exchange.ts";
import { EndsTarget } from "../../core/grading/failures/failure.ts";

/**
 * The request at which the target stopped in one run of a check. Other checks' requests were pending too, so
 * the failure counts only if the target stops at the same request in each run.
 */
export class TargetEnd {
  #answered: Exchange | undefined;
  #unanswered: Exchange | undefined;

  observe(exchange: Exchange): void {
    if (exchange.stoppedTarget === "after its answer") this.#answered ??= exchange;
    if (exchange.stoppedTarget === "before its answer") this.#unanswered ??= exchange;
  }

  /** The failure; undefined if the target didn't stop at a request of the run. */
  get failure(): EndsTarget | undefined {
    const exchange = this.#exchange;
    return exchange && new EndsTarget(exchange);
  }

  get disturbances(): readonly Disturbance[] {
    const { operation } = this.#exchange ?? {};
    if (operation === undefined) return [];
    const at = monotonicNow();
    return [
      { kind: "restart", what: `the target stopped responding at ${operation}`, operation, from: at, to: at },
    ];
  }

  /**
   * The request that the failure names. A persistent connection may have broken after an earlier request. If
   * only the earlier request was invalid, it is the likelier cause.
   */
  get #exchange(): Exchange | undefined {
    const [before, lost] = [this.#answered, this.#unanswered];
    const isRather =
      lost?.isRetried === true && lost.violates === undefined && before?.violates !== undefined;
    return isRather ? before : (lost ?? before);
  }
}
