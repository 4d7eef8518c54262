import { poll } from "../../core/clock.ts";
import { happened } from "../../core/grading/failures/mismatch.ts";
import { BlockingFailure } from "./blocking-failure.ts";
import type { Reply } from "./http-client.ts";

/** Statuses with which bans and rate limiters answer every request. */
const TURNING_AWAY: readonly number[] = [403, 429];
/** Number of genuine events that are sent one by one and turned away before the block counts as certain. */
const TRIALS = 3;
const LOOK_EVERY_MS = 5;

/** The receiver accepted genuine events before, and gives every later request the same answer. */
export class BlockedByGateway extends BlockingFailure {
  constructor(since: number, status: number) {
    const message = `since about request ${since} of this run the receiver answers every request with ${status}, also genuine events, which it accepted before: a rate limit, or a ban after forged events? A run sends hundreds of requests within seconds from one address: disable such limits in the test set-up`;
    super(
      "answers",
      happened(message, { expected: "2xx for genuine events, also after forged ones", actual: status }),
      "from some request on the receiver gives the same answer to everything: a rate limit, or a ban?",
    );
  }
}

/** The run's state for detecting that the receiver turns everything away. */
interface RunSoFar {
  /** Requests up to now. */
  requests(): number;
  hasTakenAny(): boolean;
  /** Sends a genuine event outside all checks. Undefined if no answer comes. */
  sendGenuine(): Promise<Reply | undefined>;
  /** Milliseconds that an answer may take. */
  readonly answerMs: number;
}

/** Detects that a receiver turns away everything after it accepted events, and stops further requests then. */
export class GatewayWatch {
  readonly #run: RunSoFar;
  #underWay = 0;
  /** The last answers that were alike. */
  #alike: { readonly status: number; readonly since: number } | undefined;
  #trial: Promise<void> | undefined;
  #found: { readonly status: number; readonly since: number } | undefined;

  constructor(run: RunSoFar) {
    this.#run = run;
  }

  /**
   * Sends a request and examines its answer.
   * @throws BlockedByGateway from then on if everything is turned away
   */
  async watch(send: () => Promise<Reply>): Promise<Reply> {
    // Other requests would make a receiver look busy that has to answer the trial.
    while (this.#trial) await this.#trial;
    this.#expectToBeLetIn();
    const reply = await this.#counted(send);
    if (TURNING_AWAY.includes(reply.status) && this.#run.hasTakenAny()) {
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

  /** Tries genuine events one by one with nothing else under way: a busy receiver turns away some, but not these. */
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
