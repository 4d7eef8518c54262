import type { Disturbance } from "../../core/confirmation/disturbance.ts";
import { operationById } from "../../core/contract/document.ts";
import type { Exchange } from "../../core/exchange.ts";
import { type Expectation, expectThat } from "../../core/grading/expectations/expect.ts";
import { CheckFailure, NotTestable } from "../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";
import { exchangeOf, grantedToken, type RecordedRequest } from "./request.ts";
import { SCENARIOS, type ScenarioName } from "./scenarios/scenarios.ts";
import { isAbout, isCatchUp, type Task } from "./task.ts";
import { unplannedRefusals } from "./unplanned-refusals.ts";
import { awaitsRetry } from "./waits/backoff.ts";
import { isSequential, type Turnaround, turnaroundOf } from "./waits/turnaround.ts";

export interface RecordedRun {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** In the order of their first requests. */
  readonly tasks: readonly Task[];
  readonly timeScale: number;
  /** The rounds whose client exited by itself: it would not have done any more. */
  readonly endedRounds: ReadonlySet<number>;
  /** Milliseconds on the clock of `arrivedAt`. */
  readonly endedAt: number;
  /** Disturbances of the suite's own process during the run. */
  readonly disturbances?: readonly Disturbance[];
}

/** A client that hasn't continued by then isn't going to: nominal seconds, and milliseconds for its turnaround. */
const SETTLING_S = 10;
const SETTLING_MS = 2_000;

/** The justified tokens of a round: the first, and one for each 401 that came before the token was requested. */
function tokensWithReason(requests: readonly RecordedRequest[]): readonly string[] {
  const refusals = requests
    .filter(
      ({ operation, completion }) => operation !== "obtainToken" && completion?.response?.status === 401,
    )
    .map(({ completion }) => completion?.at ?? Number.POSITIVE_INFINITY)
    .toSorted((a, b) => a - b);
  let first = true;
  return requests.flatMap((one) => {
    const token = grantedToken(one);
    if (token === undefined) return [];
    if (!first && (refusals[0] ?? Number.POSITIVE_INFINITY) > one.arrivedAt) return [];
    if (!first) refusals.shift();
    first = false;
    return [token];
  });
}

interface Work {
  readonly one: RecordedRequest | undefined;
  readonly endedAt: number;
  /** The latest end of this request and all earlier ones. */
  readonly latestEnd: number;
}

const NO_WORK: Work = { one: undefined, endedAt: 0, latestEnd: Number.NEGATIVE_INFINITY };

/** @param seen the requests of one round, in the order of arrival */
function workOf(seen: readonly RecordedRequest[]): readonly Work[] {
  let latestEnd = Number.NEGATIVE_INFINITY;
  return seen
    .filter(({ operation }) => operation !== "obtainToken")
    .map((one) => {
      const endedAt = one.completion?.at ?? Number.POSITIVE_INFINITY;
      latestEnd = Math.max(latestEnd, endedAt);
      return { one, endedAt, latestEnd };
    });
}

/** The number of requests that arrived before a time. */
function countBefore(work: readonly Work[], time: number): number {
  let [low, high] = [0, work.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((work[middle]?.one?.arrivedAt ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The evidence of a run with a client, with the queries that checks make. */
export class Evidence {
  readonly url: string;
  /** In the order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** The client's tasks, in the order of their first requests. */
  readonly tasks: readonly Task[];
  readonly orders: readonly Task[];
  readonly timeScale: number;
  /** The client's turnaround between steps without a wait. */
  readonly turnaround: Turnaround;
  readonly disturbances: readonly Disturbance[];
  readonly #run: RecordedRun;
  /** Rounds in which the client worked sequentially. */
  readonly #sequential: ReadonlySet<number>;
  /** When each token was granted. */
  readonly #grants: ReadonlyMap<string, number>;
  readonly #asked: ReadonlySet<string>;
  /** Requests other than for tokens, by round and in the order of arrival, each with the latest end up to it. */
  readonly #work: ReadonlyMap<number, readonly Work[]>;

  constructor(recordedRun: RecordedRun) {
    this.#run = recordedRun;
    this.url = recordedRun.url;
    this.requests = recordedRun.requests;
    this.tasks = recordedRun.tasks;
    this.orders = recordedRun.tasks.filter(({ kind }) => kind === "order");
    this.timeScale = recordedRun.timeScale;
    this.disturbances = recordedRun.disturbances ?? [];
    this.turnaround = turnaroundOf(recordedRun.requests);
    this.#sequential = new Set(
      [...Map.groupBy(recordedRun.requests, ({ round }) => round)].flatMap(([round, seen]) =>
        isSequential(seen) ? [round] : [],
      ),
    );
    this.#asked = new Set(
      [...Map.groupBy(recordedRun.requests, ({ round }) => round).values()].flatMap(tokensWithReason),
    );
    this.#work = new Map(
      [...Map.groupBy(recordedRun.requests, ({ round }) => round)].map(([round, seen]) => [
        round,
        workOf(seen),
      ]),
    );
    this.#grants = new Map(
      recordedRun.requests.flatMap((one) => {
        const token = grantedToken(one);
        return token === undefined || !one.completion ? [] : [[token, one.completion.at]];
      }),
    );
  }

  /** The same evidence as if this process had never been late. */
  get withoutDisturbances(): Evidence {
    return new Evidence({ ...this.#run, disturbances: [] });
  }

  /** Requests to endpoints that need a token. */
  get authorised(): readonly RecordedRequest[] {
    return this.requests.filter(({ operation: id }) => id !== undefined && !operationById(id).anonymous);
  }

  get creations(): readonly RecordedRequest[] {
    return this.requests.filter(({ operation }) => operation === "createDelivery");
  }

  get catchUps(): readonly RecordedRequest[] {
    return this.requests.filter(isCatchUp);
  }

  /** When a token was granted, on the clock of `arrivedAt`; undefined if it never was. */
  grantedAt(token: string | undefined): number | undefined {
    return token === undefined ? undefined : this.#grants.get(token);
  }

  /**
   * True if the token was justified: the first of its round, or requested after a call was refused with 401. Calls that
   * are refused at the same time may each request one, and later calls may use the newest.
   */
  hadReason(token: string | undefined): boolean {
    return token !== undefined && this.#asked.has(token);
  }

  /**
   * The orders of these scenarios, except those that the client is still busy with. @throws NotTestable if there are
   * none
   */
  ordersIn(...names: readonly ScenarioName[]): readonly Task[] {
    const titles = names.map((name) => `${name} (${SCENARIOS[name].title})`).join(", ");
    return this.metOr(
      `no order met ${titles}: hand over one more order for each scenario that is left`,
      names,
    );
  }

  /** The tasks of any kind of these scenarios, like `orders`. @param none the message if there are none */
  metOr(none: string, names: readonly ScenarioName[]): readonly Task[] {
    const played = this.tasks.filter(({ scenario }) => names.some((name) => name === scenario?.name));
    if (played.length === 0) throw new NotTestable(this.#refusedFirst(none));
    const settled = played.filter((task) => !awaitsRetry(task) || this.hasSettled(task.tries.at(-1)));
    if (settled.length === 0) throw new NotTestable("the run was ended before the client could try again");
    return settled;
  }

  /** The page of a scenario. @throws NotTestable if there is none */
  pageIn(name: ScenarioName): RecordedRequest {
    const [page] = this.tasks.find(({ scenario }) => scenario?.name === name)?.tries ?? [];
    if (page) return page;
    throw new NotTestable(
      this.#refusedFirst(
        `no page met ${name} (${SCENARIOS[name].title}): hand over ten orders or more, and then catch up`,
      ),
    );
  }

  /**
   * The reason for missing evidence if the service refused the client's stores or orders: more of them change nothing.
   */
  #refusedFirst(otherwise: string): string {
    const [first] = unplannedRefusals(
      this.requests.filter(
        ({ operation }) => operation === "createDelivery" || operation === "registerStore",
      ),
    );
    return first?.line ?? otherwise;
  }

  /** True if the client worked sequentially in a round. */
  isSequential(round: number): boolean {
    return this.#sequential.has(round);
  }

  /**
   * True if a later try in a task certainly repeats an earlier one. Tasks with an id of their own do. A token, store,
   * quote or page may be requested at the same time by another part of the client, and a quote by the next order.
   */
  isDistinct(task: Task): boolean {
    switch (task.kind) {
      case "order":
      case "change":
      case "cancellation":
        return true;
      case "token":
        return this.isSequential(task.round);
      case "quote":
        return this.#isAlone(task) && !this.tasks.some((other) => other !== task && isAbout(task, other));
      default:
        return this.#isAlone(task);
    }
  }

  /** True if the client did nothing else except token requests from the first try of a task to its last. */
  #isAlone({ round, tries }: Task): boolean {
    const [begins = 0, ends = 0] = [tries[0]?.arrivedAt, tries.at(-1)?.arrivedAt];
    const work = this.#work.get(round) ?? [];
    // From the last request that arrived before the end, back to the first that may still have been in progress.
    for (let index = countBefore(work, ends) - 1; index >= 0; index -= 1) {
      const { one, endedAt, latestEnd } = work[index] ?? NO_WORK;
      if (latestEnd <= begins) return true;
      if (endedAt > begins && one && !tries.includes(one)) return false;
    }
    return true;
  }

  /** True if the run lasted long enough for the client to continue. */
  hasSettled(last: RecordedRequest | undefined): boolean {
    if (!last || this.#run.endedRounds.has(last.round)) return true;
    const patience = SETTLING_S * this.timeScale * 1000 + SETTLING_MS;
    return this.#run.endedAt - (last.completion?.at ?? last.arrivedAt) > patience;
  }

  /** Expectations on a value, with these requests as evidence. The last is the one to blame. */
  expectThat(
    subject: string,
    actual: unknown,
    shown: readonly RecordedRequest[],
    note?: string,
  ): Expectation {
    return expectThat(subject, actual, { note, exchanges: this.#exchanges(shown) });
  }

  /** Fails the check with these requests as evidence, like `expectThat`. */
  fail(mismatch: Mismatch, shown: readonly RecordedRequest[]): never {
    throw new CheckFailure(mismatch, { exchanges: this.#exchanges(shown) });
  }

  #exchanges(shown: readonly RecordedRequest[]): readonly Exchange[] {
    return shown.flatMap((one) => exchangeOf(one, this.url) ?? []);
  }
}
