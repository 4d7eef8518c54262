import { monotonicNow, wallClock } from "../../../core/clock.ts";
import type { Exchange, ExchangeResponse } from "../../../core/exchange.ts";
import {
  isConnectionLoss,
  isLateAnswer,
  isRefusedConnection,
  isSilence,
  silenceText,
} from "../../../core/http/connection-loss.ts";
import { sendRequest } from "../../../core/http/connections.ts";
import { withTrace } from "../../../core/http/header-profiles.ts";
import { UnreadableResponse } from "../../../core/http/unreadable-response.ts";
import { textOf } from "../../../core/json.ts";
import { MachineError } from "../../../core/machine-error.ts";
import type { BudgetLease } from "../limits/request-budget.ts";
import { readResponse } from "./incoming-response.ts";
import { isRetryable, type OutgoingRequest } from "./outgoing-request.ts";

/** The message of an error, or of its cause. */
export const messageOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : textOf(cause);
};

export const requestLine = ({ method, url }: OutgoingRequest): string => `${method} ${new URL(url).pathname}`;

/** What the caller learns while a request is sent. */
export interface SendingObserver {
  /** Called with each received body as soon as the body has arrived, even if it is incomplete. */
  readonly onBody: ((bytes: Uint8Array) => void) | undefined;
  /** Called with the request line if a connection broke, so that the target may have lost its data. */
  readonly noteLoss: (line: string) => void;
  readonly noteMachineError: (error: MachineError) => void;
}

/**
 * Sends a request once, and returns the exchange, also if no response arrives.
 * @param leases the request's share of the target's limits, settled here
 */
export async function sendOnce(
  outgoing: OutgoingRequest,
  leases: BudgetLease[],
  { onBody, noteLoss, noteMachineError }: SendingObserver,
): Promise<Exchange> {
  const { budgets } = outgoing;
  const headers = withTrace(outgoing.address.connections.style, outgoing.headers);
  const startedAt = wallClock();
  const clockOffsetMs = outgoing.clockOffsetMs?.() ?? 0;
  const start = monotonicNow();
  let response: ExchangeResponse | undefined;
  let failure: string | undefined;
  let isRepeated = false;
  let isLost = false;
  let isLate = false;
  let isUnreadable = false;
  let isUnsent = false;
  try {
    const { address, url, method, body = null } = outgoing;
    const { connections, totalTimeoutMs } = address;
    const answer = await sendRequest(
      connections,
      url,
      { method, headers, body },
      {
        timeoutMs: totalTimeoutMs,
        isRetryable: isRetryable(outgoing),
        onRetry: () => {
          isRepeated = true;
          noteLoss(requestLine(outgoing));
          leases.push(...budgets.map((budget) => budget.spend()));
        },
        ...(onBody && { onBody }),
      },
    );
    response = readResponse(answer);
  } catch (error) {
    if (error instanceof MachineError) noteMachineError(error);
    isLost = isConnectionLoss(error);
    if (isLost) noteLoss(requestLine(outgoing));
    isLate = isLateAnswer(error);
    isUnreadable = error instanceof UnreadableResponse;
    isUnsent = isRefusedConnection(error);
    failure = isSilence(error) ? silenceText(outgoing.address.answerMs) : messageOf(error);
  } finally {
    for (const spending of leases) spending.settle();
  }
  return {
    operation: outgoing.operation,
    method: outgoing.method,
    url: outgoing.url,
    requestHeaders: headers,
    requestBody: outgoing.body,
    startedAt,
    ...(clockOffsetMs !== 0 && { clockOffsetMs }),
    ...(outgoing.sender !== undefined && { sender: outgoing.sender }),
    durationMs: monotonicNow() - start,
    response,
    failure,
    violates: outgoing.violates,
    ...(response?.status === 401 && outgoing.isTokenValid?.() && { refusesValidToken: true as const }),
    unknownRoute: outgoing.unknownRoute ?? false,
    isRetried: isRepeated,
    isConnectionLost: isLost,
    isLate,
    ...(isUnreadable && { isUnreadable }),
    isUnsent,
  };
}
