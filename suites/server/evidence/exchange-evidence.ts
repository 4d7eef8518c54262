import { curlCommand, type Exchange, reportBlamedExchange, reportExchange } from "../../core/exchange.ts";
import type { Evidence } from "../../core/grading/failures/explain-failure.ts";
import { CheckFailure, NoResponse } from "../../core/grading/failures/failure.ts";
import { blamedMember, blamedPath, type MemberPath, namedMember } from "../../core/text/member-paths.ts";
import type { Redactor } from "../../core/text/redact.ts";
import { type OtherSteps, transcriptOf } from "./transcript.ts";

/** The maximum number of a check's exchanges that are reported. */
const MAX_REPORTED_EXCHANGES = 6;

/** A check up to its failure. */
interface FailedRun {
  /** The last exchanges of the check. */
  readonly exchanges: readonly Exchange[];
  /** The time of the failure, as Unix time in milliseconds. */
  readonly at: number;
  readonly other: OtherSteps;
  /** True if the failure is about webhooks, so that no response may show it. */
  readonly isOfWebhook: boolean;
  readonly redact: Redactor;
  readonly baseUrl: string;
}

interface Blamed {
  readonly exchange: Exchange;
  /** The incorrect member of its response. */
  readonly path: MemberPath | undefined;
}

const namedBy = (finding: Error): Exchange | undefined =>
  finding instanceof CheckFailure || finding instanceof NoResponse ? finding.exchange : undefined;

const jsonOf = ({ response }: Exchange): unknown => response?.json;

/** The exchange that a finding names, with the incorrect member of its response. */
function namedWithMember(finding: Error): Blamed | undefined {
  const exchange = namedBy(finding);
  if (!exchange || !(finding instanceof CheckFailure)) return exchange && { exchange, path: undefined };
  const { mismatch } = finding;
  const json = jsonOf(exchange);
  return { exchange, path: blamedMember(json, mismatch) ?? namedMember(json, mismatch) };
}

/** The last exchange whose response has such a member. */
function lastWith(
  exchanges: readonly Exchange[],
  member: (json: unknown) => MemberPath | undefined,
): Blamed | undefined {
  for (const exchange of exchanges.toReversed()) {
    const path = member(jsonOf(exchange));
    if (path) return { exchange, path };
  }
  return undefined;
}

/**
 * The exchange that shows a finding: the one that it names, or else the last one whose response has the incorrect value,
 * or the last one, if its response has the member. If a webhook is wrong, the last response may show the
 * correct value. Undefined if there is none.
 */
function blamedBy(finding: Error, exchanges: readonly Exchange[], isOfWebhook: boolean): Blamed | undefined {
  const named = namedWithMember(finding);
  if (named || !(finding instanceof CheckFailure)) return named;
  const { field, actual, expected } = finding.mismatch;
  const last = exchanges.slice(-1);
  const withValue = (json: unknown) => blamedMember(json, { field, actual: isOfWebhook ? expected : actual });
  const ofLast = lastWith(last, withValue);
  if (ofLast || isOfWebhook) return ofLast;
  return (
    lastWith(exchanges, (json) => blamedPath(json, { field, actual })) ??
    lastWith(last, (json) => namedMember(json, { field }))
  );
}

/**
 * The last exchanges before a failure, the decisive exchange last. Without a decisive exchange, as for a missing
 * webhook, there is no curl line.
 */
export function exchangeEvidence(
  finding: Error,
  { exchanges, at, other, isOfWebhook, redact, baseUrl }: FailedRun,
): Evidence {
  const last = exchanges.at(-1);
  const found = blamedBy(finding, exchanges, isOfWebhook);
  const { exchange, path } = found ?? { exchange: last, path: undefined };
  if (!exchange) return { exchanges: [] };
  // A named exchange is the failure's end, so later exchanges are the check's cleanup.
  const named = namedBy(finding);
  const before = exchanges.filter((one) => one !== exchange && (!named || one.startedAt <= named.startedAt));
  const inOrder = [...before, exchange].toSorted((one, other) => one.startedAt - other.startedAt);
  const end = named ? named.startedAt + named.durationMs : at;
  const steps = transcriptOf(inOrder, other, { baseUrl, redact, end });
  return {
    operation: exchange.operation,
    ...((found || !isOfWebhook) && { curl: curlCommand(exchange, redact) }),
    ...(steps.length > 0 && { steps }),
    exchanges: [
      ...before.slice(1 - MAX_REPORTED_EXCHANGES).map((one) => reportExchange(one, redact)),
      reportBlamedExchange(exchange, redact, path),
    ],
  };
}
