import type { OperationId } from "../core/contract/document.ts";
import { CoverageRecord } from "../core/contract/set-coverage.ts";
import { curlCommand, type Exchange, reportExchange } from "../core/exchange.ts";
import { blockedBy, type Outcome } from "../core/grading/outcome.ts";
import { textMember } from "../core/json.ts";
import type { Redactor } from "../core/text/redact.ts";
import type { PassiveCheck } from "./check.ts";
import type { CheckRunner } from "./check-runner.ts";

/** Whether an exchange shows that the target serves orders: a valid creation was answered with a delivery. */
function servesOrders({ operation, response, violates }: Exchange): boolean {
  return (
    operation === "createDelivery" &&
    violates === undefined &&
    response?.status === 201 &&
    textMember(response.json, "id") !== undefined
  );
}

interface FirstFault {
  readonly exchange: Exchange;
  readonly fault: string;
}

/** Runs passive checks over the exchanges of a run as they happen; keeps the first fault of each at each operation, and counts. */
export class PassiveObserver {
  readonly #seen = new Map<
    string,
    {
      applied: number;
      faults: number;
      readonly first: Map<OperationId, FirstFault>;
      readonly sets: CoverageRecord;
    }
  >();

  #served = false;
  private readonly checks: readonly PassiveCheck[];

  constructor(checks: readonly PassiveCheck[]) {
    this.checks = checks;
    for (const { id } of checks) {
      this.#seen.set(id, { applied: 0, faults: 0, first: new Map(), sets: new CoverageRecord() });
    }
  }

  observe(exchange: Exchange): void {
    this.#served ||= servesOrders(exchange);
    for (const check of this.checks) {
      const seen = this.#seen.get(check.id);
      if (!seen || !check.applies(exchange)) continue;
      seen.applied += 1;
      if (check.over) seen.sets.add(check.over.set, check.over.elements(exchange));
      const fault = check.fault(exchange);
      if (fault === undefined) continue;
      seen.faults += 1;
      if (!seen.first.has(exchange.operation)) seen.first.set(exchange.operation, { exchange, fault });
    }
  }

  /** @param blockers which check found missing what the run's traffic is made of */
  outcome(check: PassiveCheck, redact: Redactor, blockers?: Pick<CheckRunner, "blockerOf">): Outcome {
    const seen = this.#seen.get(check.id);
    const coverage = seen?.sets.coverage ?? [];
    const base = { duration_ms: 0, requests: 0, ...(coverage.length > 0 && { coverage }) };
    if (!seen || seen.applied === 0) {
      return { ...base, status: "not_testable", message: "no exchange of this run says anything about it" };
    }
    // Whoever does nothing does nothing wrong: that is no conformance.
    const faults = [...seen.first.values()];
    // What isn't there answers like nothing else of the target.
    const first = faults.find(({ exchange }) => blockers?.blockerOf(exchange.operation) === undefined);
    const blocker = blockers?.blockerOf(faults[0]?.exchange.operation ?? "createDelivery");
    if (!first && (faults.length > 0 || !this.#served) && blocker !== undefined) return blockedBy(blocker);
    if (!first && !this.#served) {
      return {
        ...base,
        status: "not_testable",
        message: "the target took no order, so that nothing is shown",
      };
    }
    if (!first) return { ...base, status: "passed" };
    const { exchange, fault } = first;
    return {
      ...base,
      status: "failed",
      operation: exchange.operation,
      message: redact.body(`${fault} (${seen.faults} of ${seen.applied} exchanges; this is the first)`),
      curl: curlCommand(exchange, redact),
      exchanges: [reportExchange(exchange, redact)],
    };
  }
}
