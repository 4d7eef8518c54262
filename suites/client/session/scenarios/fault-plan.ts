import type { RecordedRequest } from "../request.ts";
import { type Task, TaskLog } from "../task.ts";
import type { TaskKind } from "../task-kind.ts";
import type { Fault } from "./fault.ts";
import type { Scenario } from "./scenario.ts";

/** The fault for a request, and its scenario. */
export interface PlannedFault {
  readonly fault: Fault | undefined;
  readonly scenario: Scenario | undefined;
}

const NO_FAULT: PlannedFault = { fault: undefined, scenario: undefined };

/** One of this many pages requested by a new cursor gets a fault, so that a client is seen to continue after it. */
const PAGE_INTERVAL = 2;

/** The state of one client start that decides which scenarios it gets. */
interface Round {
  /**
   * True if the start is reserved for scenarios that may make the client exit: no other scenario was left for its
   * orders.
   */
  readonly isForAnEnd: boolean;
  /** True once the start got a scenario that may make the client exit: one is enough. */
  hasMetAnEnd: boolean;
  readonly cursors: Set<string>;
}

/**
 * Assigns faults to requests: each new task takes the next scenario for its kind. A scenario that may make the client
 * exit gets its own start, or waits until all others were played.
 */
export class FaultPlan {
  readonly #log = new TaskLog();
  readonly #left: Scenario[];
  readonly #rounds = new Map<number, Round>();
  readonly #lastRound: number | undefined;
  #again: readonly Scenario[] = [];

  /**
   * @param scenarios in the order in which they are played
   * @param lastRound the last start; undefined if unknown
   */
  constructor(scenarios: readonly Scenario[], lastRound?: number) {
    this.#left = [...scenarios];
    this.#lastRound = lastRound;
  }

  get tasks(): readonly Task[] {
    return this.#log.tasks;
  }

  /** The scenarios without a task so far. */
  get left(): readonly Scenario[] {
    return this.#left;
  }

  /** True if no scenario is left for the kinds of task that this client has shown, nor for its orders and lists. */
  get isPlayed(): boolean {
    const kinds = new Set<TaskKind>(["order", "page", ...this.tasks.map(({ kind }) => kind)]);
    return this.#left.every(({ target }) => !kinds.has(target));
  }

  /** The scenarios that are played repeatedly. */
  get again(): readonly Scenario[] {
    return this.#again;
  }

  /** Plays each of these scenarios on every task of its kind. */
  playAgain(scenarios: readonly Scenario[]): void {
    this.#again = scenarios;
  }

  faultFor(request: RecordedRequest): PlannedFault {
    const task = this.#log.add(request, (kind) => this.#next(kind, request));
    return task ? { fault: task.scenario?.steps[task.tries.length - 1], scenario: task.scenario } : NO_FAULT;
  }

  #next(kind: TaskKind, request: RecordedRequest): Scenario | undefined {
    const round = this.#roundOf(request);
    if (kind === "page" && !isPlayedOn(request, round)) return undefined;
    // A renewed token belongs to the task whose token was refused.
    if (kind === "token" && this.tasks.some((task) => task.kind === kind && task.round === request.round)) {
      return undefined;
    }
    const index = this.#left.findIndex(
      (one) => one.target === kind && (!one.ends || this.#mayEnd(round, request.round)),
    );
    if (index < 0) return this.#again.find(({ target }) => target === kind);
    const [scenario] = this.#left.splice(index, 1);
    if (scenario?.ends) round.hasMetAnEnd = true;
    return scenario;
  }

  #roundOf({ round: number }: RecordedRequest): Round {
    const known = this.#rounds.get(number);
    if (known) return known;
    const round = { isForAnEnd: !this.#hasOrdersLeft, hasMetAnEnd: false, cursors: new Set<string>() };
    this.#rounds.set(number, round);
    return round;
  }

  get #hasOrdersLeft(): boolean {
    return this.#left.some(({ target, ends }) => target === "order" && !ends);
  }

  #mayEnd({ isForAnEnd, hasMetAnEnd }: Round, number: number): boolean {
    if (hasMetAnEnd) return false;
    const isLast = number === this.#lastRound && !this.#hasOrdersLeft;
    return isForAnEnd || isLast || this.#left.every(({ ends }) => ends);
  }
}

/** The first new cursor of a round, and every second one after it. */
function isPlayedOn({ query }: RecordedRequest, { cursors }: Round): boolean {
  const cursor = query.get("since");
  if (cursor === null || cursors.has(cursor)) return false;
  cursors.add(cursor);
  return cursors.size % PAGE_INTERVAL === 1;
}
