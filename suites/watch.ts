import type { PassiveCheck } from "./check.ts";
import type { Outcome } from "./outcome.ts";
import { curlLine, type Exchange, reportExchange } from "./target/exchange.ts";
import type { Redactor } from "./target/redact.ts";

/** Runs passive checks over the exchanges of a run as they happen; keeps the first fault of each, and counts. */
export class Watch {
  readonly #seen = new Map<
    string,
    { applied: number; faults: number; first?: { exchange: Exchange; fault: string } }
  >();

  private readonly checks: readonly PassiveCheck[];

  constructor(checks: readonly PassiveCheck[]) {
    this.checks = checks;
    for (const { id } of checks) this.#seen.set(id, { applied: 0, faults: 0 });
  }

  observe(exchange: Exchange): void {
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
    if (!seen.first) return { ...base, status: "passed" };
    const { exchange, fault } = seen.first;
    return {
      ...base,
      status: "failed",
      message: redact.body(`${fault} (${seen.faults} of ${seen.applied} exchanges; this is the first)`),
      curl: curlLine(exchange, redact),
      exchanges: [reportExchange(exchange, redact)],
    };
  }
}
