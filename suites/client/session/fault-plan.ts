import type { Fault } from "./fault.ts";
import type { Seen } from "./request.ts";
import type { Scenario } from "./scenarios.ts";
import { type Task, type TaskKind, TaskLog } from "./task.ts";

/** What the sandbox does to a request, and in which scenario. */
export interface Turn {
  readonly fault: Fault | undefined;
  readonly scenario: Scenario | undefined;
}

const NOTHING: Turn = { fault: undefined, scenario: undefined };

/** Pages between two that a scenario is played on, so that a client is seen to go on after each. */
const PAGES_BETWEEN = 2;

/** Which fault meets which request: each new order takes the next scenario, and so do pages asked for by cursor. */
export class FaultPlan {
  readonly #log = new TaskLog();
  readonly #left: Scenario[];
  readonly #cursors = new Set<string>();

  /** @param scenarios in the order in which they are played */
  constructor(scenarios: readonly Scenario[]) {
    this.#left = [...scenarios];
  }

  get tasks(): readonly Task[] {
    return this.#log.tasks;
  }

  /** The scenarios that nothing has met yet. */
  get left(): readonly Scenario[] {
    return this.#left;
  }

  turnOf(request: Seen): Turn {
    const task = this.#log.add(request, (kind) => this.#next(kind, request));
    return task ? { fault: task.scenario?.steps[task.tries.length - 1], scenario: task.scenario } : NOTHING;
  }

  #next(kind: TaskKind, request: Seen): Scenario | undefined {
    if (kind === "page" && !this.#isPlayedOn(request)) return undefined;
    const index = this.#left.findIndex(({ target }) => target === kind);
    return index < 0 ? undefined : this.#left.splice(index, 1)[0];
  }

  #isPlayedOn({ query }: Seen): boolean {
    const cursor = query.get("since");
    if (cursor === null || this.#cursors.has(cursor)) return false;
    this.#cursors.add(cursor);
    return this.#cursors.size % PAGES_BETWEEN === 0;
  }
}
