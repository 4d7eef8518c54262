import { monotonicNow, pause } from "../../../core/clock.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { Exchange, SentRequest } from "../../../core/exchange.ts";
import { CheckSkipped, NoResponse, OperationGivenUp } from "../../../core/grading/failures/failure.ts";
import { isUnavailable } from "../../../core/http/unavailable.ts";
import type { MachineError } from "../../../core/machine-error.ts";
import { InFlightLimit } from "../limits/in-flight.ts";
import { RateLimitBackoff } from "../limits/rate-limit-backoff.ts";
import type { BudgetLease } from "../limits/request-budget.ts";
import type { SourceAddress } from "../limits/source-addresses.ts";
import type { NotifyOfWait } from "../limits/wait-notices.ts";
import { HealthProbe, isNotServed, mayBeUnavailable, unanswered } from "../outages/health-probe.ts";
import { type Outage, Outages } from "../outages/outages.ts";
import { StateLossProbe } from "../outages/state-loss-probe.ts";
import { retryAfterMs } from "./incoming-response.ts";
import type { OperationRecord } from "./operation-record.ts";
import { isRetryable, type OutgoingRequest } from "./outgoing-request.ts";
import { messageOf, requestLine, type SendingObserver, sendOnce } from "./send-once.ts";

/** A finished exchange, and the listener that is called if the exchange is corrected later. */
interface AnsweredRequest {
  readonly request: OutgoingRequest;
  readonly exchange: Exchange;
  readonly record: (exchange: Exchange) => void;
  readonly at: number;
}

/** A finished exchange, and the outage that it revealed. */
interface SentExchange {
  readonly exchange: Exchange;
  /**
   * Resolves when an unavailable target is back, or when the run has given it up. Undefined if the target was
   * available.
   */
  readonly outage?: Promise<Outage<OutgoingRequest>>;
}

/** The verdict on an exchange whose request may not have reached the target. */
interface ExchangeVerdict {
  readonly exchange: Exchange;
  readonly failure?: Error;
  /** True if the request counts as unsent and is sent again. */
  readonly isToRepeat?: boolean;
}

/**
 * How many of the requests with a response shortly before an outage may have caused it, and their maximum age
 * in milliseconds.
 */
const LAST_ANSWERED = { most: 3, withinMs: 2_000 };

interface TransportDependencies {
  readonly healthUrl: string;
  /** The source address of availability tests. */
  readonly address: SourceAddress;
  readonly waiting: NotifyOfWait;
  /** Called with the reason of a wait for an unavailable target. */
  readonly waitingForTarget: (why: string) => void;
  readonly outageEnded: (line: string) => void;
  readonly operations: Pick<OperationRecord, "isGivenUp">;
  readonly observe: (exchange: Exchange) => void;
  /** Called with each received body as soon as the body has arrived, even if it is incomplete. */
  readonly onBody?: (bytes: Uint8Array) => void;
  /** False if the run tested at least this many integrators, and the target knows none of them any more. */
  readonly knowsIntegrators: (least: number) => Promise<boolean>;
}

/** Sends requests, records exchanges, and waits for rate limits and outages. */
export class Transport {
  #targetLost: string | undefined;
  #machineError: MachineError | undefined;
  #hasLostData = false;
  #lastRequests: readonly SentRequest[] = [];
  #stopped: string | undefined;
  #answered: readonly AnsweredRequest[] = [];
  readonly #backoff = new RateLimitBackoff();
  readonly #inFlight = new InFlightLimit();
  readonly #pending = new Map<Promise<SentExchange>, OperationId>();
  readonly #outages: Outages<OutgoingRequest>;
  readonly #stateLoss: StateLossProbe;
  readonly #health: HealthProbe;
  readonly #sending: SendingObserver;
  private readonly deps: TransportDependencies;

  constructor(deps: TransportDependencies) {
    this.deps = deps;
    this.#stateLoss = new StateLossProbe((least) =>
      this.#inFlight.within(() => deps.knowsIntegrators(least), "first"),
    );
    this.#sending = {
      onBody: deps.onBody,
      noteLoss: (line) => this.#stateLoss.noteLoss(line),
      noteMachineError: (error) => this.noteMachineError(error),
    };
    this.#health = new HealthProbe({
      url: deps.healthUrl,
      address: deps.address,
      messageOf,
      noteMachineError: (error) => this.noteMachineError(error),
    });
    this.#outages = new Outages({
      // If this machine has run out of a resource, a missing response proves nothing about the target.
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
      hasData: () => deps.knowsIntegrators(1),
      describe: (request) =>
        `${requestLine(request)}${request.violates === undefined ? "" : ` (invalid on purpose: ${request.violates})`}`,
      describeAnswered: (request) => {
        const status = this.#answeredTo(request)?.exchange.response?.status;
        return status === undefined ? requestLine(request) : `${requestLine(request)} with ${status}`;
      },
      waiting: deps.waitingForTarget,
      outageEnded: deps.outageEnded,
    });
  }

  /** Set once this machine has run out of a resource. The run then sends no more requests. */
  get machineError(): MachineError | undefined {
    return this.#machineError;
  }

  noteMachineError(error: MachineError): void {
    this.#machineError ??= error;
  }

  /** The reason, once the target no longer responds at all. */
  get targetLost(): string | undefined {
    return this.#targetLost;
  }

  /** True if the target has lost its data, and so all objects that the run created. */
  get hasLostData(): boolean {
    return this.#hasLostData;
  }

  /** The requests that were pending when the target stopped responding for good. */
  get lastRequests(): readonly SentRequest[] {
    return this.#lastRequests;
  }

  get outages(): number {
    return this.#outages.count;
  }

  /** Stops sending. Every later request throws an error with the reason. */
  stop(why: string): void {
    this.#stopped ??= why;
  }

  async send(outgoing: OutgoingRequest, record: (exchange: Exchange) => void): Promise<Exchange> {
    let isSentAgain = false;
    for (let waits = 0; ; waits += 1) {
      await this.#outages.current;
      if (this.#machineError !== undefined) throw this.#machineError;
      const closed = this.#targetLost ?? this.#stopped;
      if (closed !== undefined) throw new CheckSkipped(closed);
      if (this.deps.operations.isGivenUp(outgoing.operation)) throw new OperationGivenUp(outgoing.operation);
      const { exchange, failure, isToRepeat } = await this.#judge(await this.#once(outgoing), outgoing);
      if (this.#machineError !== undefined) throw this.#machineError;
      if (isToRepeat) continue;
      try {
        record(exchange);
      } finally {
        this.deps.observe(exchange);
      }
      if (failure || !exchange.response) throw failure ?? new NoResponse(exchange);
      if (exchange.response.status !== 429) {
        this.#backoff.answered(outgoing);
        // Sends the request once more, like a request whose connection broke. A second failure is a disturbance
        // of the check.
        const isOneOff = isUnavailable(exchange.response.status) && isRetryable(outgoing);
        if (isOneOff && outgoing.honourLimits && !isSentAgain) {
          isSentAgain = true;
          continue;
        }
        const answered = { request: outgoing, exchange, record, at: monotonicNow() };
        this.#answered = [answered, ...this.#answered].slice(0, LAST_ANSWERED.most);
        return exchange;
      }
      if (!outgoing.honourLimits) return exchange;
      const asked = retryAfterMs(exchange.response.headers["retry-after"]) ?? 1000;
      const wait = this.#backoff.refused(outgoing, asked, waits);
      if (wait === undefined) return this.#stillLimited(outgoing, exchange);
      this.deps.waiting(wait, `the target responded with 429 to ${outgoing.operation}`, "429");
      await pause(wait);
    }
  }

  /**
   * Handles a 429 that repeats for two minutes. Only this run uses an integrator's limit, so such a 429 is the
   * target's response. Other programs may share the limit of this machine's IP address.
   * @throws CheckSkipped if the IP address's limit is the cause
   */
  #stillLimited({ operation, budgets, address }: OutgoingRequest, exchange: Exchange): Exchange {
    if (!budgets.includes(address.anonymous)) return exchange;
    const conclusion =
      address.localAddress === undefined
        ? "does another client use the limit of this IP address?"
        : `it counts requests of other source addresses towards the limit of ${address.localAddress}`;
    throw new CheckSkipped(
      `the target kept responding to ${operation} with 429 for two minutes: ${conclusion}`,
    );
  }

  #answeredTo(request: OutgoingRequest): AnsweredRequest | undefined {
    return this.#answered.find((answered) => answered.request === request);
  }

  async #once(outgoing: OutgoingRequest): Promise<SentExchange> {
    const leases: BudgetLease[] = [];
    for (const budget of outgoing.budgets) {
      leases.push(outgoing.keepsBudget ? await budget.take() : budget.spend());
    }
    return this.#inFlight.within(async () => {
      await this.#outages.current;
      const sent = this.#attemptAndProbe(outgoing, leases);
      this.#pending.set(sent, outgoing.operation);
      return sent.finally(() => this.#pending.delete(sent));
    }, outgoing.urgency);
  }

  /**
   * Sends a request. Without a response, tests whether the target is available. The test uses the request's
   * slot, so that later requests wait for the test's result.
   */
  async #attemptAndProbe(outgoing: OutgoingRequest, leases: BudgetLease[]): Promise<SentExchange> {
    const exchange = await sendOnce(outgoing, leases, this.#sending);
    if (!(await this.#isUnavailable(exchange))) return { exchange };
    return { exchange, outage: this.#outage(outgoing) };
  }

  /** Decides whether only this request got no response, or whether the target is unavailable. */
  async #judge(
    { exchange: seen, outage }: SentExchange,
    outgoing: OutgoingRequest,
  ): Promise<ExchangeVerdict> {
    if (outage === undefined) {
      const isLoss = seen.isRetried || seen.isConnectionLost;
      const lost = isLoss ? this.#giveUp(await this.#stateLoss.lostAfterLoss()) : undefined;
      if (lost !== undefined) return { exchange: seen, failure: new CheckSkipped(lost) };
      return seen.response ? { exchange: seen } : { exchange: seen, failure: new NoResponse(seen) };
    }
    const exchange = unanswered(seen);
    const { lost, hasLostData = false } = await outage;
    // A proxy responded instead of the target, and the target is available again, so the request is repeated.
    if (seen.response && lost === undefined && isRetryable(outgoing)) return { exchange, isToRepeat: true };
    const mayHaveStopped = (lost === undefined || hasLostData) && isReached(seen);
    const ended: Exchange = {
      ...exchange,
      isConnectionLost: true,
      ...(mayHaveStopped && { stoppedTarget: "before its answer" }),
    };
    return { exchange: ended, failure: lost === undefined ? new NoResponse(ended) : new CheckSkipped(lost) };
  }

  /** True if an exchange has no response, or that of a proxy or a stopping service, because the target is unavailable. */
  async #isUnavailable({ response }: Exchange): Promise<boolean> {
    if (this.#machineError !== undefined || (response && !mayBeUnavailable(response))) return false;
    if (this.#outages.current || this.#targetLost !== undefined) return true;
    return (await (response ? this.#health.reusedSilence() : this.#health.silence())) !== undefined;
  }

  /** Learns the target's health response, to recognise a proxy's response later. */
  async learnHealth(): Promise<void> {
    await this.#health.silence();
  }

  /**
   * @param why the reason to stop, for a target that lost its data; undefined to continue
   * @returns the first reason to stop
   */
  #giveUp(why: string | undefined): string | undefined {
    if (why === undefined) return undefined;
    this.#hasLostData ||= this.#targetLost === undefined;
    this.#targetLost ??= why;
    return this.#targetLost;
  }

  async #outage(suspect?: OutgoingRequest): Promise<Outage<OutgoingRequest>> {
    if (this.#targetLost !== undefined) return { suspects: [], answered: [], lost: this.#targetLost };
    const outage = await this.#outages.wait(suspect);
    if (outage.lost !== undefined && this.#targetLost === undefined) {
      this.#targetLost = outage.lost;
      this.#hasLostData = outage.hasLostData ?? false;
      const { suspects, answered } = outage;
      const before = [...suspects, ...answered];
      // An invalid request is a likelier cause of an outage than a valid one.
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
   * Waits until all pending requests have ended and their callers have resumed.
   * @param isIncluded selects operations. Defaults to all
   */
  async settled(isIncluded: (operation: OperationId) => boolean = () => true): Promise<void> {
    const included = [...this.#pending].filter(([, operation]) => isIncluded(operation));
    await Promise.allSettled(included.map(([sent]) => sent));
    await new Promise((resolve) => setImmediate(resolve));
  }

  /**
   * True if the target responds and still has its data. Waits for an unavailable target.
   * @param since when the caller's work started, on the monotonic clock
   */
  async isTargetUp(since: number): Promise<boolean> {
    if (this.#targetLost !== undefined || this.#machineError !== undefined) return false;
    const silence = await this.#inFlight.within(() => this.#health.silence(), "first");
    if (silence !== undefined && (await this.#outage()).lost !== undefined) return false;
    return this.#giveUp(await this.#stateLoss.lostSince(since, () => this.settled())) === undefined;
  }
}

/** True if a request without a response may have reached the target, even if the repeated request didn't. */
const isReached = ({ response, isUnsent, isRetried }: Exchange): boolean =>
  response ? !isNotServed(response) : isRetried === true || isUnsent !== true;
