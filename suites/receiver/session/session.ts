import { monotonicNow, poll, wallClock } from "../../core/clock.ts";
import { CheckFailure, NotTestable } from "../../core/grading/failure.ts";
import { happened, type Mismatch } from "../../core/grading/mismatch.ts";
import { isSuccess } from "../../core/responses.ts";
import { SharedLock } from "../../core/shared-lock.ts";
import { keyOf } from "../../core/signing/webhook-signing.ts";
import { Redactor } from "../../core/text/redact.ts";
import { type Attempt, CONTENT_TYPE, type HeaderStyle, headersOf, newAttempt, piecesOf } from "./attempt.ts";
import { ConnectionClosed, ConnectionLost } from "./connection-lost.ts";
import { type DeliveryRecord, type RecordDelivery, whatIs } from "./delivery-record.ts";
import { EffectsClient } from "./effects.ts";
import { sampleEvent } from "./events.ts";
import { HttpClient, NoReply, type Reply } from "./http-client.ts";
import { listensAt } from "./listens-at.ts";
import { ANSWER_LIMIT_MS, type ReceiverTarget, secretsOf } from "./settings.ts";
import { GatewayWatch } from "./turned-away.ts";

/** A request under way, with a mark if another one was under way meanwhile. */
interface UnderWay {
  readonly what: string;
  isShared: boolean;
}

/** Sends an attempt once, and gives the answer. @throws NoReply */
type Send = () => Promise<Reply>;

/** Examines the earlier answers before a receiver was found down. */
type LookBack = (reply: Reply, downAt: number) => Promise<void>;

/** An attempt that was answered while nothing else was under way. */
interface Answered {
  readonly what: string;
  readonly send: Send;
  readonly status: number;
  /** The record of the check that sent it. */
  readonly record: RecordDelivery;
  readonly answeredAt: number;
}

/** Consecutive requests without an answer after which the receiver counts as gone. */
const MAX_SILENCES = 3;
/**
 * Time after an answer within which a receiver may end, milliseconds: twice the first measured time, within these
 * bounds.
 */
const END_AFTER_ANSWER = { least: 150, most: 2_000 };
const LOOK_EVERY_MS = 10;
/** Number of outages that are reported one by one. The end of the run reports the rest together. */
const MAX_TOLD_OUTAGES = 5;
/** Number of earlier answered attempts that are sent again: several may be answered before a process has ended. */
const MAX_BEFORE = 3;

export interface ReceiverSessionOptions {
  /** Sees every attempt of the run. */
  readonly observe?: (delivered: DeliveryRecord) => void;
  readonly wire?: boolean;
  /** Reports a line to the person who runs the suite. */
  readonly notice?: (line: string) => void;
}

/** A connection that ended without an answer. */
const lost = (statement: string, actual: string): Mismatch =>
  happened(statement, { expected: "an answer, and a receiver that goes on", actual });

/** One run's dealings with a receiver. */
export class ReceiverSession {
  readonly target: ReceiverTarget;
  readonly key: Buffer;
  readonly redact = new Redactor();
  readonly effects: EffectsClient | undefined;
  /** A lock that running checks hold; exclusive for checks that need the receiver alone. */
  readonly lock = new SharedLock();
  readonly #http: HttpClient;
  #requests = 0;
  #silences = 0;
  #lost: string | undefined;
  #outages = 0;
  /** Resolves once a receiver that is down is back or given up. */
  #return: Promise<boolean> | undefined;
  /** The last attempts of one check that were answered, the latest first, while nothing else was under way. */
  #before: readonly Answered[] = [];
  readonly #underWay = new Set<UnderWay>();
  #contentType = CONTENT_TYPE;
  readonly #taken = new Set<string>();
  readonly #turnedAway: GatewayWatch;
  readonly #observe: (delivered: DeliveryRecord) => void;
  readonly #notice: (line: string) => void;

  /** True if the report keeps all requests and answers of a check. */
  readonly keepsWire: boolean;

  constructor(
    target: ReceiverTarget,
    { observe = () => {}, wire = false, notice = () => {} }: ReceiverSessionOptions = {},
  ) {
    this.target = target;
    this.#notice = notice;
    this.#observe = observe;
    this.keepsWire = wire;
    this.key = keyOf(target.secret);
    this.redact.add(...secretsOf(target));
    this.effects = target.effectsUrl === undefined ? undefined : new EffectsClient(target.effectsUrl, target);
    this.#http = new HttpClient(target.url);
    this.#turnedAway = new GatewayWatch({
      requests: () => this.#requests,
      hasTakenAny: () => this.#taken.size > 0,
      sendGenuine: () => this.#sendGenuine(),
      answerMs: target.answerMs,
    });
  }

  /** Requests of the whole run up to now. */
  get requests(): number {
    return this.#requests;
  }

  /** The webhook-ids of the genuine events that were answered with a 2xx up to now. */
  get taken(): readonly string[] {
    return [...this.#taken];
  }

  /** Sets the content type of later events, unless a particular one is requested. */
  useContentType(contentType: string): void {
    this.#contentType = contentType;
  }

  /** True if the receiver is gone for good: nothing more is sent. */
  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** Number of outages in this run that were waited out. */
  get outages(): number {
    return this.#outages;
  }

  /** The reason why a need can't be met. Undefined if it can. */
  missingPrerequisite(need: "effects"): string | undefined {
    return this[need] === undefined
      ? "what the receiver does with an event can't be seen: give its effects interface with --effects"
      : undefined;
  }

  /**
   * Sends one attempt and returns the answer. If the receiver goes down at it, comes back and nothing else was under
   * way, the attempt is sent once more: a restart in the middle of a run is no fault.
   * @throws CheckFailure if no answer comes, or everything is turned away; NotTestable if the receiver is gone for good
   */
  async deliver(
    attempt: Attempt,
    record: RecordDelivery,
    style: HeaderStyle & { violates?: string } = {},
  ): Promise<Reply> {
    return this.#turnedAway.watch(() => this.#deliver(attempt, record, style));
  }

  /** The answer to a genuine event that belongs to no check. Undefined if none comes. */
  async #sendGenuine(): Promise<Reply | undefined> {
    const attempt = newAttempt(this.key, sampleEvent(this.target));
    try {
      return await this.#sendOnce(
        attempt,
        headersOf(attempt, { contentType: this.#contentType }),
        undefined,
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
    { violates, names, contentType = this.#contentType }: HeaderStyle & { violates?: string },
  ): Promise<Reply> {
    if (this.#lost !== undefined) throw new NotTestable(this.#lost);
    const headers = headersOf(attempt, { names, contentType });
    const send = () => this.#sendOnce(attempt, headers, violates, record);
    const isShared = this.#underWay.size > 0;
    for (const other of this.#underWay) other.isShared = true;
    const own: UnderWay = { what: whatIs(attempt, violates), isShared };
    const { what } = own;
    const answered = ({ status }: Reply) => ({ what, send, status, record, answeredAt: monotonicNow() });
    const before = this.#beforeOf(record);
    this.#underWay.add(own);
    try {
      const reply = await this.#answerOf(own, send, async (again, downAt) => {
        if (before.length === 0) return;
        const all = (await this.#goesDown(END_AFTER_ANSWER.least)) ? [answered(again), ...before] : before;
        await this.#expectToOutlive(all, downAt);
      });
      this.#before = own.isShared ? [] : [answered(reply), ...before].slice(0, MAX_BEFORE);
      return reply;
    } finally {
      this.#underWay.delete(own);
    }
  }

  #beforeOf(record: RecordDelivery): readonly Answered[] {
    return this.#before[0]?.record === record ? this.#before : [];
  }

  /**
   * The answer to an attempt.
   * @param lookBack runs once it came, if the receiver had been down before
   */
  async #answerOf(own: UnderWay, send: Send, lookBack: LookBack): Promise<Reply> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof NoReply)) throw error;
      return await this.#unanswered(error, own, send, lookBack);
    }
  }

  async #sendOnce(
    attempt: Attempt,
    headers: Readonly<Record<string, string>>,
    violates: string | undefined,
    record: RecordDelivery,
  ): Promise<Reply> {
    this.#requests += 1;
    const startedAt = wallClock();
    const start = monotonicNow();
    const delivered = (reply: Reply | undefined, failure?: string) => {
      const durationMs = monotonicNow() - start;
      const one = { attempt, headers, violates, startedAt, durationMs, reply, failure };
      record(one);
      this.#observe(one);
    };
    try {
      const reply = await this.#http.post(headers, piecesOf(attempt), this.target.answerMs);
      this.#silences = 0;
      if (violates === undefined && attempt.id !== undefined && isSuccess(reply)) this.#taken.add(attempt.id);
      delivered(reply);
      return reply;
    } catch (error) {
      if (error instanceof NoReply) delivered(undefined, error.message);
      throw error;
    }
  }

  /** Handles a request without an answer: returns the answer to its repetition, or throws a finding. */
  async #unanswered(
    { how, message }: NoReply,
    own: UnderWay,
    send: Send,
    lookBack: LookBack,
  ): Promise<Reply> {
    if (how === "silent") {
      this.#silences += 1;
      if (this.#silences >= MAX_SILENCES) {
        this.#lost = `the receiver answers nothing any more (${message}, ${MAX_SILENCES} times in a row)`;
      }
      const { answerMs, limitMs } = this.target;
      throw answerMs < limitMs
        ? new NotTestable(
            `${message} (the timeout); the specification allows ${ANSWER_LIMIT_MS / 1000} s: raise it`,
          )
        : new CheckFailure(`the receiver gave no answer in time: ${message}`, {
            expected: `an answer within ${limitMs / 1000} s`,
            actual: message,
            endsCheck: true,
          });
    }
    if (await this.#listens()) {
      throw new ConnectionClosed(
        lost("the receiver closed the connection without an answer", message),
        !own.isShared,
      );
    }
    const suspects = [...this.#underWay].map(({ what }) => what);
    const downAt = monotonicNow();
    const isBack = await this.#comesBack(suspects);
    if (isBack && !own.isShared) {
      const reply = await this.#onceMore(own, send);
      await lookBack(reply, downAt);
      return reply;
    }
    throw new ConnectionLost(
      lost(
        `the receiver went down: after ${own.what} nothing listened at its address${isBack ? "; it came back, and the rest goes on" : ""}`,
        message,
      ),
      !own.isShared,
    );
  }

  /** Repeats the request at which a receiver went down: if it goes down again, this request is the cause. */
  async #onceMore(own: UnderWay, send: Send): Promise<Reply> {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof NoReply)) throw error;
      const isBack = (await this.#listens()) || (await this.#comesBack([own.what]));
      throw new ConnectionLost(
        lost(
          `the receiver went down at ${own.what}, and once more when that was sent again${isBack ? "; it came back, and the rest goes on" : ""}`,
          error.message,
        ),
        true,
      );
    }
  }

  /**
   * Repeats the requests that a receiver had answered before it was found down, one by one. If it goes down at both
   * repetitions of one, that request ends it, after its answer.
   * @throws ConnectionLost if one does
   */
  async #expectToOutlive(before: readonly Answered[], downAt: number): Promise<void> {
    await this.untilBack();
    // No further test is possible, so nothing is blamed.
    if (this.isLost) return;
    for (const answered of before) {
      if ((await this.#endsAt(answered, downAt)) && (await this.#endsAt(answered, downAt))) {
        const { what, status } = answered;
        throw new ConnectionLost(
          lost(
            `the receiver answered ${what} with ${status} and went down, and did so whenever that was sent again${this.isLost ? "" : "; it came back, and the rest goes on"}`,
            `${status}, and then nothing listened at its address`,
          ),
          true,
        );
      }
    }
  }

  /** True if the receiver goes down when this is sent again. Waits for it to come back. */
  async #endsAt({ send, answeredAt }: Answered, downAt: number): Promise<boolean> {
    if (this.isLost) return true;
    try {
      await send();
    } catch (error) {
      if (!(error instanceof NoReply)) throw error;
    }
    const { least, most } = END_AFTER_ANSWER;
    if (!(await this.#goesDown(Math.min(most, Math.max(least, 2 * (downAt - answeredAt)))))) return false;
    await this.#comesBack([]);
    return true;
  }

  async #goesDown(within: number): Promise<boolean> {
    const gone = () => this.#listens().then((listens) => (listens ? undefined : true));
    return (await poll(gone, { within, every: LOOK_EVERY_MS })) ?? false;
  }

  /**
   * Waits for a receiver whose effects interface doesn't answer, and tests if the check's last attempts end it.
   * @returns true if it was down and is back, so that the request may be repeated
   * @throws ConnectionLost if one of them ends it
   */
  async recover(record: RecordDelivery): Promise<boolean> {
    const before = this.#beforeOf(record);
    const [last] = before;
    if (last === undefined || this.#underWay.size > 0 || (await this.#listens())) return false;
    const downAt = monotonicNow();
    if (!(await this.#comesBack([last.what]))) return false;
    await this.#expectToOutlive(before, downAt);
    return true;
  }

  /** Waits for a receiver that is down before the test if this check was the cause. */
  async untilBack(): Promise<void> {
    if (this.#lost === undefined && !(await this.#listens())) await this.#comesBack([]);
  }

  /**
   * Waits for a receiver that went down. Requests that find it down at the same time wait together.
   * @param suspects the requests under way then, in words
   */
  async #comesBack(suspects: readonly string[]): Promise<boolean> {
    this.#return ??= this.#waitForReturn(suspects);
    try {
      return await this.#return;
    } finally {
      this.#return = undefined;
    }
  }

  async #waitForReturn([first = "a request", ...others]: readonly string[]): Promise<boolean> {
    const { returnMs } = this.target;
    this.#outages += 1;
    const start = monotonicNow();
    const [last] = this.#before;
    const more = others.length === 0 ? "" : `, or at one of ${others.length} that were under way with it,`;
    const wentDown = `the receiver went down at ${first}${more}`;
    const back = await poll(async () => ((await this.#listens()) ? true : undefined), { within: returnMs });
    if (!back) {
      this.#lost ??= `${wentDown} and did not come back within ${returnMs / 1000} s`;
      return false;
    }
    if (this.#outages <= MAX_TOLD_OUTAGES) {
      const answered = last === undefined ? "" : ` (${last.what} had been answered with ${last.status})`;
      const seconds = ((monotonicNow() - start) / 1000).toFixed(1);
      this.#notice(`${wentDown}${answered} and was back ${seconds} s later`);
    }
    return true;
  }

  #listens(): Promise<boolean> {
    return listensAt(this.target.url);
  }

  close(): void {
    if (this.#outages > MAX_TOLD_OUTAGES)
      this.#notice(`the receiver went down ${this.#outages} times in all`);
    this.#http.close();
  }
}
