import { connect } from "node:net";
import { monotonicNow, poll, wallClock } from "../../core/clock.ts";
import { CheckFailure, NotTestable } from "../../core/grading/failure.ts";
import { isSuccess } from "../../core/responses.ts";
import { SharedLock } from "../../core/shared-lock.ts";
import { keyOf } from "../../core/signing/webhook-signing.ts";
import { Redactor } from "../../core/text/redact.ts";
import { type Attempt, CONTENT_TYPE, type HeaderStyle, headersOf } from "./attempt.ts";
import { EffectsClient } from "./effects.ts";
import { HttpClient, NoReply, type Reply } from "./http-client.ts";
import { ANSWER_LIMIT_MS, type ReceiverTarget, secretsOf } from "./settings.ts";

/** One attempt and what came of it. */
export interface DeliveryRecord {
  readonly attempt: Attempt;
  readonly headers: Readonly<Record<string, string>>;
  /** What is wrong with it on purpose; undefined for a genuine one. */
  readonly violates: string | undefined;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly reply: Reply | undefined;
  /** Why no answer came. */
  readonly failure: string | undefined;
}

/** The connection was lost: by this request, or by another one at the same time. */
export class ConnectionLost extends CheckFailure {}

/** As many requests in a row without an answer, and the receiver counts as gone. */
const MAX_SILENCES = 3;
const CONNECT_MS = 1_000;

export interface ReceiverSessionOptions {
  /** Sees every attempt of the run. */
  readonly observe?: (delivered: DeliveryRecord) => void;
  readonly wire?: boolean;
}

/** One run's dealings with a receiver. */
export class ReceiverSession {
  readonly target: ReceiverTarget;
  readonly key: Buffer;
  readonly redact = new Redactor();
  readonly effects: EffectsClient | undefined;
  /** Held by checks while they run: alone by those that need the receiver for themselves. */
  readonly lock = new SharedLock();
  readonly #http: HttpClient;
  #requests = 0;
  #silences = 0;
  #lost: string | undefined;
  #contentType = CONTENT_TYPE;
  readonly #taken = new Set<string>();

  readonly #observe: (delivered: DeliveryRecord) => void;

  /** Whether all that a check sends and gets is kept for the report. */
  readonly keepsWire: boolean;

  constructor(target: ReceiverTarget, { observe = () => {}, wire = false }: ReceiverSessionOptions = {}) {
    this.target = target;
    this.#observe = observe;
    this.keepsWire = wire;
    this.key = keyOf(target.secret);
    this.redact.add(...secretsOf(target));
    this.effects = target.effectsUrl === undefined ? undefined : new EffectsClient(target.effectsUrl, target);
    this.#http = new HttpClient(target.url);
  }

  /** Requests of the whole run up to now. */
  get requests(): number {
    return this.#requests;
  }

  /** The webhook-ids of the genuine events that were answered with a 2xx up to now. */
  get taken(): readonly string[] {
    return [...this.#taken];
  }

  /** From now on events are sent with this content type, where none in particular is asked for. */
  useContentType(contentType: string): void {
    this.#contentType = contentType;
  }

  /** Why a need can't be met; undefined where it can. */
  missingPrerequisite(need: "effects"): string | undefined {
    return this[need] === undefined
      ? "what the receiver does with an event can't be seen: give its effects interface with --effects"
      : undefined;
  }

  /**
   * Sends one attempt and gives the answer.
   * @throws CheckFailure where none comes; NotTestable where the receiver is gone for good
   */
  async deliver(
    attempt: Attempt,
    record: (delivered: DeliveryRecord) => void,
    { violates, names, contentType = this.#contentType }: HeaderStyle & { violates?: string } = {},
  ): Promise<Reply> {
    if (this.#lost !== undefined) throw new NotTestable(this.#lost);
    this.#requests += 1;
    const headers = headersOf(attempt, { names, contentType });
    const startedAt = wallClock();
    const start = monotonicNow();
    const delivered = (reply: Reply | undefined, failure?: string) => {
      const durationMs = monotonicNow() - start;
      const one = { attempt, headers, violates, startedAt, durationMs, reply, failure };
      record(one);
      this.#observe(one);
    };
    try {
      const reply = await this.#http.post(headers, attempt.body, this.target.answerMs);
      this.#silences = 0;
      if (violates === undefined && attempt.id !== undefined && isSuccess(reply)) this.#taken.add(attempt.id);
      delivered(reply);
      return reply;
    } catch (error) {
      if (!(error instanceof NoReply)) throw error;
      delivered(undefined, error.message);
      throw await this.#unanswered(error);
    }
  }

  async #unanswered({ how, message }: NoReply): Promise<Error> {
    if (how === "silent") {
      this.#silences += 1;
      if (this.#silences >= MAX_SILENCES) {
        this.#lost = `the receiver answers nothing any more (${message}, ${MAX_SILENCES} times in a row)`;
      }
      const { answerMs, limitMs } = this.target;
      return answerMs < limitMs
        ? new NotTestable(
            `${message} (--timeout); the specification allows ${ANSWER_LIMIT_MS / 1000} s: raise it`,
          )
        : new CheckFailure(`the receiver gave no answer in time: ${message}`, {
            expected: `an answer within ${limitMs / 1000} s`,
            actual: message,
          });
    }
    if (await this.#listens()) {
      return new ConnectionLost("the receiver closed the connection without an answer", {
        expected: "an answer",
        actual: message,
      });
    }
    const { returnMs } = this.target;
    const back = await poll(async () => ((await this.#listens()) ? true : undefined), { within: returnMs });
    if (!back) {
      this.#lost ??= `the receiver went down and did not come back within ${returnMs / 1000} s`;
    }
    return new ConnectionLost(
      `the receiver went down: after this request nothing listened at its address${back ? "; it came back, and the rest goes on" : ""}`,
      { expected: "an answer", actual: message },
    );
  }

  /** Whether something takes connections at the receiver's address. */
  #listens(): Promise<boolean> {
    const { hostname, port, protocol } = new URL(this.target.url);
    return new Promise((resolve) => {
      const socket = connect({
        host: hostname.replace(/^\[|\]$/g, ""),
        port: Number(port) || (protocol === "https:" ? 443 : 80),
        timeout: CONNECT_MS,
      });
      const end = (listens: boolean) => {
        socket.destroy();
        resolve(listens);
      };
      socket.once("connect", () => end(true));
      socket.once("timeout", () => end(false));
      socket.once("error", () => end(false));
    });
  }

  close(): void {
    this.#http.close();
  }
}
