import type { OperationId } from "../core/contract/document.ts";
import { CoverageRecord } from "../core/contract/set-coverage.ts";
import { curlCommand, type Exchange, reportBlamedExchange } from "../core/exchange.ts";
import { describeCases } from "../core/grading/expectations/each-element.ts";
import { faultLine } from "../core/grading/failures/explain-failure.ts";
import { blockedBy, type Outcome } from "../core/grading/outcome.ts";
import { textMember, textOf } from "../core/json.ts";
import { isSuccess } from "../core/responses.ts";
import { type MemberPath, pathInWords } from "../core/text/member-paths.ts";
import type { Redactor } from "../core/text/redact.ts";
import type { PassiveCheck } from "./check.ts";
import { transcriptOf } from "./evidence/transcript.ts";
import type { Blocking } from "./schedule/blocking.ts";
import { isProxyAnswer } from "./session/outages/health-probe.ts";

/** True for an accepted order. */
function servesOrders({ operation, response, violates }: Exchange): boolean {
  return (
    operation === "createDelivery" &&
    violates === undefined &&
    response !== undefined &&
    isSuccess(response) &&
    textMember(response.json, "id") !== undefined
  );
}

/** The path of a delivery; undefined for another request. */
const deliveryPath = ({ url }: Exchange): string | undefined => /\/v1\/deliveries\/[^/?]+/.exec(url)?.[0];

const isChange = ({ operation, response }: Exchange): boolean =>
  (operation === "updateDelivery" || operation === "cancelDelivery") &&
  response !== undefined &&
  isSuccess(response);

/** The first fault at an operation, and the number of its occurrences. */
interface Fault {
  readonly exchange: Exchange;
  /** The last change of the same delivery before. */
  readonly change: Exchange | undefined;
  readonly fault: string;
  times: number;
}

interface CheckState {
  applicableCount: number;
  /** An error of the check itself, after which the check examines no further exchanges. */
  thrown?: Error;
  readonly operations: Set<OperationId>;
  /** Faults by operation, in order of occurrence. */
  readonly faults: Map<OperationId, Fault>;
  /** The number of faulty responses that aren't judged, because they may come from a proxy. */
  unjudged: number;
  readonly sets: CoverageRecord;
}

const unjudgedLine = (count: number): string =>
  `${count === 1 ? "1 response with 502, 503 or 504 wasn't" : `${count} responses with 502, 503 or 504 weren't`} judged: without the service's error body, ${count === 1 ? "it" : "they"} may come from a proxy`;

/** An exchange by itself has no webhooks and no control calls. */
const NO_OTHER_STEPS = { inboxes: [], trace: [] };

/** The number of faults shown with their exchanges, one per operation. */
const MAX_SHOWN = 6;

const inMembers = ([first, ...others]: readonly MemberPath[]): string =>
  first === undefined
    ? ""
    : ` in ${pathInWords(first)}${others.length > 0 ? ` and ${others.length} more` : ""}`;

/**
 * Runs passive checks on the exchanges of a run as they happen. For each check it keeps the first fault at
 * each operation, the operations without a fault, and counts.
 */
export class PassiveObserver {
  readonly #seen = new Map<string, CheckState>();

  /** The last change of each delivery, by its path. */
  readonly #changes = new Map<string, Exchange>();
  #hasServedOrder = false;
  private readonly checks: readonly PassiveCheck[];

  constructor(checks: readonly PassiveCheck[]) {
    this.checks = checks;
    for (const { id } of checks) {
      this.#seen.set(id, {
        applicableCount: 0,
        operations: new Set(),
        faults: new Map(),
        unjudged: 0,
        sets: new CoverageRecord(),
      });
    }
  }

  observe(exchange: Exchange): void {
    this.#hasServedOrder ||= servesOrders(exchange);
    for (const check of this.checks) {
      const seen = this.#seen.get(check.id);
      if (!seen || seen.thrown !== undefined) continue;
      try {
        this.#examine(check, seen, exchange);
      } catch (error) {
        seen.thrown = error instanceof Error ? error : new Error(textOf(error));
      }
    }
    const path = deliveryPath(exchange);
    if (path !== undefined && isChange(exchange)) this.#changes.set(path, exchange);
  }

  #examine(check: PassiveCheck, seen: CheckState, exchange: Exchange): void {
    if (!check.applies(exchange)) return;
    const fault = check.fault(exchange);
    if (fault !== undefined && exchange.response && isProxyAnswer(exchange.response)) {
      seen.unjudged += 1;
      return;
    }
    seen.applicableCount += 1;
    seen.operations.add(exchange.operation);
    if (check.coverage) {
      const { sets, elements } = check.coverage;
      // Only searches for elements that aren't covered yet.
      for (const set of sets) seen.sets.add(set, elements(exchange, seen.sets.missing(set)));
    }
    if (fault === undefined) return;
    const known = seen.faults.get(exchange.operation);
    if (known) known.times += 1;
    else {
      const change = this.#changes.get(deliveryPath(exchange) ?? "");
      seen.faults.set(exchange.operation, { exchange, change, fault, times: 1 });
    }
  }

  /** The number of faulty exchanges by operation. */
  timesOf({ id }: PassiveCheck): ReadonlyMap<OperationId, number> {
    const faults = this.#seen.get(id)?.faults ?? [];
    return new Map([...faults].map(([operation, { times }]) => [operation, times]));
  }

  /** The first faulty exchange of each operation. */
  faultyExchanges({ id }: PassiveCheck): readonly Exchange[] {
    return [...(this.#seen.get(id)?.faults.values() ?? [])].map(({ exchange }) => exchange);
  }

  /** @param blockers finds the check that failed because an operation is missing */
  outcome(check: PassiveCheck, redact: Redactor, blockers?: Pick<Blocking, "blockerOf">): Outcome {
    const seen = this.#seen.get(check.id);
    const coverage = seen?.sets.coverage ?? [];
    const unjudged = seen?.unjudged ?? 0;
    const base = {
      duration_ms: 0,
      requests: 0,
      ...(coverage.length > 0 && { coverage }),
      ...(unjudged > 0 && { account: [unjudgedLine(unjudged)] }),
    };
    if (seen?.thrown && seen.faults.size === 0)
      return { ...base, status: "errored", message: redact.text(faultLine(seen.thrown)) };
    if (!seen || seen.applicableCount === 0) {
      return {
        ...base,
        status: "not_verified",
        message: "no exchange of this run is evidence about its clauses",
      };
    }
    const faults = [...seen.faults.values()].toSorted((a, b) => a.exchange.startedAt - b.exchange.startedAt);
    // Responses of a missing operation say nothing about other responses.
    const own = faults.filter(({ exchange }) => blockers?.blockerOf(exchange.operation) === undefined);
    const [leading] = own;
    const blocker = blockers?.blockerOf(faults[0]?.exchange.operation ?? "createDelivery");
    if (!leading && (faults.length > 0 || !this.#hasServedOrder) && blocker !== undefined)
      return blockedBy(blocker);
    if (!leading && !this.#hasServedOrder) {
      return {
        ...base,
        status: "not_verified",
        message: "the target accepted no order, so nothing is proven",
      };
    }
    if (!leading) return { ...base, status: "passed" };
    const { exchange, change, fault } = leading;
    const shown = (one: Fault) =>
      reportBlamedExchange(one.exchange, redact, check.faultyMembers?.(one.exchange)[0]);
    const place = inMembers(check.faultyMembers?.(exchange) ?? []);
    const shared = check.commonCause?.(exchange);
    const held = [...seen.operations].filter((operation) => !seen.faults.has(operation));
    const cases = { failed: own.map((one) => one.exchange.operation), held, not_reached: [] };
    const isOneOfSeveral = cases.failed.length + held.length > 1;
    return {
      ...base,
      status: "failed",
      // Shows whether all responses are wrong, or only those of one operation.
      ...(isOneOfSeveral && { at: describeCases("operations", cases), cases }),
      operation: exchange.operation,
      message: redact.body(
        `${fault}${place} (${faults.reduce((sum, { times }) => sum + times, 0)} of ${seen.applicableCount} exchanges; this is the first)`,
      ),
      subject: redact.body(`${fault}${place}`),
      relation: "not to happen",
      ...(shared !== undefined && { fault: redact.text(shared) }),
      ...(change && {
        steps: transcriptOf([change, exchange], NO_OTHER_STEPS, {
          baseUrl: new URL(exchange.url).origin,
          redact,
          end: exchange.startedAt,
        }),
      }),
      curl: curlCommand(exchange, redact),
      // The decisive exchange comes last, as in all failures.
      exchanges: own.slice(0, MAX_SHOWN).toReversed().map(shown),
    };
  }
}
