import type { Disturbance } from "../../core/confirmation/disturbance.ts";
import { Evidence } from "../session/evidence.ts";
import type { Completion, RecordedRequest } from "../session/request.ts";
import { describeFault, type Fault } from "../session/scenarios/fault.ts";
import { FaultPlan } from "../session/scenarios/fault-plan.ts";
import { SCENARIOS, type ScenarioName } from "../session/scenarios/scenarios.ts";

/** The times of a client in a simulated run. A simulated run is deterministic. */
export interface Pace {
  readonly timeScale: number;
  /** The milliseconds from a response to the next request. */
  readonly turnaround: () => number;
  /**
   * Returns the nominal seconds to wait, by the number of consecutive failures, by Retry-After, by whether
   * there was a response, and by whether the call is an order.
   */
  readonly wait: (
    failures: number,
    retryAfter: number | undefined,
    wasAnswered: boolean,
    isOrder: boolean,
  ) => number;
  readonly tries: number;
  /** True if an attempt, counted from 1, reuses a connection. Defaults to false. */
  readonly isOnUsedConnection?: (attempt: number) => boolean;
  /** The milliseconds between two orders. */
  readonly betweenOrders?: () => number;
  /** The number of further orders, each of which gets another short outage. */
  readonly again?: number;
  /** Disturbances of the suite's process. */
  readonly disturbances?: readonly Disturbance[];
  /** True if two starts of the client ran at the same time. */
  readonly hasOverlap?: boolean;
}

/** The scenarios: some for first waits, some for longer waits, and a rate limit. */
const PLAYED = [
  "server-error",
  "other-words",
  "bad-gateway",
  "unavailable",
  "reset",
  "outage",
  "rate-limit",
  "token-unavailable",
  "store-unavailable",
  "page-unavailable",
] as const satisfies readonly ScenarioName[];
const ORDERS = 12;
const PAGES = 10;
const ANSWERED_IN_MS = 3;

type Wanted = Pick<RecordedRequest, "operation" | "method" | "path" | "json">;

const TOKEN: Wanted = {
  operation: "obtainToken",
  method: "POST",
  path: "/oauth/token",
  json: { client_id: "till" },
};
const STORE: Wanted = {
  operation: "registerStore",
  method: "POST",
  path: "/v1/stores",
  json: { external_store_id: "till" },
};
const LIST: Wanted = { operation: "listDeliveries", method: "GET", path: "/v1/deliveries", json: undefined };
const order = (number: number): Wanted => ({
  operation: "createDelivery",
  method: "POST",
  path: "/v1/deliveries",
  json: { external_ref: `order-${number}`, store: { external_store_id: "till" } },
});

/**
 * Returns what the sandbox records of a client with these times. The client obtains a token, links its store,
 * places orders and reads the list.
 */
export function simulatedRun(pace: Pace): Evidence {
  const scenarios = PLAYED.map((name) => ({ name, ...SCENARIOS[name] }));
  const plan = new FaultPlan(scenarios, pace.timeScale);
  const requests: RecordedRequest[] = [];
  let now = 0;

  const send = (wanted: Wanted, attempt: number, cursor?: string): RecordedRequest => {
    now += pace.turnaround();
    const one: RecordedRequest = {
      ...wanted,
      number: requests.length + 1,
      startNumber: 1,
      query: new URLSearchParams(cursor === undefined ? {} : { since: cursor }),
      headers:
        wanted.operation === "createDelivery" ? { "idempotency-key": JSON.stringify(wanted.json) } : {},
      body: Buffer.from(JSON.stringify(wanted.json ?? "")),
      token: wanted.operation === "obtainToken" ? undefined : "token",
      connectionReused: pace.isOnUsedConnection?.(attempt) ?? false,
      arrivedAt: now,
      startedAt: now,
      completion: undefined,
      fault: undefined,
      servedStatus: undefined,
    };
    requests.push(one);
    const { fault } = plan.faultFor(one);
    one.fault = fault && describeFault(fault);
    now += ANSWERED_IN_MS;
    one.completion = endingOf(fault, one, now);
    return one;
  };
  const persist = (wanted: Wanted, cursor?: string): void => {
    for (let failures = 1; ; failures += 1) {
      const { completion } = send(wanted, failures, cursor);
      const status = completion?.response?.status ?? 0;
      if ((status > 0 && status < 429) || failures >= pace.tries) return;
      const retryAfter = status === 429 ? 6 : undefined;
      const isOrder = wanted.operation === "createDelivery";
      now += pace.wait(failures, retryAfter, status > 0, isOrder) * pace.timeScale * 1000;
    }
  };

  persist(TOKEN);
  persist(STORE);
  for (let number = 1; number <= ORDERS; number += 1) {
    now += pace.betweenOrders?.() ?? 0;
    persist(order(number));
  }
  plan.playAgain([{ name: "unavailable", ...SCENARIOS.unavailable }]);
  for (let number = 1; number <= (pace.again ?? 0); number += 1) persist(order(ORDERS + number));
  for (let page = 1; page <= PAGES; page += 1) persist(LIST, page === 1 ? undefined : `cursor-${page}`);
  return new Evidence({
    url: "http://sandbox",
    requests,
    tasks: plan.tasks,
    timeScale: pace.timeScale,
    endedStarts: new Set([1]),
    endedAt: now,
    disturbances: pace.disturbances ?? [],
    hasOverlap: pace.hasOverlap ?? false,
  });
}

function endingOf(fault: Fault | undefined, { operation, number }: RecordedRequest, at: number): Completion {
  if (fault?.kind === "reset") return { at, response: undefined, failure: "the connection was reset" };
  const json =
    operation === "obtainToken"
      ? { access_token: "token" }
      : { next_cursor: `cursor-${number + 1}`, has_more: true };
  const status = fault && "status" in fault ? fault.status : 200;
  const text = JSON.stringify(json);
  return { at, response: { status, headers: {}, bytes: Buffer.from(text), text, json }, failure: undefined };
}
