import { inspect } from "node:util";
import { stopwatch } from "../core/clock.ts";
import { curlLine, reportExchange } from "../core/exchange.ts";
import { CheckFailure, NotTestable } from "../core/failure.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Redactor } from "../core/redact.ts";
import type { ClientCheck } from "./check.ts";
import { ClientFailure, type Evidence } from "./session/evidence.ts";

const REPORTED = 8;

const show = (value: unknown): string =>
  typeof value === "string" ? value : inspect(value, { depth: 6, breakLength: 100 });

/** Puts one check to the evidence and says how it ended; never throws. */
export function examine(check: ClientCheck, evidence: Evidence, redact: Redactor): Outcome {
  const start = stopwatch();
  const ended = (rest: Pick<Outcome, "status"> & Partial<Outcome>): Outcome => ({
    duration_ms: Math.round(stopwatch() - start),
    requests: evidence.seen.length,
    ...rest,
  });
  try {
    const account = check.judge(evidence).map((line) => redact.text(line));
    return ended({ status: "passed", ...(account.length > 0 && { account }) });
  } catch (error) {
    if (error instanceof NotTestable) {
      return ended({ status: "not_testable", message: redact.text(error.message) });
    }
    if (!(error instanceof CheckFailure)) {
      const place = error instanceof Error ? (error.stack?.split("\n")[1]?.trim() ?? "") : "";
      return ended({ status: "errored", message: redact.text(`${error} ${place}`.trim()) });
    }
    const { expected, actual, exchange } = error;
    const exchanges = error instanceof ClientFailure ? error.exchanges : [];
    return ended({
      status: "failed",
      message: redact.body(error.message),
      ...(expected === undefined ? {} : { expected: redact.body(show(expected)) }),
      ...(actual === undefined ? {} : { actual: redact.body(show(actual)) }),
      ...(exchange && { curl: curlLine(exchange, redact) }),
      exchanges: exchanges.slice(-REPORTED).map((one) => reportExchange(one, redact)),
    });
  }
}
