import { monotonicNow, pause, wallClock } from "../../../core/clock.ts";
import { answeredInItsPlace, type Silence } from "./silence.ts";

/** Time that a target may take to come back, milliseconds: a supervisor's restart and a margin. */
const PATIENCE_MS = 15_000;
/** The same with a balancer that answers for the target: an operator who replaces a service also brings it back. */
const STAND_IN_PATIENCE_MS = 30_000;
const LOOK_MS = 200;
/**
 * Number of successful answers in a row that end an outage behind a proxy: while instances are replaced, answers
 * alternate.
 */
const STEADY_LOOKS = 4;
/** Time within which a target may end after an answer, milliseconds. */
const END_AFTER_ANSWER_MS = 150;
const LOOK_FOR_END_MS = 50;
/** A target that goes down at random hardly does so this often right after the same request. */
const REPETITIONS = 2;
const SEARCH =
  "sending the last requests before the target stopped again, one by one, to find the one that stops it";
const AGAIN = ", and again when that was sent alone";
/** A target that stops this often is left alone. */
const MOST_OUTAGES = 20;

export interface OutageParts<Request> {
  /** The reason why the target doesn't answer at the health endpoint. Undefined if it does. */
  readonly silence: () => Promise<Silence | undefined>;
  /** Resolves once all that was under way has ended. */
  readonly settled: () => Promise<unknown>;
  /**
   * Sends a request once more and waits for its end.
   * @returns true if it can have reached the target
   */
  readonly resend: (request: Request) => Promise<boolean>;
  /** The target's most recent answers before now, the latest first. */
  readonly answered: () => readonly Request[];
  /** Receives an answered request that ended the target each time that it was sent. */
  readonly endedAfter: (request: Request) => void;
  /** True if the target still has its earlier data. */
  readonly remembers: () => Promise<boolean>;
  readonly describe: (request: Request) => string;
  /** The same with the answer. */
  readonly describeAnswered: (request: Request) => string;
  /** Receives the reason of a wait. */
  readonly waiting: (why: string) => void;
  /** Receives each outage, and the request that ends the target. */
  readonly wentDown: (line: string) => void;
  readonly patienceMs?: number;
}

/** The result of an outage. */
export interface Outage<Request> {
  /** The request that ended the target, and did so again when it was sent alone. Undefined if there is none. */
  readonly culprit?: Request;
  /** The reason to send no more to the target. Undefined if the run goes on. */
  readonly lost?: string;
  /** True if the reason is that it came back without its data. */
  readonly hasForgotten?: boolean;
  /** Requests under way when the target stopped. */
  readonly suspects: readonly Request[];
  /** Requests answered just before. */
  readonly answered: readonly Request[];
}

/**
 * An outage of the target in the middle of a run, ended by a restart from outside. Requests that were under way are
 * sent again one by one to find the request that stops the target, then those answered just before. The run goes on if
 * the target still has its data.
 */
export class Outages<Request> {
  #count = 0;
  #suspects: Request[] = [];
  #underWay: Promise<Outage<Request>> | undefined;
  private readonly parts: OutageParts<Request>;

  constructor(parts: OutageParts<Request>) {
    this.parts = parts;
  }

  /** Number of outages so far. */
  get count(): number {
    return this.#count;
  }

  /** The one that isn't over: nothing new is sent before. */
  get underWay(): Promise<unknown> | undefined {
    return this.#underWay;
  }

  /**
   * Waits until the target is back, or given up.
   * @param suspect a request that it left without an answer
   */
  wait(suspect?: Request): Promise<Outage<Request>> {
    if (suspect !== undefined) this.#suspects.push(suspect);
    this.#underWay ??= this.#pass();
    return this.#underWay;
  }

  async #pass(): Promise<Outage<Request>> {
    this.#count += 1;
    const answered = this.parts.answered();
    const start = monotonicNow();
    const from = wallClock();
    try {
      const { first, last } = await this.#untilBack();
      await this.parts.settled();
      const suspects = [...this.#suspects];
      const standIn = (last ?? first)?.proxyPage;
      const seen =
        standIn === undefined ? this.#stopped(suspects) : answeredInItsPlace(standIn, from, wallClock());
      const told = `${seen}${standIn === undefined ? this.#after(answered) : ""}`;
      const lost = this.#lost(told, last);
      if (lost !== undefined) return { suspects, answered, lost };
      const seconds = ((monotonicNow() - start) / 1000).toFixed(1);
      const back =
        standIn === undefined ? `and was back ${seconds} s later` : "and then the target did again";
      this.parts.wentDown(`${told}, ${back}`);
      return { suspects, answered, ...(await this.#findCulprit(suspects, answered)) };
    } finally {
      this.#suspects = [];
      this.#underWay = undefined;
    }
  }

  /** The reason to give the target up before any repetition. Undefined if there is none. */
  #lost(told: string, silence: Silence | undefined): string | undefined {
    if (silence?.proxyPage !== undefined) return `${told}, and the target wasn't back by then`;
    if (silence !== undefined) return `${told} (${silence.why}), and wasn't back ${this.#patience} later`;
    if (this.#count > MOST_OUTAGES) return `${told}, as it had ${MOST_OUTAGES} times before`;
    return undefined;
  }

  async #findCulprit(
    suspects: readonly Request[],
    answered: readonly Request[],
  ): Promise<Pick<Outage<Request>, "culprit" | "lost" | "hasForgotten">> {
    if (suspects.length + answered.length > 0) this.parts.waiting(SEARCH);
    for (const suspect of suspects) {
      const ended = await this.#endedBy(suspect);
      if (ended === undefined) continue;
      const { culprit, lost } = ended;
      if (culprit !== undefined && lost === undefined)
        this.parts.wentDown(`${this.#stopped([culprit])}${AGAIN}`);
      return ended;
    }
    const lost = await this.#findEndAfter(answered);
    if (lost !== undefined) return { lost };
    return this.#forgotten(`${this.#stopped(suspects)}${this.#after(answered)}`);
  }

  /**
   * Sends the requests that were under way again, one at a time. A request's effect may show only after the next is
   * sent, but a request that stops the target does so each time.
   * @returns the result if the target was stopped, or is lost
   */
  async #endedBy(
    request: Request,
  ): Promise<Pick<Outage<Request>, "culprit" | "lost" | "hasForgotten"> | undefined> {
    const again = `${this.#stopped([request])}${AGAIN}`;
    for (let ends = 1; ; ends += 1) {
      const isReached = await this.parts.resend(request);
      if (!(await this.#goesDown())) return undefined;
      if (!isReached) {
        // The target was away before this request: the request isn't the cause.
        const lost = await this.#goneAt(request);
        return lost === undefined ? undefined : { lost };
      }
      if ((await this.#untilBack()).last !== undefined) {
        return { culprit: request, lost: `${again}; it wasn't back ${this.#patience} later` };
      }
      if (ends === REPETITIONS) return { culprit: request, ...(await this.#forgotten(again)) };
    }
  }

  /**
   * Sends the requests answered before again, one by one, and reports one that ends the target.
   * @returns the reason if the target is lost
   */
  async #findEndAfter(answered: readonly Request[]): Promise<string | undefined> {
    for (const request of answered) {
      let ends = 0;
      while (ends < REPETITIONS && (await this.parts.resend(request)) && (await this.#goesDown())) {
        ends += 1;
        const gone = await this.#goneAt(request);
        if (gone !== undefined) return gone;
      }
      if (ends < REPETITIONS) continue;
      this.parts.endedAfter(request);
      return undefined;
    }
    return undefined;
  }

  /** Waits for a target that went down again when a request was sent once more. @returns why it is lost */
  async #goneAt(request: Request): Promise<string | undefined> {
    if ((await this.#untilBack()).last === undefined) return undefined;
    return `${this.#stopped([request])}, when that was sent again; it wasn't back ${this.#patience} later`;
  }

  async #goesDown(): Promise<boolean> {
    const start = monotonicNow();
    while ((await this.parts.silence()) === undefined) {
      if (monotonicNow() - start >= END_AFTER_ANSWER_MS) return false;
      await pause(LOOK_FOR_END_MS);
    }
    return true;
  }

  /** The last answered request in words. */
  #after([last]: readonly Request[]): string {
    return last === undefined ? "" : `, after it had answered ${this.parts.describeAnswered(last)}`;
  }

  async #forgotten(told: string): Promise<Pick<Outage<Request>, "lost" | "hasForgotten">> {
    if (await this.parts.remembers()) return {};
    return { lost: `${told}; it was back with nothing of what it had known`, hasForgotten: true };
  }

  /**
   * Waits for the target.
   * @returns the first and the last observation; no last one once it is back
   */
  async #untilBack(): Promise<{ readonly first: Silence | undefined; readonly last: Silence | undefined }> {
    const { silence, waiting } = this.parts;
    const start = monotonicNow();
    const first = await silence();
    let last = first;
    if (first !== undefined) {
      waiting(`waiting ${this.#patienceMs(first) / 1000} s at most: ${toWaitFor(first)}`);
    }
    for (let steady = 0; last !== undefined || steady < this.#looksFor(first); ) {
      if (last !== undefined && monotonicNow() - start >= this.#patienceMs(last)) break;
      await pause(LOOK_MS);
      last = await silence();
      steady = last === undefined ? steady + 1 : 0;
    }
    return { first, last };
  }

  /** Number of answers in a row that end the outage. */
  #looksFor(silence: Silence | undefined): number {
    if (silence === undefined) return 0;
    return silence.proxyPage === undefined ? 1 : STEADY_LOOKS;
  }

  #patienceMs({ proxyPage }: Silence): number {
    return this.parts.patienceMs ?? (proxyPage === undefined ? PATIENCE_MS : STAND_IN_PATIENCE_MS);
  }

  get #patience(): string {
    return `${(this.parts.patienceMs ?? PATIENCE_MS) / 1000} s`;
  }

  #stopped(suspects: readonly Request[]): string {
    const [first, ...others] = suspects.map(this.parts.describe);
    if (first === undefined) return "the target stopped answering";
    const more = others.length === 1 ? "another request was" : `${others.length} other requests were`;
    return `the target stopped answering at ${first}${others.length === 0 ? "" : `, while ${more} under way`}`;
  }
}

const toWaitFor = ({ proxyPage }: Silence): string =>
  proxyPage === undefined
    ? "the target stopped answering, and may be back"
    : `${proxyPage} in the target's place, which may be back`;
