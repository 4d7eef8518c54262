import { isoInstant, monotonicNow, pause, wallClock } from "../../../core/clock.ts";
import type { Silence } from "./silence.ts";

const timeOfDay = (milliseconds: number): string => isoInstant(milliseconds).slice(11, 19);

/**
 * The period in which a proxy responded, for comparison with a balancer's log.
 * @param from the start of the period as Unix time in milliseconds
 * @param to the end of the period, or of the wait
 */
const answeredByProxy = (proxyPage: string, from: number, to: number): string =>
  `${proxyPage} from ${timeOfDay(from)} to ${timeOfDay(to)} UTC`;

/** Milliseconds for a target to come back: the time of a supervisor's restart, with a margin. */
const RETURN_TIMEOUT_MS = 15_000;
/**
 * Milliseconds for a target to come back while a balancer responds, because replacing a service takes longer.
 */
const PROXY_RETURN_TIMEOUT_MS = 30_000;
const POLL_MS = 200;
/**
 * The number of consecutive successes that end an outage behind a proxy. While instances are replaced,
 * successes and failures alternate.
 */
const STEADY_POLLS = 4;
/** After this many outages, the run gives up. */
const MAX_OUTAGES = 20;

export interface OutageDependencies<Request> {
  /** Returns why the health endpoint doesn't respond. Undefined if it does. */
  readonly silence: () => Promise<Silence | undefined>;
  /** Resolves when all pending requests have ended. */
  readonly settled: () => Promise<unknown>;
  /** Returns the requests with the target's latest responses, latest first. */
  readonly answered: () => readonly Request[];
  /** Called once the target is back, with the requests that got a response just before the outage. */
  readonly stoppedAfter: (answered: readonly Request[]) => void;
  /** True if the target still has its data. */
  readonly hasData: () => Promise<boolean>;
  readonly describe: (request: Request) => string;
  /** Describes a request and its response. */
  readonly describeAnswered: (request: Request) => string;
  readonly waiting: (why: string) => void;
  readonly outageEnded: (line: string) => void;
  readonly returnTimeoutMs?: number;
}

/** The result of an outage. */
export interface Outage<Request> {
  /** Why the run can't continue. Undefined if it can. */
  readonly lost?: string;
  /** True if the target has lost its data. */
  readonly hasLostData?: boolean;
  /** The pending requests at the start of the outage. */
  readonly suspects: readonly Request[];
  /** The requests that got a response just before the outage. */
  readonly answered: readonly Request[];
}

/**
 * Outages of the target during a run. An operator or supervisor restarts the target. The run continues if the
 * target still has its data.
 */
export class Outages<Request> {
  #count = 0;
  #suspects: Request[] = [];
  #current: Promise<Outage<Request>> | undefined;
  private readonly deps: OutageDependencies<Request>;

  constructor(deps: OutageDependencies<Request>) {
    this.deps = deps;
  }

  get count(): number {
    return this.#count;
  }

  /** The current outage. New requests wait for its end. */
  get current(): Promise<unknown> | undefined {
    return this.#current;
  }

  /**
   * Waits until the target is back or given up.
   * @param suspect a request without a response
   */
  wait(suspect?: Request): Promise<Outage<Request>> {
    if (suspect !== undefined) this.#suspects.push(suspect);
    this.#current ??= this.#pass();
    return this.#current;
  }

  async #pass(): Promise<Outage<Request>> {
    this.#count += 1;
    const answered = this.deps.answered();
    const start = monotonicNow();
    const from = wallClock();
    try {
      const { first, last } = await this.#untilBack();
      await this.deps.settled();
      const suspects = [...this.#suspects];
      const proxyPage = (last ?? first)?.proxyPage;
      const seen =
        proxyPage === undefined ? this.#stopped(suspects) : answeredByProxy(proxyPage, from, wallClock());
      const description = `${seen}${proxyPage === undefined ? this.#after(answered) : ""}`;
      const lost = this.#lost(description, last);
      if (lost !== undefined) return { suspects, answered, lost };
      const seconds = ((monotonicNow() - start) / 1000).toFixed(1);
      const back =
        proxyPage === undefined
          ? `and was back ${seconds} s later`
          : "after which the target responded again";
      this.deps.outageEnded(`${description}, ${back}`);
      const isKnown = await this.deps.hasData();
      this.deps.stoppedAfter(answered);
      if (isKnown) return { suspects, answered };
      return {
        suspects,
        answered,
        lost: `${description}; it came back without its data`,
        hasLostData: true,
      };
    } finally {
      this.#suspects = [];
      this.#current = undefined;
    }
  }

  /** Why the run gives up the target. Undefined if it doesn't. */
  #lost(description: string, silence: Silence | undefined): string | undefined {
    if (silence?.proxyPage !== undefined) return `${description}, and the target wasn't back by then`;
    if (silence !== undefined)
      return `${description} (${silence.why}), and wasn't back ${this.#patience} later`;
    if (this.#count > MAX_OUTAGES) return `${description}, as it had ${MAX_OUTAGES} times before`;
    return undefined;
  }

  /** Words about the last request that got a response. */
  #after([last]: readonly Request[]): string {
    return last === undefined ? "" : `, after it had responded to ${this.deps.describeAnswered(last)}`;
  }

  /**
   * Waits until the target is back, or until the time limit.
   * @returns the first and last observation; `last` is undefined once the target is back
   */
  async #untilBack(): Promise<{ readonly first: Silence | undefined; readonly last: Silence | undefined }> {
    const { silence, waiting } = this.deps;
    const start = monotonicNow();
    const first = await silence();
    let last = first;
    if (first !== undefined) {
      waiting(`waiting ${this.#returnTimeoutMs(first) / 1000} s at most: ${toWaitFor(first)}`);
    }
    for (let steady = 0; last !== undefined || steady < this.#steadyPollsFor(first); ) {
      if (last !== undefined && monotonicNow() - start >= this.#returnTimeoutMs(last)) break;
      await pause(POLL_MS);
      last = await silence();
      steady = last === undefined ? steady + 1 : 0;
    }
    return { first, last };
  }

  /** The number of consecutive successes that end the outage. */
  #steadyPollsFor(silence: Silence | undefined): number {
    if (silence === undefined) return 0;
    return silence.proxyPage === undefined ? 1 : STEADY_POLLS;
  }

  #returnTimeoutMs({ proxyPage }: Silence): number {
    return (
      this.deps.returnTimeoutMs ?? (proxyPage === undefined ? RETURN_TIMEOUT_MS : PROXY_RETURN_TIMEOUT_MS)
    );
  }

  get #patience(): string {
    return `${(this.deps.returnTimeoutMs ?? RETURN_TIMEOUT_MS) / 1000} s`;
  }

  #stopped(suspects: readonly Request[]): string {
    const [first, ...others] = suspects.map(this.deps.describe);
    if (first === undefined) return "the target stopped responding";
    const more = others.length === 1 ? "another request was" : `${others.length} other requests were`;
    return `the target stopped responding at ${first}${others.length === 0 ? "" : `, while ${more} under way`}`;
  }
}

const toWaitFor = ({ proxyPage }: Silence): string =>
  proxyPage === undefined
    ? "the target stopped responding, and may come back"
    : `${proxyPage} instead of the target, which may come back`;
