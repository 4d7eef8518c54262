import { monotonicNow } from "../../../core/clock.ts";
import type { Disturbance, DisturbanceKind } from "../../../core/confirmation/disturbance.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { Exchange } from "../../../core/exchange.ts";
import { isUnavailable } from "../../../core/http/unavailable.ts";

/** Disturbed requests of one run of a check: broken connections, proxy responses and timeouts. */
export class RequestDisturbances {
  #repeated = 0;
  readonly #noted: Disturbance[] = [];
  readonly #available = new Set<string | undefined>();

  observe(exchange: Exchange): void {
    const { operation, isRetried = false, response } = exchange;
    if (isRetried) {
      this.#repeated += 1;
      this.#note(
        "connection-lost",
        `the connection of a request to ${operation} broke, and the request was sent again`,
      );
    }
    if (response && isUnavailable(response.status)) {
      this.#note("unavailable", `${operation} got ${response.status}`, operation);
    } else if (response) this.#available.add(operation);
    this.endedBy(exchange);
  }

  /** Adds the request that ended the check: a request of the check, or a request that several checks share. */
  endedBy({
    operation,
    isConnectionLost = false,
    isLate = false,
  }: Pick<Exchange, "operation" | "isConnectionLost" | "isLate">): void {
    if (isConnectionLost) {
      this.#note("connection-lost", `the connection broke before a response to ${operation}`, operation);
    }
    if (isLate) this.#note("no-answer", `${operation} didn't respond in time`, operation);
  }

  /** Adds a control request that ended the check and whose effect is unknown. */
  endedByControl(): void {
    this.#note("connection-lost", "the connection of a control request broke");
  }

  #note(kind: DisturbanceKind, what: string, operation?: OperationId): void {
    const at = monotonicNow();
    this.#noted.push({ kind, what, from: at, to: at, ...(operation !== undefined && { operation }) });
  }

  /** All disturbances, latest first, because the check ended at the last disturbance. */
  get all(): readonly Disturbance[] {
    return this.#noted.toReversed().map((one) => ({
      ...one,
      respondsOtherwise: one.kind === "unavailable" && this.#available.has(one.operation),
    }));
  }

  /** Notes for the report, even if the check passes. */
  get account(): readonly string[] {
    const count = this.#repeated;
    return count === 0
      ? []
      : [
          `the connection broke before the response to ${count} request${count === 1 ? "" : "s"}, and the suite repeated ${count === 1 ? "it" : "them"}`,
        ];
  }
}
