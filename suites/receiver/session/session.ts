import { monotonicNow, wallClock } from "../../core/clock.ts";
import { LatenessSampler } from "../../core/confirmation/lateness.ts";
import { DisturbanceLog } from "../../core/confirmation/log.ts";
import { CheckFailure, CheckSkipped } from "../../core/grading/failures/failure.ts";
import { forbiddenObservation, type Mismatch } from "../../core/grading/failures/mismatch.ts";
import { isSuccess } from "../../core/responses.ts";
import { SharedLock } from "../../core/shared-lock.ts";
import { keyOf } from "../../core/signing/webhook-signing.ts";
import { Redactor } from "../../core/text/redact.ts";
import {
  type Attempt,
  CONTENT_TYPE,
  type DeliverOptions,
  headersOf,
  newAttempt,
  piecesOf,
} from "./attempt.ts";
import { GatewayWatch } from "./blocked-by-gateway.ts";
import type { Foundation } from "./blocking-failure.ts";
import { ConnectionClosed, ConnectionLost } from "./connection-lost.ts";
import { type DeliveryRecord, describeAttempt, type RecordDelivery } from "./delivery-record.ts";
import { EffectsClient } from "./effects.ts";
import { sampleEvent } from "./events.ts";
import { HttpClient, NoReply, type Reply } from "./http-client.ts";
import { listensAt } from "./outages/listens-at.ts";
import { type Outage, ReceiverOutages } from "./outages/outages.ts";
import { ANSWER_LIMIT_MS, type ReceiverTarget, secretsOf } from "./settings.ts";

/** A pending request, and whether another request was pending at the same time. */
interface PendingRequest {
  readonly what: string;
  /** Milliseconds on the monotonic clock. */
  readonly startedAt: number;
  isShared: boolean;
}

/** After this many consecutive requests without a response, the receiver counts as stopped. */
const MAX_SILENCES = 3;

export interface ReceiverSessionOptions {
  /** Called with every attempt of the run. */
  readonly observe?: (delivered: DeliveryRecord) => void;
  readonly wire?: boolean;
  readonly notice?: (line: string) => void;
  /** True if the receiver runs in this process. Delays of the suite then also delay the receiver. */
  readonly isInProcess?: boolean;
}

/** A mismatch for a connection that ended without a response. */
const lost = (statement: string, actual: string): Mismatch =>
  forbiddenObservation(statement, { expected: "a response, and a receiver that keeps running", actual });

/** The state of one run on a receiver. */
export class ReceiverSession {
  readonly target: ReceiverTarget;
  readonly key: Buffer;
  readonly redact = new Redactor();
  readonly effects: EffectsClient | undefined;
  /** Exclusive checks hold this lock alone. All other checks share it. */
  readonly lock = new SharedLock();
  /** Disturbances that affect all checks. */
  readonly disturbances = new DisturbanceLog();
  readonly #http: HttpClient;
  #requests = 0;
  #silences = 0;
  /** When the last request without a response ended, on the monotonic clock. */
  #silentUntil = Number.NEGATIVE_INFINITY;
  readonly #outages: ReceiverOutages;
  readonly #lateness: LatenessSampler | undefined;
  readonly #underWay = new Set<PendingRequest>();
  #contentType = CONTENT_TYPE;
  readonly #accepted = new Set<string>();
  readonly #firstAccepted = Promise.withResolvers<void>();
  readonly #gatewayWatch: GatewayWatch;
  readonly #observe: (delivered: DeliveryRecord) => void;

  /** True if the report contains all exchanges of a check. */
  readonly keepsWire: boolean;

  constructor(
    target: ReceiverTarget,
    { observe = () => {}, wire = false, notice = () => {}, isInProcess = false }: ReceiverSessionOptions = {},
  ) {
    this.target = target;
    this.#outages = new ReceiverOutages({
      listens: () => listensAt(target.url),
      notice,
      returnMs: target.returnMs,
    });
    this.#observe = observe;
    this.keepsWire = wire;
    this.#lateness = isInProcess ? undefined : new LatenessSampler(this.disturbances);
    this.key = keyOf(target.secret);
    this.redact.add(...secretsOf(target));
    this.effects =
      target.effectsUrl === undefined
        ? undefined
        : new EffectsClient(target.effectsUrl, target, () => this.#isBack());
    this.#http = new HttpClient(target.url);
    this.#gatewayWatch = new GatewayWatch({
      requests: () => this.#requests,
      hasAcceptedAny: () => this.#accepted.size > 0,
      sendGenuine: () => this.#sendGenuine(),
      answerMs: target.answerMs,
    });
  }

  /** The number of requests that the run has sent. */
  get requests(): number {
    return this.#requests;
  }

  /** The webhook-ids of the genuine events that got a 2xx. */
  get acceptedIds(): readonly string[] {
    return [...this.#accepted];
  }

  /**
   * Resolves once the receiver has shown that a prerequisite of other checks is met. Never resolves otherwise.
   */
  whenMet(foundation: Foundation): Promise<void> {
    if (foundation === "responses") return this.#firstAccepted.promise;
    return this.effects?.firstEffect ?? new Promise(() => {});
  }

  /** Sets the content type of later events that don't specify one. */
  useContentType(contentType: string): void {
    this.#contentType = contentType;
  }

  /** True if the receiver has stopped for good. The run then sends no more requests. */
  get isLost(): boolean {
    return this.#outages.lost !== undefined;
  }

  get outages(): readonly Outage[] {
    return this.#outages.all;
  }

  /** Why the receiver lacks a capability. Undefined if the receiver has it. */
  missingPrerequisite(need: "effects"): string | undefined {
    return this[need] === undefined
      ? "the effects of events are unknown: give the URL of the effects interface with --effects"
      : undefined;
  }

  /**
   * Sends an attempt and returns the response. If the receiver is down, sends the attempt again once the
   * receiver is back.
   * @throws CheckFailure without a response, or if every request is refused; CheckSkipped if the receiver has
   * stopped for good
   */
  async deliver(attempt: Attempt, record: RecordDelivery, options: DeliverOptions = {}): Promise<Reply> {
    return this.#gatewayWatch.watch(() => this.#deliver(attempt, record, options));
  }

  /** Sends a genuine event outside all checks. Resolves to undefined without a response. */
  async #sendGenuine(): Promise<Reply | undefined> {
    const attempt = newAttempt(this.key, sampleEvent(this.target));
    try {
      return await this.#sendOnce(
        attempt,
        headersOf(attempt, { contentType: this.#contentType }),
        {},
        () => {},
      );
    } catch (error) {
      if (!(error instanceof NoReply)) throw error;
      return undefined;
    }
  }

  async #deliver(
    attempt: Attempt,
    record: RecordDelivery,
    { names, contentType = this.#contentType, ...options }: DeliverOptions,
  ): Promise<Reply> {
    if (this.#outages.lost !== undefined) throw new CheckSkipped(this.#outages.lost);
    const headers = headersOf(attempt, { names, contentType });
    const send = () => this.#sendOnce(attempt, headers, options, record);
    await this.#outages.current;
    const isShared = this.#underWay.size > 0;
    for (const other of this.#underWay) other.isShared = true;
    const own: PendingRequest = {
      what: describeAttempt(attempt, options.violates),
      startedAt: monotonicNow(),
      isShared,
    };
    this.#underWay.add(own);
    try {
      return await this.#answerOf(own, send);
    } catch (error) {
      throw error instanceof NoReply ? await this.#unanswered(error, own) : error;
    } finally {
      this.#underWay.delete(own);
    }
  }

  /**
   * Sends a request, and returns the response.
   * @throws NoReply
   */
  async #answerOf({ what }: PendingRequest, send: () => Promise<Reply>): Promise<Reply> {
    try {
      return await send();
    } catch (error) {
      const isUnsent = error instanceof NoReply && error.how === "unreachable";
      if (isUnsent && (await this.#outages.pass(() => [what])) === "back") return send();
      throw error;
    }
  }

  async #sendOnce(
    attempt: Attempt,
    headers: Readonly<Record<string, string>>,
    { violates, ownConnection = violates !== undefined }: Pick<DeliverOptions, "violates" | "ownConnection">,
    record: RecordDelivery,
  ): Promise<Reply> {
    this.#requests += 1;
    const startedAt = wallClock();
    const start = monotonicNow();
    const delivered = (reply: Reply | undefined, failure?: string) => {
      const durationMs = monotonicNow() - start;
      const one = { attempt, headers, violates, startedAt, durationMs, reply, failure };
      if (reply) this.#outages.recordAnswer(one);
      record(one);
      this.#observe(one);
    };
    try {
      // Uses a new connection if requested, because receivers often close the connection of a refused request.
      const options = { timeoutMs: this.target.answerMs, fresh: ownConnection };
      const reply = await this.#http.post(headers, piecesOf(attempt), options);
      this.#silences = 0;
      if (violates === undefined && attempt.id !== undefined && isSuccess(reply)) {
        this.#accepted.add(attempt.id);
        this.#firstAccepted.resolve();
      }
      delivered(reply);
      return reply;
    } catch (error) {
      if (error instanceof NoReply) delivered(undefined, error.message);
      throw error;
    }
  }

  /** Returns the finding about a request without a response, once a stopped receiver is back. */
  async #unanswered({ how, message }: NoReply, own: PendingRequest): Promise<Error> {
    if (how === "silent") return this.#silence(message, own);
    const outage = await this.#outages.pass(() => [...this.#underWay].map((pending) => pending.what));
    if (outage === "never") {
      return new ConnectionClosed(
        { subject: "an answer of the receiver", relation: "to arrive", note: message },
        !own.isShared,
      );
    }
    // If the receiver has stopped for good, a request that didn't reach the receiver proves nothing. Nor does a
    // request that was pending together with other checks' requests.
    const isOfSeveralChecks = own.isShared && !this.lock.isExclusive;
    const { lost: givenUp } = this.#outages;
    if (givenUp !== undefined && (how === "unreachable" || isOfSeveralChecks))
      return new CheckSkipped(givenUp);
    return new ConnectionLost(
      lost(
        `the receiver went down: after ${own.what}${own.isShared ? ", or another pending request," : ""} nothing listened at its address${outage === "back" ? "; it came back, and the run continues" : ""}`,
        message,
      ),
      !own.isShared,
      { isStale: how === "stale" },
    );
  }

  #silence(message: string, { startedAt }: PendingRequest): Error {
    // Concurrent requests count as one, because a short interruption affects all of them.
    if (startedAt >= this.#silentUntil) this.#silences += 1;
    this.#silentUntil = monotonicNow();
    if (this.#silences >= MAX_SILENCES) {
      this.#outages.lost = `the receiver no longer responds (${message}, ${MAX_SILENCES} times in a row)`;
    }
    const { answerMs, limitMs } = this.target;
    return answerMs < limitMs
      ? new CheckSkipped(
          `${message} (the timeout); the specification allows ${ANSWER_LIMIT_MS / 1000} s: raise it`,
        )
      : new CheckFailure(
          {
            subject: "an answer of the receiver",
            relation: "to arrive",
            expected: `within ${limitMs / 1000} s`,
            actual: message,
          },
          { kind: "time", endsCheck: true },
        );
  }

  /**
   * Waits for a receiver whose effects interface doesn't respond. Returns true if the receiver was down and is
   * back.
   */
  async #isBack(): Promise<boolean> {
    return (await this.#outages.pass(() => [])) === "back";
  }

  /** Waits until a stopped receiver is back. */
  async untilBack(): Promise<void> {
    await this.#isBack();
  }

  close(): void {
    this.#outages.reportCount();
    this.#lateness?.close();
    this.#http.close();
  }
}
