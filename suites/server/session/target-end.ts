import { monotonicNow } from "../../core/clock.ts";
import type { Disturbance } from "../../core/confirmation/disturbance.ts";
import type { Exchange } from "../../core/exchange.ts";
import { EndsTarget } from "../../core/grading/failures/failure.ts";

/**
 * The request of one run of a check at which the target stopped answering. Other requests were under way then, so the
 * failure counts if the target stops there in each run.
 */
export class TargetEnd {
  #answered: Exchange | undefined;
  #unanswered: Exchange | undefined;

  observe(exchange: Exchange): void {
    if (exchange.stoppedTarget === "after its answer") this.#answered ??= exchange;
    if (exchange.stoppedTarget === "before its answer") this.#unanswered ??= exchange;
  }

  /** Undefined if the target didn't stop at one of the run's requests. */
  get failure(): EndsTarget | undefined {
    const exchange = this.#exchange;
    return exchange && new EndsTarget(exchange);
  }

  get disturbances(): readonly Disturbance[] {
    const { operation } = this.#exchange ?? {};
    if (operation === undefined) return [];
    const at = monotonicNow();
    return [
      { kind: "restart", what: `the target stopped answering at ${operation}`, operation, from: at, to: at },
    ];
  }

  /**
   * A request over a connection that was kept open may have come too late. Then the invalid request before it is the
   * likelier cause.
   */
  get #exchange(): Exchange | undefined {
    const [before, lost] = [this.#answered, this.#unanswered];
    const isRather =
      lost?.isRetried === true && lost.violates === undefined && before?.violates !== undefined;
    return isRather ? before : (lost ?? before);
  }
}
