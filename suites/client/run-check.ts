import type { ClauseId } from "../../openapi/generated/clauses.ts";
import { monotonicNow } from "../core/clock.ts";
import type { RunResult } from "../core/confirmation/confirm.ts";
import type { Disturbance } from "../core/confirmation/disturbance.ts";
import { CoverageRecord } from "../core/contract/set-coverage.ts";
import { curlCommand, reportExchange } from "../core/exchange.ts";
import { judgeEachCase } from "../core/grading/expectations/each-element.ts";
import { attributedTo } from "../core/grading/failures/attributed-to.ts";
import { type Explanation, explainFailure } from "../core/grading/failures/explain-failure.ts";
import { CheckFailure } from "../core/grading/failures/failure.ts";
import type { Redactor } from "../core/text/redact.ts";
import type { ClientCheck } from "./check.ts";
import type { Evidence } from "./session/evidence.ts";
import { HiddenWaits } from "./session/waits/backoff.ts";

const MAX_REPORTED_EXCHANGES = 8;

/** Runs one check on the evidence and returns its outcome. Never throws. */
export function runCheck(check: ClientCheck, evidence: Evidence, redact: Redactor): RunResult {
  const start = monotonicNow();
  const sets = new CoverageRecord();
  const { end: explained, seenAt, isDisturbable } = judge(check, evidence, redact, sets);
  const { coverage } = sets;
  const { expectedData, ...end } = explained;
  const outcome = {
    duration_ms: Math.round(monotonicNow() - start),
    requests: evidence.requests.length,
    ...end,
    ...(coverage.length > 0 && { coverage }),
  };
  return {
    outcome,
    seenAt,
    ...(expectedData !== undefined && { expectedData }),
    ...(isDisturbable && { disturbances: disturbancesOf(evidence) }),
  };
}

/**
 * The disturbances of a run. If two instances of the client ran concurrently, the whole run counts as
 * disturbed, because a client that shares files between instances may fail.
 */
const disturbancesOf = ({ disturbances, hasOverlap, requests }: Evidence): readonly Disturbance[] => {
  if (!hasOverlap) return disturbances;
  const [from = 0, to = 0] = [requests[0]?.arrivedAt, requests.at(-1)?.arrivedAt];
  const overlap = {
    kind: "overlapping-starts",
    from,
    to,
    what: "two instances of the client ran at once",
  } as const;
  return [...disturbances, overlap];
};

interface Judgement {
  readonly end: Explanation;
  readonly seenAt: readonly ClauseId[];
  /** True if a delay of the suite may explain the result. */
  readonly isDisturbable: boolean;
}

function judge(check: ClientCheck, evidence: Evidence, redact: Redactor, sets: CoverageRecord): Judgement {
  try {
    const context = {
      each: judgeEachCase,
      recordCoverage: (...come: Parameters<CoverageRecord["add"]>) => sets.add(...come),
    };
    const account = check.judge(evidence, context).map((line) => redact.text(line));
    return {
      end: { status: "passed", ...(account.length > 0 && { account }) },
      seenAt: [],
      isDisturbable: false,
    };
  } catch (error) {
    const end = explainFailure(error, redact, (finding) => {
      const exchanges = finding instanceof CheckFailure ? finding.exchanges : [];
      const blamed = exchanges.at(-1);
      return {
        ...(blamed && { curl: curlCommand(blamed, redact) }),
        exchanges: exchanges.slice(-MAX_REPORTED_EXCHANGES).map((one) => reportExchange(one, redact)),
      };
    });
    const isDisturbable = end.status === "failed" || error instanceof HiddenWaits;
    return { end, seenAt: attributedTo(error, check.clauses), isDisturbable };
  }
}
