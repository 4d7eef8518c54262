import { monotonicNow } from "../core/clock.ts";
import { curlCommand, reportExchange } from "../core/exchange.ts";
import { explainFailure, type PartialOutcome } from "../core/grading/explain-failure.ts";
import type { Outcome } from "../core/grading/outcome.ts";
import type { Redactor } from "../core/text/redact.ts";
import type { ClientCheck } from "./check.ts";
import { ClientFailure, type Evidence } from "./session/evidence.ts";

const MAX_REPORTED_EXCHANGES = 8;

/** Puts one check to the evidence and says how it ended; never throws. */
export function runCheck(check: ClientCheck, evidence: Evidence, redact: Redactor): Outcome {
  const start = monotonicNow();
  const end = judge(check, evidence, redact);
  return { duration_ms: Math.round(monotonicNow() - start), requests: evidence.requests.length, ...end };
}

function judge(check: ClientCheck, evidence: Evidence, redact: Redactor): PartialOutcome {
  try {
    const account = check.judge(evidence).map((line) => redact.text(line));
    return { status: "passed", ...(account.length > 0 && { account }) };
  } catch (error) {
    return explainFailure(error, redact, (finding) => {
      const exchanges = finding instanceof ClientFailure ? finding.exchanges : [];
      const blamed = exchanges.at(-1);
      return {
        ...(blamed && { curl: curlCommand(blamed, redact) }),
        exchanges: exchanges.slice(-MAX_REPORTED_EXCHANGES).map((one) => reportExchange(one, redact)),
      };
    });
  }
}
