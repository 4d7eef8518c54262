import type { Disturbance } from "../../core/confirmation/disturbance.ts";
import { operationById } from "../../core/contract/document.ts";
import type { Exchange } from "../../core/exchange.ts";
import { type Expectation, expectThat } from "../../core/grading/expectations/expect.ts";
import { CheckFailure, CheckSkipped } from "../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";
import { exchangeOf, grantedToken, type RecordedRequest } from "./request.ts";
import { SCENARIOS, type ScenarioName } from "./scenarios/scenarios.ts";
import { isCatchUp, isSameCall, type Task } from "./task.ts";
import { unplannedRefusals } from "./unplanned-refusals.ts";
import { awaitsRetry } from "./waits/backoff.ts";
import { isSequential, type Turnaround, turnaroundOf } from "./waits/turnaround.ts";

interface RecordedRun {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** The tasks in the order of their first requests. */
  readonly tasks: readonly Task[];
  readonly timeScale: number;
  /** The starts whose client exited by itself: the client wouldn't have continued. */
  readonly endedStarts: ReadonlySet<number>;
  /** The end of the run in milliseconds, on the clock of `arrivedAt`. */
  readonly endedAt: number;
  /** True if two starts of the client ran at the same time. */
  readonly hasOverlap?: boolean;
  /** Disturbances of the suite's process during the run. */
  readonly disturbances?: readonly Disturbance[];
}

/**
 * The time after which a client isn't expected to continue: the nominal seconds for waits, plus the
 * milliseconds for the turnaround.
 */
const SETTLING_S = 10;
const SETTLING_MS = 2_000;

/**
 * The tokens that the client had a reason to request: the first token of a start, and one for each earlier 401.
 */
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
  /** The latest end of this request and all requests before it. */
  readonly latestEnd: number;
}

const NO_WORK: Work = { one: undefined, endedAt: 0, latestEnd: Number.NEGATIVE_INFINITY };

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

/** The number of requests that arrived before `time`. */
function countBefore(work: readonly Work[], time: number): number {
  let [low, high] = [0, work.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((work[middle]?.one?.arrivedAt ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The recorded requests of a client, with queries for checks. */
export class Evidence {
  readonly url: string;
  /** The requests in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** The client's tasks in order of their first requests. */
  readonly tasks: readonly Task[];
  readonly orders: readonly Task[];
  readonly timeScale: number;
  /** The client's turnaround between steps without a wait. */
  readonly turnaround: Turnaround;
  readonly disturbances: readonly Disturbance[];
  readonly #run: RecordedRun;
  /** The starts in which the client sent each request after the previous one had ended. */
  readonly #sequential: ReadonlySet<number>;
  /** The time at which each token was issued. */
  readonly #grants: ReadonlyMap<string, number>;
  readonly #asked: ReadonlySet<string>;
  /**
   * For each start, all requests except token requests in order of arrival, each with the latest end so far.
   */
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
      [...Map.groupBy(recordedRun.requests, ({ startNumber }) => startNumber)].flatMap(
        ([startNumber, seen]) => (isSequential(seen) ? [startNumber] : []),
      ),
    );
    this.#asked = new Set(
      [...Map.groupBy(recordedRun.requests, ({ startNumber }) => startNumber).values()].flatMap(
        tokensWithReason,
      ),
    );
    this.#work = new Map(
      [...Map.groupBy(recordedRun.requests, ({ startNumber }) => startNumber)].map(([startNumber, seen]) => [
        startNumber,
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

  /** The same evidence without the delays of this process, so that they excuse no failure. */
  get withoutDisturbances(): Evidence {
    return new Evidence({ ...this.#run, disturbances: [] });
  }

  get authorised(): readonly RecordedRequest[] {
    return this.requests.filter(({ operation: id }) => id !== undefined && !operationById(id).anonymous);
  }

  get creations(): readonly RecordedRequest[] {
    return this.requests.filter(({ operation }) => operation === "createDelivery");
  }

  get catchUps(): readonly RecordedRequest[] {
    return this.requests.filter(isCatchUp);
  }

  /**
   * The time at which the service issued a token, on the clock of `arrivedAt`; undefined if the service didn't.
   */
  issuedAt(token: string | undefined): number | undefined {
    return token === undefined ? undefined : this.#grants.get(token);
  }

  /**
   * True if the client had a reason to request the token: the token was the first of the start, or followed a
   * 401. After several concurrent 401 responses, the client may request a token for each.
   */
  wasRequestedForAReason(token: string | undefined): boolean {
    return token !== undefined && this.#asked.has(token);
  }

  /**
   * The finished orders of these scenarios.
   * @throws CheckSkipped if there are no such orders
   */
  ordersIn(...names: readonly ScenarioName[]): readonly Task[] {
    const titles = names.map((name) => `${name} (${SCENARIOS[name].title})`).join(", ");
    return this.tasksInOr(
      `no order reached the scenario: ${titles}. Place one more order for each remaining scenario`,
      names,
    );
  }

  /**
   * The finished tasks, of any kind, of these scenarios.
   * @param none the message of CheckSkipped if there are no such tasks
   */
  tasksInOr(none: string, names: readonly ScenarioName[]): readonly Task[] {
    const played = this.tasks.filter(({ scenario }) => names.some((name) => name === scenario?.name));
    if (played.length === 0) throw new CheckSkipped(this.#refusedFirst(none));
    const settled = played.filter((task) => !awaitsRetry(task) || this.hasSettled(task.tries.at(-1)));
    if (settled.length === 0) throw new CheckSkipped("the run ended before the client could retry");
    return settled;
  }

  /** The page of a scenario. @throws CheckSkipped if the client requested no such page */
  pageIn(name: ScenarioName): RecordedRequest {
    const [page] = this.tasks.find(({ scenario }) => scenario?.name === name)?.tries ?? [];
    if (page) return page;
    throw new CheckSkipped(
      this.#refusedFirst(
        `no list page reached the scenario ${name} (${SCENARIOS[name].title}): place ten orders or more, then read the list`,
      ),
    );
  }

  /**
   * If the service refused all of the client's stores or orders, says so, because more orders wouldn't help.
   */
  #refusedFirst(otherwise: string): string {
    const [first] = unplannedRefusals(
      this.requests.filter(
        ({ operation }) => operation === "createDelivery" || operation === "registerStore",
      ),
    );
    return first?.line ?? otherwise;
  }

  /**
   * True if two starts of the client ran at the same time. A client that shares files between starts may then
   * fail.
   */
  get hasOverlap(): boolean {
    return this.#run.hasOverlap === true;
  }

  /** True if the client sent each request of a start after the previous one had ended. */
  isSequential(startNumber: number): boolean {
    return this.#sequential.has(startNumber);
  }

  /**
   * True if later attempts of a task certainly repeat the first attempt, for example because the task has its
   * own id. Otherwise, a concurrent part of the client may request the same token, store, quote or page, and
   * the next order may request the same quote.
   */
  isDistinct(task: Task): boolean {
    switch (task.kind) {
      case "order":
      case "change":
      case "cancellation":
        return true;
      case "token":
        return this.isSequential(task.startNumber);
      case "quote":
        return this.#isAlone(task) && !this.tasks.some((other) => other !== task && isSameCall(task, other));
      default:
        return this.#isAlone(task);
    }
  }

  /** True if the client did nothing else during a task, except token requests. */
  #isAlone({ startNumber, tries }: Task): boolean {
    const [begins = 0, ends = 0] = [tries[0]?.arrivedAt, tries.at(-1)?.arrivedAt];
    const work = this.#work.get(startNumber) ?? [];
    // Goes back in time, from the last request before the task's end to the first request that may still be
    // pending.
    for (let index = countBefore(work, ends) - 1; index >= 0; index -= 1) {
      const { one, endedAt, latestEnd } = work[index] ?? NO_WORK;
      if (latestEnd <= begins) return true;
      if (endedAt > begins && one && !tries.includes(one)) return false;
    }
    return true;
  }

  /** True if the run lasted long enough after `last` for the client to continue. */
  hasSettled(last: RecordedRequest | undefined): boolean {
    if (!last || this.#run.endedStarts.has(last.startNumber)) return true;
    const patience = SETTLING_S * this.timeScale * 1000 + SETTLING_MS;
    return this.#run.endedAt - (last.completion?.at ?? last.arrivedAt) > patience;
  }

  /** Creates an expectation on a value, with these requests as evidence. The decisive request comes last. */
  expectThat(
    subject: string,
    actual: unknown,
    shown: readonly RecordedRequest[],
    note?: string,
  ): Expectation {
    return expectThat(subject, actual, { note, exchanges: this.#exchanges(shown) });
  }

  /** Fails the check with these requests as evidence. */
  fail(mismatch: Mismatch, shown: readonly RecordedRequest[]): never {
    throw new CheckFailure(mismatch, { exchanges: this.#exchanges(shown) });
  }

  #exchanges(shown: readonly RecordedRequest[]): readonly Exchange[] {
    return shown.flatMap((one) => exchangeOf(one, this.url) ?? []);
  }
}
