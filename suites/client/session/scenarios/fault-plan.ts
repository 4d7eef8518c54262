import type { RecordedRequest } from "../request.ts";
import { type Task, TaskLog } from "../task.ts";
import type { TaskKind } from "../task-kind.ts";

import type { Fault } from "./fault.ts";
import type { Scenario } from "./scenario.ts";

/** The specification's waits in seconds, up to the first wait of a minute. */
const SPECIFIED_WAITS_S = [1, 2, 4, 8, 16, 32, 60];

/**
 * The minimum, as a part of the specified wait, of a wait that counts as exact. A busy machine lengthens waits,
 * so only the last wait has a maximum: without the limit of a minute, the wait after 32 s would be 64 s, which
 * exceeds the maximum.
 */
const MIN_EXACT_PART = 0.99;

const MAX_LAST_PART = 1.02;

const TIMER_DELAY_MS = 25;

/**
 * True if a task has shown the specification's waits up to the limit of a minute. Further failures would show
 * nothing new.
 */
const hasShownAllWaits = ({ tries }: Pick<Task, "tries">, timeScale: number): boolean =>
  tries.length > SPECIFIED_WAITS_S.length &&
  SPECIFIED_WAITS_S.every((seconds, index) => {
    const [failed, next] = [tries[index], tries[index + 1]];
    const gap = (next?.arrivedAt ?? 0) - (failed?.completion?.at ?? 0);
    const due = seconds * timeScale * 1000;
    const isLast = index === SPECIFIED_WAITS_S.length - 1;
    return (
      gap >= MIN_EXACT_PART * due - TIMER_DELAY_MS && (!isLast || gap <= MAX_LAST_PART * due + TIMER_DELAY_MS)
    );
  });

/** The fault that a request gets, and the scenario that the fault is part of. */
interface PlannedFault {
  readonly fault: Fault | undefined;
  readonly scenario: Scenario | undefined;
}

const NO_FAULT: PlannedFault = { fault: undefined, scenario: undefined };

/** One in this many pages with a new cursor gets a fault. The other pages show whether the client continues. */
const PAGE_INTERVAL = 2;

/** A scenario that is reserved for one start. That start plays no other scenario. */
interface Reservation {
  readonly startNumber: number;
  readonly scenario: Scenario;
  isComplete: boolean;
}

/** What the plan knows about a client start when it chooses a scenario. */
interface ClientStart {
  /** True if the start plays only scenarios after which the client may exit. */
  readonly isReservedForExit: boolean;
  /** True once the start has had a scenario after which the client may exit. */
  hadExitScenario: boolean;
  readonly cursors: Set<string>;
}

/**
 * Assigns faults to requests: each new task gets the next scenario of its kind. A scenario after which the
 * client may exit has a start of its own, or is the last scenario of a start.
 */
export class FaultPlan {
  readonly #log = new TaskLog();
  #left: readonly Scenario[];
  #reserved: Reservation | undefined;
  readonly #starts = new Map<number, ClientStart>();
  readonly #timeScale: number;
  readonly #lastStart: number | undefined;
  #again: readonly Scenario[] = [];
  /** The starts that have played a scenario for the first time in the run. */
  readonly #newIn = new Set<number>();

  /**
   * @param scenarios in the order in which they are played
   * @param timeScale the factor for nominal seconds
   * @param lastStart the number of the last start; undefined if unknown
   */
  constructor(scenarios: readonly Scenario[], timeScale: number, lastStart?: number) {
    this.#left = [...scenarios];
    this.#timeScale = timeScale;
    this.#lastStart = lastStart;
  }

  get tasks(): readonly Task[] {
    return this.#log.tasks;
  }

  /** The scenarios that have had no task. */
  get scenariosLeft(): readonly Scenario[] {
    return this.#left;
  }

  /** True if no scenario is left for orders, lists, and the other kinds of tasks that this client performs. */
  get isPlayed(): boolean {
    const kinds = new Set<TaskKind>(["order", "page", ...this.tasks.map(({ kind }) => kind)]);
    return this.#left.every(({ target }) => !kinds.has(target));
  }

  /** The scenarios that every task of their kind plays. */
  get scenariosToRepeat(): readonly Scenario[] {
    return this.#again;
  }

  /** The scenarios that a start may play. */
  scenariosOf(startNumber: number): readonly Scenario[] {
    if (this.#reserved?.startNumber === startNumber) return [this.#reserved.scenario];
    return this.#again.length > 0 ? this.#again : this.#left;
  }

  /** True if the start has played a scenario that no start before it played. */
  hasNewIn(startNumber: number): boolean {
    return this.#newIn.has(startNumber);
  }

  /** The scenario with the longest waits. Undefined if no other scenario is left, or if it has begun. */
  get longest(): Scenario | undefined {
    return this.#left.length > 1 ? this.#left.find(({ isLong }) => isLong) : undefined;
  }

  /**
   * Reserves the scenario with the longest waits for one start, which plays no other scenario. False if there
   * is no such scenario.
   */
  reserveLongest(startNumber: number): boolean {
    const scenario = this.longest;
    if (!scenario) return false;
    this.#left = this.#left.filter((one) => one !== scenario);
    this.#reserved = { startNumber, scenario, isComplete: false };
    return true;
  }

  /**
   * Ends a reservation. Returns true if only other starts reached tasks of the scenario's kind. The next such
   * task then gets the scenario.
   */
  release(): boolean {
    const reserved = this.#reserved;
    this.#reserved = undefined;
    if (!reserved || reserved.isComplete) return false;
    const { scenario } = reserved;
    this.#left = [...this.#left, scenario];
    return this.tasks.some(({ kind }) => kind === scenario.target);
  }

  /** Repeats each of these scenarios on every task of its kind. */
  playAgain(scenarios: readonly Scenario[]): void {
    this.#again = scenarios;
  }

  faultFor(request: RecordedRequest): PlannedFault {
    const task = this.#log.add(request, (kind) => this.#next(kind, request));
    if (!task || hasShownAllWaits(task, this.#timeScale)) return NO_FAULT;
    return { fault: task.scenario?.steps[task.tries.length - 1], scenario: task.scenario };
  }

  #next(kind: TaskKind, request: RecordedRequest): Scenario | undefined {
    if (this.#reserved?.startNumber === request.startNumber) return nextReserved(this.#reserved, kind);
    const start = this.#startOf(request);
    if (kind === "page" && !isPlayedOn(request, start)) return undefined;
    // A new token after a refused token belongs to the task whose token was refused.
    if (
      kind === "token" &&
      this.tasks.some((task) => task.kind === kind && task.startNumber === request.startNumber)
    ) {
      return undefined;
    }
    const { startNumber } = request;
    const scenario = this.#left.find(
      (one) => one.target === kind && (!one.mayExit || this.#mayEnd(start, startNumber)),
    );
    if (!scenario) return this.#again.find(({ target }) => target === kind);
    this.#left = this.#left.filter((one) => one !== scenario);
    this.#newIn.add(startNumber);
    if (scenario.mayExit) start.hadExitScenario = true;
    return scenario;
  }

  #startOf({ startNumber }: RecordedRequest): ClientStart {
    const known = this.#starts.get(startNumber);
    if (known) return known;
    const start = {
      isReservedForExit: !this.#hasOrdersLeft,
      hadExitScenario: false,
      cursors: new Set<string>(),
    };
    this.#starts.set(startNumber, start);
    return start;
  }

  get #hasOrdersLeft(): boolean {
    return this.#left.some(({ target, mayExit: ends }) => target === "order" && !ends);
  }

  #mayEnd({ isReservedForExit, hadExitScenario }: ClientStart, startNumber: number): boolean {
    if (hadExitScenario) return false;
    const isLast = startNumber === this.#lastStart && !this.#hasOrdersLeft;
    return isReservedForExit || isLast || this.#left.every(({ mayExit: ends }) => ends);
  }
}

/** The reserved scenario, if this task is the first of the scenario's kind. */
function nextReserved(reserved: Reservation, kind: TaskKind): Scenario | undefined {
  if (reserved.isComplete || reserved.scenario.target !== kind) return undefined;
  reserved.isComplete = true;
  return reserved.scenario;
}

/** True for the first new cursor of a start, and for every second new cursor after it. */
function isPlayedOn({ query }: RecordedRequest, { cursors }: ClientStart): boolean {
  const cursor = query.get("since");
  if (cursor === null || cursors.has(cursor)) return false;
  cursors.add(cursor);
  return cursors.size % PAGE_INTERVAL === 1;
}
