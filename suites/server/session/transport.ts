import { monotonicNow, pause, wallClock } from "../../core/clock.ts";
import type { OperationId } from "../../core/contract/document.ts";
import type { Exchange, ExchangeResponse } from "../../core/exchange.ts";
import { NoResponse, NotTestable, OperationGivenUp } from "../../core/grading/failure.ts";
import { isConnectionLoss, isLateAnswer } from "../../core/http/connection-loss.ts";
import { sendRequest } from "../../core/http/connections.ts";
import { jsonExcess, parseJson } from "../../core/json.ts";
import { LimitPatience } from "./limit-patience.ts";
import type { OperationRecord } from "./operation-record.ts";
import type { BudgetLease, RequestBudget } from "./request-budget.ts";
import type { SourceAddress } from "./source-addresses.ts";
import type { NotifyOfWait } from "./wait-notices.ts";

export interface OutgoingRequest {
  readonly operation: OperationId;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly address: SourceAddress;
  readonly violates: string | undefined;
  /** Whether the path is one that the document doesn't have. */
  readonly unknownRoute?: boolean;
  /** The limits of the target that it counts towards. */
  readonly budgets: readonly RequestBudget[];
  /** False: it doesn't wait for our own budgets. */
  readonly keepsBudget: boolean;
  /** False in checks of the limits themselves, which want to see the 429. */
  readonly honourLimits: boolean;
}

/** Whether the target does no more when it gets the request twice: nothing is changed by it, or it carries a key. */
function isRetryable({ operation, method, headers }: OutgoingRequest): boolean {
  if (method === "GET" || operation === "obtainToken" || operation === "createQuote") return true;
  return operation === "createDelivery" && headers["idempotency-key"] !== undefined;
}

const messageOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
};

/** `retry-after` in milliseconds: seconds or an HTTP date (OPEN-222). */
export function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallClock());
}

/** Sends requests one by one, records each exchange, and waits out the target's limits. */
export class Transport {
  #targetLost: string | undefined;
  #stopped: string | undefined;
  readonly #patience = new LimitPatience();

  private readonly healthUrl: string;
  private readonly waiting: NotifyOfWait;
  private readonly operations: Pick<OperationRecord, "isGivenUp">;
  /** Sees every exchange of the run: passive checks and the count of requests. */
  private readonly observe: (exchange: Exchange) => void;

  constructor(
    healthUrl: string,
    waiting: NotifyOfWait,
    operations: Pick<OperationRecord, "isGivenUp">,
    observe: (exchange: Exchange) => void,
  ) {
    this.healthUrl = healthUrl;
    this.waiting = waiting;
    this.operations = operations;
    this.observe = observe;
  }

  /** Set once the target no longer answers at all: what was seen, in words. */
  get targetLost(): string | undefined {
    return this.#targetLost;
  }

  /** Sends no more, and says why to whoever asks. */
  stop(why: string): void {
    this.#stopped ??= why;
  }

  async send(outgoing: OutgoingRequest, record: (exchange: Exchange) => void): Promise<Exchange> {
    for (let waits = 0; ; waits += 1) {
      const closed = this.#targetLost ?? this.#stopped;
      if (closed !== undefined) throw new NotTestable(closed);
      if (this.operations.isGivenUp(outgoing.operation)) throw new OperationGivenUp(outgoing.operation);
      const exchange = await this.#once(outgoing);
      record(exchange);
      this.observe(exchange);
      if (!exchange.response) throw await this.#unanswered(exchange, outgoing.address);
      if (exchange.response.status !== 429) {
        this.#patience.answered(outgoing);
        return exchange;
      }
      if (!outgoing.honourLimits) return exchange;
      const asked = retryAfterMs(exchange.response.headers["retry-after"]) ?? 1000;
      const wait = this.#patience.refused(outgoing, asked, waits);
      if (wait === undefined) return this.#stillLimited(outgoing, exchange);
      this.waiting(wait, `the target answered 429 to ${outgoing.operation}`, "429");
      await pause(wait);
    }
  }

  /**
   * A 429 that comes again for two minutes is an answer like any other where the limit is the identity's, whom nobody
   * else speaks for; an address may be shared with others, whose requests count as well.
   * @throws NotTestable where the limit is the address's
   */
  #stillLimited({ operation, budgets, address }: OutgoingRequest, exchange: Exchange): Exchange {
    const isOfAddress = budgets.some((budget) => budget === address.anonymous);
    if (!isOfAddress) return exchange;
    throw new NotTestable(
      `the target went on answering 429 to ${operation} for two minutes: does somebody else use its limit for this address?`,
    );
  }

  async #once(outgoing: OutgoingRequest): Promise<Exchange> {
    const { budgets } = outgoing;
    const leases: BudgetLease[] = [];
    for (const budget of budgets) leases.push(outgoing.keepsBudget ? await budget.take() : budget.spend());
    const startedAt = wallClock();
    const start = monotonicNow();
    let response: ExchangeResponse | undefined;
    let failure: string | undefined;
    let isRepeated = false;
    let isLost = false;
    let isLate = false;
    try {
      const { address, url, method, headers: sentHeaders, body = null } = outgoing;
      const { connections, totalTimeoutMs } = address;
      const answer = await sendRequest(
        connections,
        url,
        { method, headers: sentHeaders, body },
        {
          timeoutMs: totalTimeoutMs,
          isRetryable: isRetryable(outgoing),
          onRetry: () => {
            isRepeated = true;
            leases.push(...budgets.map((budget) => budget.spend()));
          },
        },
      );
      const headers = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
      );
      const { status, bytes } = answer;
      const text = new TextDecoder().decode(bytes);
      const excess = jsonExcess(text);
      if (excess !== undefined) throw new Error(excess);
      response = { status, headers, bytes, text, json: parseJson(text) };
    } catch (error) {
      failure = messageOf(error);
      isLost = isConnectionLoss(error);
      isLate = isLateAnswer(error);
    } finally {
      for (const spending of leases) spending.settle();
    }
    return {
      operation: outgoing.operation,
      method: outgoing.method,
      url: outgoing.url,
      requestHeaders: outgoing.headers,
      requestBody: outgoing.body,
      startedAt,
      durationMs: monotonicNow() - start,
      response,
      failure,
      violates: outgoing.violates,
      unknownRoute: outgoing.unknownRoute ?? false,
      isRetried: isRepeated,
      isConnectionLost: isLost,
      isLate,
    };
  }

  /** Is it this request that stays unanswered, or is the target gone? The health endpoint tells. */
  async #unanswered(exchange: Exchange, address: SourceAddress): Promise<Error> {
    const last = ` at ${exchange.method} ${new URL(exchange.url).pathname}`;
    return (await this.isTargetUp(address, last))
      ? new NoResponse(exchange)
      : new NotTestable(this.#targetLost);
  }

  /**
   * Asks the health endpoint whether the target still answers, whatever it says of itself.
   * @param last the request after which that is asked, in words
   */
  async isTargetUp({ connections, totalTimeoutMs }: SourceAddress, last = ""): Promise<boolean> {
    if (this.#targetLost !== undefined) return false;
    try {
      await sendRequest(connections, this.healthUrl, {}, { timeoutMs: totalTimeoutMs, fresh: true });
      return true;
    } catch (error) {
      this.#targetLost ??= `the target stopped answering${last} (${messageOf(error)})`;
      return false;
    }
  }
}
