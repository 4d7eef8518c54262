import { stopwatch } from "../core/clock.ts";
import { curlLine, reportExchange } from "../core/exchange.ts";
import { type CheckEnd, explainFailure } from "../core/explain-failure.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Redactor } from "../core/redact.ts";
import type { ClientCheck } from "./check.ts";
import { ClientFailure, type Evidence } from "./session/evidence.ts";

const REPORTED = 8;

/** Puts one check to the evidence and says how it ended; never throws. */
export function examine(check: ClientCheck, evidence: Evidence, redact: Redactor): Outcome {
  const start = stopwatch();
  const end = judge(check, evidence, redact);
  return { duration_ms: Math.round(stopwatch() - start), requests: evidence.seen.length, ...end };
}

function judge(check: ClientCheck, evidence: Evidence, redact: Redactor): CheckEnd {
  try {
    const account = check.judge(evidence).map((line) => redact.text(line));
    return { status: "passed", ...(account.length > 0 && { account }) };
  } catch (error) {
    return explainFailure(error, redact, (finding) => {
      const exchanges = finding instanceof ClientFailure ? finding.exchanges : [];
      const blamed = exchanges.at(-1);
      return {
        ...(blamed && { curl: curlLine(blamed, redact) }),
        exchanges: exchanges.slice(-REPORTED).map((one) => reportExchange(one, redact)),
      };
    });
  }
}
