import { monotonicNow, pause, wallClock } from "../../../core/clock.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { Exchange, ExchangeResponse, SentRequest } from "../../../core/exchange.ts";
import { NoResponse, NotTestable, OperationGivenUp } from "../../../core/grading/failures/failure.ts";
import {
  isConnectionLoss,
  isLateAnswer,
  isSilence,
  nothingWithin,
} from "../../../core/http/connection-loss.ts";
import { sendRequest } from "../../../core/http/connections.ts";
import { withTrace } from "../../../core/http/header-profiles.ts";
import { textOf } from "../../../core/json.ts";
import { MachineError } from "../../../core/machine-error.ts";
import { InFlightLimit } from "../limits/in-flight.ts";
import { RateLimitBackoff } from "../limits/rate-limit-backoff.ts";
import type { BudgetLease } from "../limits/request-budget.ts";
import type { SourceAddress } from "../limits/source-addresses.ts";
import type { NotifyOfWait } from "../limits/wait-notices.ts";
import { HealthProbe, isBlockedByGateway, isProxyPage, unanswered } from "../outages/health-probe.ts";
import { type Outage, Outages } from "../outages/outages.ts";
import { StateLossProbe } from "../outages/state-loss-probe.ts";
import { Unavailability } from "../outages/unavailability.ts";
import { readResponse, retryAfterMs } from "./incoming-response.ts";
import type { OperationRecord } from "./operation-record.ts";
import { isRetryable, type OutgoingRequest } from "./outgoing-request.ts";

/** A finished exchange and the listener for its later results. */
interface Answered {
  readonly request: OutgoingRequest;
  readonly exchange: Exchange;
  readonly record: (exchange: Exchange) => void;
  readonly at: number;
}

/** A finished exchange as it was seen. */
interface Seen {
  readonly exchange: Exchange;
  /** Resolves once a target that was away when the exchange ended is back, or given up. Undefined if it wasn't away. */
  readonly outage?: Promise<Outage<OutgoingRequest>>;
}

/** The verdict on an exchange that may have reached nobody. */
interface Judged {
  readonly exchange: Exchange;
  readonly failure?: Error;
  /** True if the request counts as unsent and is sent now. */
  readonly isToRepeat?: boolean;
}

/** Number of the requests answered just before an outage that may have caused it, and their maximum age in milliseconds. */
const LAST_ANSWERED = { most: 3, withinMs: 2_000 };

const messageOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : textOf(cause);
};

export interface TransportParts {
  readonly healthUrl: string;
  /** The source of the requests that test if the target answers. */
  readonly address: SourceAddress;
  readonly waiting: NotifyOfWait;
  /** Receives the reason of a wait while the target is away. */
  readonly waitingForTarget: (why: string) => void;
  readonly wentDown: (line: string) => void;
  readonly operations: Pick<OperationRecord, "isGivenUp">;
  /** Sees every exchange of the run: passive checks and the count of requests. */
  readonly observe: (exchange: Exchange) => void;
  /** True if the target still has its data, as far as so many integrators show. */
  readonly remembers: (least: number) => Promise<boolean>;
}

/** Sends requests one by one, records each exchange, waits out the target's limits and its outages. */
export class Transport {
  #targetLost: string | undefined;
  #machineError: MachineError | undefined;
  #hasForgotten = false;
  #lastRequests: readonly SentRequest[] = [];
  #stopped: string | undefined;
  #answered: readonly Answered[] = [];
  readonly #patience = new RateLimitBackoff();
  readonly #unavailability = new Unavailability();
  readonly #inFlight = new InFlightLimit();
  readonly #underWay = new Map<Promise<Seen>, OperationId>();
  readonly #outages: Outages<OutgoingRequest>;
  readonly #memory: StateLossProbe;
  readonly #health: HealthProbe;
  private readonly parts: TransportParts;

  constructor(parts: TransportParts) {
    this.parts = parts;
    this.#memory = new StateLossProbe((least) =>
      this.#inFlight.within(() => parts.remembers(least), "first"),
    );
    this.#health = new HealthProbe({
      url: parts.healthUrl,
      address: parts.address,
      messageOf,
      noteMachineError: (error) => this.noteMachineError(error),
    });
    this.#outages = new Outages({
      // A machine at its own limit says nothing more about the target.
      silence: async () => (this.#machineError === undefined ? this.#health.silence() : undefined),
      settled: () => this.settled(),
      answered: () => {
        const since = monotonicNow() - LAST_ANSWERED.withinMs;
        return this.#answered.filter(({ at }) => at >= since).map(({ request }) => request);
      },
      stoppedAfter: (requests) => {
        for (const { request, exchange, record } of this.#answered) {
          if (requests.includes(request)) record({ ...exchange, stoppedTarget: "after its answer" });
        }
      },
      remembers: () => parts.remembers(1),
      describe: (request) =>
        `${placeOf(request)}${request.violates === undefined ? "" : ` (on purpose: ${request.violates})`}`,
      describeAnswered: (request) => {
        const status = this.#answeredTo(request)?.exchange.response?.status;
        return status === undefined ? placeOf(request) : `${placeOf(request)} with ${status}`;
      },
      waiting: parts.waitingForTarget,
      wentDown: parts.wentDown,
    });
  }

  /** Set once this machine has reached a limit: nothing more is sent. */
  get machineError(): MachineError | undefined {
    return this.#machineError;
  }

  noteMachineError(error: MachineError): void {
    this.#machineError ??= error;
  }

  /** Set once the target no longer answers at all: the observation in words. */
  get targetLost(): string | undefined {
    return this.#targetLost;
  }

  /** True if it is lost because it came back without its data: all created resources are gone as well. */
  get hasForgotten(): boolean {
    return this.#hasForgotten;
  }

  /** Requests under way when the target was lost. */
  get lastRequests(): readonly SentRequest[] {
    return this.#lastRequests;
  }

  /** Number of times that the target stopped answering so far, back or not. */
  get outages(): number {
    return this.#outages.count;
  }

  /** Sends no more. Every later caller gets the reason. */
  stop(why: string): void {
    this.#stopped ??= why;
  }

  async send(outgoing: OutgoingRequest, record: (exchange: Exchange) => void): Promise<Exchange> {
    let repeats = 0;
    for (let waits = 0; ; waits += 1) {
      await this.#outages.underWay;
      if (this.#machineError !== undefined) throw this.#machineError;
      const closed = this.#targetLost ?? this.#stopped;
      if (closed !== undefined) throw new NotTestable(closed);
      if (this.parts.operations.isGivenUp(outgoing.operation)) throw new OperationGivenUp(outgoing.operation);
      const { exchange, failure, isToRepeat } = await this.#judged(await this.#once(outgoing), outgoing);
      if (this.#machineError !== undefined) throw this.#machineError;
      if (isToRepeat) continue;
      try {
        record(exchange);
      } finally {
        this.parts.observe(exchange);
      }
      if (failure || !exchange.response) throw failure ?? new NoResponse(exchange);
      if (exchange.response.status !== 429) {
        this.#patience.answered(outgoing);
        const away = this.#awayMs(outgoing, exchange.response, repeats);
        if (away !== undefined) {
          repeats += 1;
          this.parts.waiting(away, `the target answered ${exchange.response.status}`, "unavailable");
          await pause(away);
          continue;
        }
        const answered = { request: outgoing, exchange, record, at: monotonicNow() };
        this.#answered = [answered, ...this.#answered].slice(0, LAST_ANSWERED.most);
        return exchange;
      }
      if (!outgoing.honourLimits) return exchange;
      const asked = retryAfterMs(exchange.response.headers["retry-after"]) ?? 1000;
      const wait = this.#patience.refused(outgoing, asked, waits);
      if (wait === undefined) return this.#stillLimited(outgoing, exchange);
      this.parts.waiting(wait, `the target answered 429 to ${outgoing.operation}`, "429");
      await pause(wait);
    }
  }

  /** The wait for a target that says that it is away. Undefined if its answer is accepted as it is. */
  #awayMs(outgoing: OutgoingRequest, { status, headers }: ExchangeResponse, repeats: number) {
    const { operation, honourLimits } = outgoing;
    if (!honourLimits) return undefined;
    const askedMs = retryAfterMs(headers["retry-after"]);
    return this.#unavailability.waitMs({
      operation,
      status,
      isRetryable: isRetryable(outgoing),
      askedMs,
      repeats,
    });
  }

  /**
   * A 429 that repeats for two minutes is an ordinary answer if the limit is the integrator's, which nobody else uses.
   * The one address of this machine may be shared with others, whose requests count as well. One of several addresses was
   * drawn for this run.
   * @throws NotTestable if the limit is the address's
   */
  #stillLimited({ operation, budgets, address }: OutgoingRequest, exchange: Exchange): Exchange {
    if (!budgets.includes(address.anonymous)) return exchange;
    const conclusion =
      address.localAddress === undefined
        ? "does somebody else use its limit for this address?"
        : `it counts requests of other source addresses towards the limit of ${address.localAddress}`;
    throw new NotTestable(`the target went on answering 429 to ${operation} for two minutes: ${conclusion}`);
  }

  #answeredTo(request: OutgoingRequest): Answered | undefined {
    return this.#answered.find((answered) => answered.request === request);
  }

  async #once(outgoing: OutgoingRequest): Promise<Seen> {
    const leases: BudgetLease[] = [];
    for (const budget of outgoing.budgets) {
      leases.push(outgoing.keepsBudget ? await budget.take() : budget.spend());
    }
    return this.#inFlight.within(async () => {
      await this.#outages.underWay;
      const sent = this.#attemptAndLook(outgoing, leases);
      this.#underWay.set(sent, outgoing.operation);
      return sent.finally(() => this.#underWay.delete(sent));
    }, outgoing.urgency);
  }

  /**
   * Sends a request and, if it has no answer, tests if the target is away. The test is a request too and uses the first
   * one's slot: later requests wait until the result is known.
   */
  async #attemptAndLook(outgoing: OutgoingRequest, leases: BudgetLease[]): Promise<Seen> {
    const exchange = await this.#attempt(outgoing, leases);
    if (!(await this.#isAway(exchange))) return { exchange };
    return { exchange, outage: this.#outage(outgoing) };
  }

  /** @param leases its share of the target's limits; settled here */
  async #attempt(outgoing: OutgoingRequest, leases: BudgetLease[]): Promise<Exchange> {
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
            this.#memory.noteLoss(placeOf(outgoing));
            leases.push(...budgets.map((budget) => budget.spend()));
          },
        },
      );
      response = readResponse(answer);
    } catch (error) {
      if (error instanceof MachineError) this.noteMachineError(error);
      isLost = isConnectionLoss(error);
      if (isLost) this.#memory.noteLoss(placeOf(outgoing));
      isLate = isLateAnswer(error);
      failure = isSilence(error) ? nothingWithin(outgoing.address.answerMs) : messageOf(error);
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

  /** Decides if only this request stays unanswered, or if the target is away. */
  async #judged({ exchange: seen, outage }: Seen, outgoing: OutgoingRequest): Promise<Judged> {
    if (outage === undefined) {
      const isLoss = seen.isRetried || seen.isConnectionLost;
      const lost = isLoss ? this.#giveUp(await this.#memory.lostAfterLoss()) : undefined;
      if (lost !== undefined) return { exchange: seen, failure: new NotTestable(lost) };
      return seen.response ? { exchange: seen } : { exchange: seen, failure: new NoResponse(seen) };
    }
    const exchange = unanswered(seen);
    const { lost, hasForgotten = false } = await outage;
    // An answer from a proxy shows nothing about the target, which is back now.
    if (seen.response && lost === undefined && isRetryable(outgoing)) return { exchange, isToRepeat: true };
    const mayHaveStopped = (lost === undefined || hasForgotten) && isReached(seen);
    const ended: Exchange = {
      ...exchange,
      isConnectionLost: true,
      ...(mayHaveStopped && { stoppedTarget: "before its answer" }),
    };
    return { exchange: ended, failure: lost === undefined ? new NoResponse(ended) : new NotTestable(lost) };
  }

  /** True if an exchange has no answer, or a proxy's, because the target is away. */
  async #isAway({ response }: Exchange): Promise<boolean> {
    if (this.#machineError !== undefined || (response && !isProxyPage(response))) return false;
    if (this.#outages.underWay || this.#targetLost !== undefined) return true;
    return (await (response ? this.#health.glance() : this.#health.silence())) !== undefined;
  }

  /** Learns the form of the target's health while it is up, to recognise a proxy's answer later. */
  async learnHealth(): Promise<void> {
    await this.#health.silence();
  }

  /**
   * @param why the reason to send no more to a target that lost its data; undefined if it goes on
   * @returns the first reason to send no more
   */
  #giveUp(why: string | undefined): string | undefined {
    if (why === undefined) return undefined;
    this.#hasForgotten ||= this.#targetLost === undefined;
    this.#targetLost ??= why;
    return this.#targetLost;
  }

  async #outage(suspect?: OutgoingRequest): Promise<Outage<OutgoingRequest>> {
    if (this.#targetLost !== undefined) return { suspects: [], answered: [], lost: this.#targetLost };
    const outage = await this.#outages.wait(suspect);
    if (outage.lost !== undefined && this.#targetLost === undefined) {
      this.#targetLost = outage.lost;
      this.#hasForgotten = outage.hasForgotten ?? false;
      const { suspects, answered } = outage;
      const before = [...suspects, ...answered];
      // Invalid requests end a target more often.
      const byLikelihood = Map.groupBy(before, ({ violates }) => violates !== undefined);
      const likeliest = [true, false].flatMap((isInvalid) => byLikelihood.get(isInvalid) ?? []);
      this.#lastRequests = likeliest.map(({ method, url, headers, body }) => ({
        method,
        url,
        requestHeaders: headers,
        requestBody: body,
      }));
    }
    return outage;
  }

  /**
   * Waits until all requests under way have ended and their callers have resumed.
   * @param isMeant the operations to wait for; all by default
   */
  async settled(isMeant: (operation: OperationId) => boolean = () => true): Promise<void> {
    const meant = [...this.#underWay].filter(([, operation]) => isMeant(operation));
    await Promise.allSettled(meant.map(([sent]) => sent));
    await new Promise((resolve) => setImmediate(resolve));
  }

  /**
   * True if the target answers anything and still has its data. Waits for a target that is away.
   * @param since start of the work in question, on the monotonic clock
   */
  async isTargetUp(since: number): Promise<boolean> {
    if (this.#targetLost !== undefined || this.#machineError !== undefined) return false;
    const silence = await this.#inFlight.within(() => this.#health.silence(), "first");
    if (silence !== undefined && (await this.#outage()).lost !== undefined) return false;
    return this.#giveUp(await this.#memory.lostSince(since, () => this.settled())) === undefined;
  }
}

const placeOf = ({ method, url }: OutgoingRequest): string => `${method} ${new URL(url).pathname}`;

/** True if a request without an answer may have come to the target, also if its second sending didn't. */
const isReached = ({ response, failure = "", isRetried }: Exchange): boolean =>
  response ? !isBlockedByGateway(response) : isRetried === true || !/ECONNREFUSED/.test(failure);
