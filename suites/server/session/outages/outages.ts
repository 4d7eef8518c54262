import { monotonicNow, pause, wallClock } from "../../../core/clock.ts";
import { answeredByProxy, type Silence } from "./silence.ts";

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
/** A target that stops this often is left alone. */
const MOST_OUTAGES = 20;

export interface OutageParts<Request> {
  /** The reason why the target doesn't answer at the health endpoint. Undefined if it does. */
  readonly silence: () => Promise<Silence | undefined>;
  /** Resolves once all that was under way has ended. */
  readonly settled: () => Promise<unknown>;
  /** The target's most recent answers before now, the latest first. */
  readonly answered: () => readonly Request[];
  /** Receives the requests that were answered just before the target stopped, once it is back. */
  readonly stoppedAfter: (answered: readonly Request[]) => void;
  /** True if the target still has its earlier data. */
  readonly remembers: () => Promise<boolean>;
  readonly describe: (request: Request) => string;
  /** The same with the answer. */
  readonly describeAnswered: (request: Request) => string;
  /** Receives the reason of a wait. */
  readonly waiting: (why: string) => void;
  /** Receives each outage. */
  readonly wentDown: (line: string) => void;
  readonly patienceMs?: number;
}

/** The result of an outage. */
export interface Outage<Request> {
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
 * An outage of the target in the middle of a run, ended by a restart from outside. The run goes on if the target still
 * has its data.
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
      const proxyPage = (last ?? first)?.proxyPage;
      const seen =
        proxyPage === undefined ? this.#stopped(suspects) : answeredByProxy(proxyPage, from, wallClock());
      const told = `${seen}${proxyPage === undefined ? this.#after(answered) : ""}`;
      const lost = this.#lost(told, last);
      if (lost !== undefined) return { suspects, answered, lost };
      const seconds = ((monotonicNow() - start) / 1000).toFixed(1);
      const back =
        proxyPage === undefined ? `and was back ${seconds} s later` : "and then the target did again";
      this.parts.wentDown(`${told}, ${back}`);
      const isKnown = await this.parts.remembers();
      this.parts.stoppedAfter(answered);
      if (isKnown) return { suspects, answered };
      return {
        suspects,
        answered,
        lost: `${told}; it was back with nothing of what it had known`,
        hasForgotten: true,
      };
    } finally {
      this.#suspects = [];
      this.#underWay = undefined;
    }
  }

  /** The reason to give the target up. Undefined if there is none. */
  #lost(told: string, silence: Silence | undefined): string | undefined {
    if (silence?.proxyPage !== undefined) return `${told}, and the target wasn't back by then`;
    if (silence !== undefined) return `${told} (${silence.why}), and wasn't back ${this.#patience} later`;
    if (this.#count > MOST_OUTAGES) return `${told}, as it had ${MOST_OUTAGES} times before`;
    return undefined;
  }

  /** The last answered request in words. */
  #after([last]: readonly Request[]): string {
    return last === undefined ? "" : `, after it had answered ${this.parts.describeAnswered(last)}`;
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
