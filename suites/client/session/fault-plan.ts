import type { Fault } from "./fault.ts";
import { OrderBook } from "./order.ts";
import type { Seen } from "./request.ts";
import type { Scenario } from "./scenarios.ts";

/** What the sandbox does to a request, and in which scenario. */
export interface Turn {
  readonly fault: Fault | undefined;
  readonly scenario: Scenario | undefined;
}

const NOTHING: Turn = { fault: undefined, scenario: undefined };

/** Pages between two that a scenario is played on, so that a client is seen to go on after each. */
const PAGES_BETWEEN = 2;

/** A list that a client catches up with, and no search for one order. */
export const isCatchUp = ({ operation, query }: Seen): boolean =>
  operation === "listDeliveries" && !query.has("external_ref");

/** Which fault meets which request: each new order takes the next scenario, and so do pages asked for by cursor. */
export class Script {
  readonly book: OrderBook;
  readonly #pages: Scenario[];
  readonly #cursors = new Set<string>();
  /** The page that each played scenario met, by the cursor. */
  readonly playedPages = new Map<Scenario, Seen>();

  constructor(scenarios: readonly Scenario[]) {
    this.book = new OrderBook(scenarios.filter(({ target }) => target === "order"));
    this.#pages = scenarios.filter(({ target }) => target === "page");
  }

  /** Whether every scenario has met what it is for. */
  get isPlayed(): boolean {
    return this.book.waiting === 0 && this.#pages.length === 0;
  }

  turnOf(request: Seen): Turn {
    if (request.operation === "createDelivery") {
      const { scenario, tries } = this.book.add(request);
      return { fault: scenario?.steps[tries.length - 1], scenario };
    }
    return isCatchUp(request) ? this.#page(request) : NOTHING;
  }

  #page(request: Seen): Turn {
    const cursor = request.query.get("since");
    if (cursor === null || this.#cursors.has(cursor)) return NOTHING;
    this.#cursors.add(cursor);
    if (this.#cursors.size % PAGES_BETWEEN !== 0) return NOTHING;
    const scenario = this.#pages.shift();
    if (scenario) this.playedPages.set(scenario, request);
    return { fault: scenario?.steps[0], scenario };
  }
}
