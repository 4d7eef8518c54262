import { poll } from "../../core/clock.ts";
import { forbiddenObservation } from "../../core/grading/failures/mismatch.ts";
import { BlockingFailure } from "./blocking-failure.ts";
import type { Reply } from "./http-client.ts";

/** Statuses that firewalls and rate limiters return for every request. */
const BLOCK_STATUSES: readonly number[] = [403, 429];
/** After this many refused events, sent one at a time, the block counts as certain. */
const TRIALS = 3;
const LOOK_EVERY_MS = 5;

/** The receiver has accepted genuine events before, but now refuses every request with the same status. */
export class BlockedByGateway extends BlockingFailure {
  constructor(since: number, status: number) {
    const message = `since about request ${since} of this run the receiver answers every request with ${status}, even genuine events, which it accepted before: a rate limit, or a ban after forged events? A run sends hundreds of requests within seconds from one address: disable such limits in the test environment`;
    super(
      "responses",
      forbiddenObservation(message, {
        expected: "2xx for genuine events, even after forged ones",
        actual: status,
      }),
      "the receiver suddenly answers every request with the same status: a rate limit, or a ban?",
    );
  }
}

/** What the watch needs to know about the run, to detect a block. */
interface RunSoFar {
  /** The number of requests that the run has sent. */
  requests(): number;
  hasAcceptedAny(): boolean;
  /** Sends a genuine event outside all checks. Resolves to undefined without a response. */
  sendGenuine(): Promise<Reply | undefined>;
  /** The time limit of a response in milliseconds. */
  readonly answerMs: number;
}

/**
 * Detects that a receiver refuses every request although it accepted events before. Then stops all requests.
 */
export class GatewayWatch {
  readonly #run: RunSoFar;
  #underWay = 0;
  /** The status of the latest responses, as long as all have the same status. */
  #alike: { readonly status: number; readonly since: number } | undefined;
  #trial: Promise<void> | undefined;
  #found: { readonly status: number; readonly since: number } | undefined;

  constructor(run: RunSoFar) {
    this.#run = run;
  }

  /**
   * Sends a request and examines its response.
   * @throws BlockedByGateway once the receiver refuses every request
   */
  async watch(send: () => Promise<Reply>): Promise<Reply> {
    // Waits until a trial has ended, because concurrent requests could make the receiver look busy.
    while (this.#trial) await this.#trial;
    this.#expectToBeLetIn();
    const reply = await this.#counted(send);
    if (BLOCK_STATUSES.includes(reply.status) && this.#run.hasAcceptedAny()) {
      this.#trial ??= this.#try(reply.status).finally(() => {
        this.#trial = undefined;
      });
      await this.#trial;
      this.#expectToBeLetIn();
    }
    return reply;
  }

  #expectToBeLetIn(): void {
    if (this.#found) throw new BlockedByGateway(this.#found.since, this.#found.status);
  }

  async #counted(send: () => Promise<Reply>): Promise<Reply> {
    const number = this.#run.requests() + 1;
    this.#underWay += 1;
    try {
      const reply = await send();
      this.#see(reply, number);
      return reply;
    } finally {
      this.#underWay -= 1;
    }
  }

  #see({ status }: Reply, number: number): void {
    if (this.#alike?.status !== status) this.#alike = { status, since: number };
  }

  /**
   * Sends genuine events one at a time while no other request is pending. A receiver that was only busy accepts
   * them.
   */
  async #try(status: number): Promise<void> {
    const isQuiet = await poll(async () => (this.#underWay === 0 ? true : undefined), {
      within: this.#run.answerMs,
      every: LOOK_EVERY_MS,
    });
    if (!isQuiet) return;
    for (let i = 0; i < TRIALS; i += 1) {
      const number = this.#run.requests() + 1;
      const reply = await this.#run.sendGenuine();
      if (reply) this.#see(reply, number);
      if (reply?.status !== status) return;
    }
    this.#found = this.#alike;
  }
}
