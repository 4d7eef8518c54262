import type { Fault } from "./fault.ts";
import type { RecordedRequest } from "./request.ts";
import type { Scenario } from "./scenario.ts";
import { type Task, TaskLog } from "./task.ts";
import type { TaskKind } from "./task-kind.ts";

/** What the sandbox does to a request, and in which scenario. */
export interface PlannedFault {
  readonly fault: Fault | undefined;
  readonly scenario: Scenario | undefined;
}

const NO_FAULT: PlannedFault = { fault: undefined, scenario: undefined };

/** Of so many pages that are asked for by a new cursor one is played on, so that a client is seen to go on after it. */
const PAGE_INTERVAL = 2;

/** One start of the client, as far as it decides what is played. */
interface Round {
  /** Whether it is there for what may end the client: no other scenario was left for its orders. */
  readonly isForAnEnd: boolean;
  /** Whether it has met something that may end the client: once is enough. */
  hasMetAnEnd: boolean;
  readonly cursors: Set<string>;
}

/**
 * Which fault meets which request: each new task takes the next scenario for its kind. What may end a client has a start
 * of its own, or waits until everything else was played.
 */
export class FaultPlan {
  readonly #log = new TaskLog();
  readonly #left: Scenario[];
  readonly #rounds = new Map<number, Round>();
  readonly #lastRound: number | undefined;
  #again: Scenario | undefined;

  /**
   * @param scenarios in the order in which they are played
   * @param lastRound the start after which there is none; undefined where that is open
   */
  constructor(scenarios: readonly Scenario[], lastRound?: number) {
    this.#left = [...scenarios];
    this.#lastRound = lastRound;
  }

  get tasks(): readonly Task[] {
    return this.#log.tasks;
  }

  /** The scenarios that nothing has met yet. */
  get left(): readonly Scenario[] {
    return this.#left;
  }

  /** Whether nothing is left for what this client has been seen to do, nor for its orders and lists. */
  get isPlayed(): boolean {
    const kinds = new Set<TaskKind>(["order", "page", ...this.tasks.map(({ kind }) => kind)]);
    return this.#left.every(({ target }) => !kinds.has(target));
  }

  /** What is played again and again by now. */
  get again(): Scenario | undefined {
    return this.#again;
  }

  /** Plays this one on whatever it is for, however often that comes. */
  playAgain(scenario: Scenario): void {
    this.#again = scenario;
  }

  faultFor(request: RecordedRequest): PlannedFault {
    const task = this.#log.add(request, (kind) => this.#next(kind, request));
    return task ? { fault: task.scenario?.steps[task.tries.length - 1], scenario: task.scenario } : NO_FAULT;
  }

  #next(kind: TaskKind, request: RecordedRequest): Scenario | undefined {
    const round = this.#roundOf(request);
    if (kind === "page" && !isPlayedOn(request, round)) return undefined;
    // A token that is renewed belongs to what the old one was refused for.
    if (kind === "token" && this.tasks.some((task) => task.kind === kind && task.round === request.round)) {
      return undefined;
    }
    const index = this.#left.findIndex(
      (one) => one.target === kind && (!one.ends || this.#mayEnd(round, request.round)),
    );
    if (index < 0) return this.#again?.target === kind ? this.#again : undefined;
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

/** The first new cursor of a round, and then every second one. */
function isPlayedOn({ query }: RecordedRequest, { cursors }: Round): boolean {
  const cursor = query.get("since");
  if (cursor === null || cursors.has(cursor)) return false;
  cursors.add(cursor);
  return cursors.size % PAGE_INTERVAL === 1;
}
