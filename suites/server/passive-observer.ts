import { curlCommand, type Exchange, reportExchange } from "../core/exchange.ts";
import { textMember } from "../core/json.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Redactor } from "../core/redact.ts";
import type { PassiveCheck } from "./check.ts";

/** Whether an exchange shows that the target serves orders: a valid creation was answered with a delivery. */
function servesOrders({ operation, response, violates }: Exchange): boolean {
  return (
    operation === "createDelivery" &&
    violates === undefined &&
    response?.status === 201 &&
    textMember(response.json, "id") !== undefined
  );
}

/** Runs passive checks over the exchanges of a run as they happen; keeps the first fault of each, and counts. */
export class PassiveObserver {
  readonly #seen = new Map<
    string,
    { applied: number; faults: number; first?: { exchange: Exchange; fault: string } }
  >();

  #served = false;
  private readonly checks: readonly PassiveCheck[];

  constructor(checks: readonly PassiveCheck[]) {
    this.checks = checks;
    for (const { id } of checks) this.#seen.set(id, { applied: 0, faults: 0 });
  }

  observe(exchange: Exchange): void {
    this.#served ||= servesOrders(exchange);
    for (const check of this.checks) {
      const seen = this.#seen.get(check.id);
      if (!seen || !check.applies(exchange)) continue;
      seen.applied += 1;
      const fault = check.fault(exchange);
      if (fault === undefined) continue;
      seen.faults += 1;
      seen.first ??= { exchange, fault };
    }
  }

  outcome(check: PassiveCheck, redact: Redactor): Outcome {
    const seen = this.#seen.get(check.id);
    const base = { duration_ms: 0, requests: 0 };
    if (!seen || seen.applied === 0) {
      return { ...base, status: "not_testable", message: "no exchange of this run says anything about it" };
    }
    // Whoever does nothing does nothing wrong: that is no conformance.
    if (!seen.first && !this.#served) {
      return {
        ...base,
        status: "not_testable",
        message: "the target took no order, so that nothing is shown",
      };
    }
    if (!seen.first) return { ...base, status: "passed" };
    const { exchange, fault } = seen.first;
    return {
      ...base,
      status: "failed",
      message: redact.body(`${fault} (${seen.faults} of ${seen.applied} exchanges; this is the first)`),
      curl: curlCommand(exchange, redact),
      exchanges: [reportExchange(exchange, redact)],
    };
  }
}
