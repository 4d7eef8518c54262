import { monotonicNow, pause } from "../../core/clock.ts";
import type { NotifyOfWait } from "./wait-notices.ts";

/** How long a target that stopped answering may take to be back, milliseconds: a supervisor's restart, and some. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 200;
/** A target that stops this often is left alone. */
const MOST_OUTAGES = 20;

export interface OutageParts<Request> {
  /** Why nothing answers at the health endpoint; undefined where something does. */
  readonly silence: () => Promise<string | undefined>;
  /** Resolves once all that was under way has ended. */
  readonly settled: () => Promise<unknown>;
  /** Sends a request once more, and ends when it was answered or not. */
  readonly resend: (request: Request) => Promise<void>;
  /** Whether the target still knows what it gave out before. */
  readonly remembers: () => Promise<boolean>;
  readonly describe: (request: Request) => string;
  readonly waiting: NotifyOfWait;
  readonly patienceMs?: number;
}

/** What came of an outage. */
export interface Outage<Request> {
  /** The request that ended the target, and did so again when it was sent alone; undefined where none did. */
  readonly culprit?: Request;
  /** Why no more is asked of the target; undefined where the run goes on. */
  readonly lost?: string;
  /** What was under way when the target stopped. */
  readonly suspects: readonly Request[];
}

/**
 * A target that stops answering in the middle of a run and is started again by whoever looks after it. What was under
 * way then is sent once more, one by one, to find the request that ends it; the run goes on where the target still
 * knows what it knew.
 */
export class Outages<Request> {
  #count = 0;
  #suspects: Request[] = [];
  #underWay: Promise<Outage<Request>> | undefined;
  private readonly parts: OutageParts<Request>;

  constructor(parts: OutageParts<Request>) {
    this.parts = parts;
  }

  /** How many there were so far. */
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
    try {
      const reason = await this.#untilBack();
      await this.parts.settled();
      const suspects = [...this.#suspects];
      const lost = this.#lost(suspects, reason);
      return lost === undefined ? await this.#findCulprit(suspects) : { suspects, lost };
    } finally {
      this.#suspects = [];
      this.#underWay = undefined;
    }
  }

  /** Why the target is given up before anything is tried; undefined where it isn't. */
  #lost(suspects: readonly Request[], reason: string | undefined): string | undefined {
    if (reason !== undefined)
      return `${this.#stopped(suspects)} (${reason}), and wasn't back ${this.#patience} later`;
    if (this.#count > MOST_OUTAGES)
      return `${this.#stopped(suspects)}, as it had ${MOST_OUTAGES} times before`;
    return undefined;
  }

  async #findCulprit(suspects: readonly Request[]): Promise<Outage<Request>> {
    const { resend, silence } = this.parts;
    for (const culprit of suspects) {
      await resend(culprit);
      if ((await silence()) === undefined) continue;
      const again = `${this.#stopped([culprit])}, and once more when that was sent again`;
      if ((await this.#untilBack()) !== undefined) {
        return { suspects, culprit, lost: `${again}; it wasn't back ${this.#patience} later` };
      }
      return { suspects, culprit, ...(await this.#forgotten(again)) };
    }
    return { suspects, ...(await this.#forgotten(this.#stopped(suspects))) };
  }

  async #forgotten(told: string): Promise<{ readonly lost?: string }> {
    if (await this.parts.remembers()) return {};
    return { lost: `${told}; it was back with nothing of what it had known` };
  }

  /** Waits for the target. @returns why it isn't back; undefined once it is */
  async #untilBack(): Promise<string | undefined> {
    const { silence, waiting, patienceMs = PATIENCE_MS } = this.parts;
    const start = monotonicNow();
    let reason = await silence();
    if (reason !== undefined) waiting(patienceMs, "the target stopped answering, and may be back", "outage");
    while (reason !== undefined && monotonicNow() - start < patienceMs) {
      await pause(LOOK_MS);
      reason = await silence();
    }
    return reason;
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
