import { type ClientRequest, type Seen, textMember } from "./request.ts";
import type { Scenario } from "./scenarios.ts";

/** One order of the client's, with every creation that was sent for it. */
export interface Order {
  /** What the sandbox does to it; undefined once every scenario has been given to an earlier order. */
  readonly scenario: Scenario | undefined;
  /** In the order of arrival. */
  readonly tries: Seen[];
}

export const keyOf = (request: ClientRequest): string | undefined => request.headers["idempotency-key"];
export const referenceOf = (request: ClientRequest): string | undefined =>
  textMember(request.json, "external_ref");

const storeOf = (request: ClientRequest) => textMember(request.json, "store", "external_store_id");

/** What the client took from a try's end. */
export type Result = "accepted" | "refused" | "unauthorised" | "limited" | "failed" | "unknown";

/** `failed` is what is to be tried again with backoff: no whole answer, or 5xx; `unknown` is still under way. */
export function resultOf({ ending }: Seen): Result {
  if (ending === undefined) return "unknown";
  if (ending.response === undefined) return "failed";
  const { status } = ending.response;
  if (status >= 500) return "failed";
  if (status === 429) return "limited";
  if (status === 401) return "unauthorised";
  return status >= 400 ? "refused" : "accepted";
}

/** Whether the rules want another try after this end. */
export const isToBeRepeated = (seen: Seen): boolean =>
  ["failed", "limited", "unauthorised"].includes(resultOf(seen));

/**
 * Sorts creations into orders. What repeats an order is known by its key or by its order number, so that a client that
 * changes either of them is still seen to repeat. A number that comes with another key after its order was accepted is
 * no repetition but an order of its own, and so is a key that comes with another number then.
 */
export class OrderBook {
  readonly #orders: Order[] = [];
  readonly #scenarios: Scenario[];

  /** @param scenarios what is done to the first, second, third … order */
  constructor(scenarios: readonly Scenario[]) {
    this.#scenarios = [...scenarios];
  }

  get orders(): readonly Order[] {
    return this.#orders;
  }

  /** How many scenarios no order has met yet. */
  get waiting(): number {
    return this.#scenarios.length;
  }

  /** The order that a creation belongs to, which counts it as a try from now on. */
  add(request: Seen): Order {
    const known = this.#orders.findLast((order) => this.#repeats(order, request));
    if (known) {
      known.tries.push(request);
      return known;
    }
    const order = { scenario: this.#scenarios.shift(), tries: [request] };
    this.#orders.push(order);
    return order;
  }

  #repeats({ tries }: Order, request: Seen): boolean {
    const last = tries.at(-1);
    if (!last) return false;
    const sameKey = keyOf(request) !== undefined && keyOf(request) === keyOf(last);
    const sameNumber =
      referenceOf(request) !== undefined &&
      referenceOf(request) === referenceOf(last) &&
      storeOf(request) === storeOf(last);
    return resultOf(last) === "accepted" ? sameKey && sameNumber : sameKey || sameNumber;
  }
}
