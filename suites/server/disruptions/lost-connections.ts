import type { OperationId } from "../../core/contract/document.ts";
import type { Exchange } from "../../core/exchange.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { isUnavailable } from "../../core/http/unavailable.ts";

/** How often a check is tried where connections are lost: at random, that is never at the same request each time. */
const MAX_ATTEMPTS = 4;
/** An operation that gave no answer in time in so many tries gives none. */
const MAX_LATE = 3;
/** One that was unavailable in so many tries, and gave no other answer in the last of them, is so. */
const MAX_UNAVAILABLE = 2;

/** One try of a check, with what it saw of lost connections. */
export interface CheckAttempt {
  readonly outcome: Outcome;
  readonly connections: LostConnections;
  /** What there is to say of a webhook's attempt that was probably lost on its way to the suite. */
  readonly lostAttempt?: string;
  /** Where the target stopped answering meanwhile: whether a request of this check did that, or another's. */
  readonly outage?: "caused" | "suffered";
}

/** What a check saw of connections that were lost before an answer, and of answers that didn't come in time. */
export class LostConnections {
  #repeated = 0;
  #unanswered: OperationId | undefined;
  #late: OperationId | undefined;
  #unavailable: OperationId | undefined;
  readonly #available = new Set<OperationId>();
  #ofControl = false;

  observe(exchange: Exchange): void {
    const { operation, isRetried = false, isConnectionLost = false, isLate = false, response } = exchange;
    if (isRetried) this.#repeated += 1;
    if (response && isUnavailable(response.status)) this.#unavailable = operation;
    else if (response) this.#available.add(operation);
    this.endedBy({ operation, isConnectionLost, isLate });
  }

  /** What ended the check: a request of its own, or one that several checks waited for together. */
  endedBy({
    operation,
    isConnectionLost,
    isLate,
  }: Pick<Exchange, "operation" | "isConnectionLost" | "isLate">): void {
    if (isConnectionLost) this.#unanswered = operation;
    if (isLate) this.#late = operation;
  }

  /** A call of the control interface ended the check, done or not. */
  endedByControl(): void {
    this.#ofControl = true;
  }

  /** Whether a request may have been seen twice, or not at all: what then fails may be no fault of the target's. */
  get any(): boolean {
    const odd = [this.#unanswered, this.#late, this.#unavailable];
    return this.#ofControl || this.#repeated > 0 || odd.some((operation) => operation !== undefined);
  }

  /** The operation that was answered with 502, 503 or 504: as a rule by a balancer, while the service is replaced. */
  get unavailable(): OperationId | undefined {
    return this.#unavailable;
  }

  /** Whether that operation gave other answers too, as one does whose balancer answers in its place now and then. */
  get isUnavailableAtTimes(): boolean {
    return this.#unavailable !== undefined && this.#available.has(this.#unavailable);
  }

  /** The operation that stayed without an answer since its connection was lost. */
  get unanswered(): OperationId | undefined {
    return this.#unanswered;
  }

  /** The operation whose answer didn't come in time: a machine that stands still for a moment leaves all unanswered. */
  get late(): OperationId | undefined {
    return this.#late;
  }

  /** What is told of it, whether the check passes or not. */
  get account(): readonly string[] {
    const count = this.#repeated;
    return count === 0
      ? []
      : [
          `${count} request${count === 1 ? "" : "s"} lost the connection before an answer, and went out once more`,
        ];
  }
}

const noted = (outcome: Outcome, late: readonly OperationId[]): Outcome =>
  late.length === 0
    ? outcome
    : {
        ...outcome,
        account: [
          ...(outcome.account ?? []),
          `tried again, since no answer came in time at ${[...new Set(late)].join(", ")}`,
        ],
      };

/**
 * Tries a check again, from its start and with data of its own, where it lost connections, or had no answer in time, and
 * didn't pass: balancers reset some, machines stand still, and what was under way may have been done or not. A request that
 * loses its connection in each try, or that has no answer in several, is a finding, and so is what is unavailable (502, 503,
 * 504) again, or in each try where it answers otherwise too; anything else that can't be told ends as not testable. A check
 * that an outage disturbs is tried as often as that happens: outages come to an end.
 */
export async function retryOnLostConnections(once: () => Promise<CheckAttempt>): Promise<Outcome> {
  const unanswered = new Set<OperationId | undefined>();
  const late: OperationId[] = [];
  const unavailable = new Map<OperationId, number>();
  let silent: Outcome | undefined;
  for (let tries = 1; ; tries += 1) {
    const { outcome, connections, outage } = await once();
    if (outage === "caused") return outcome;
    if (outage === "suffered" && outcome.status !== "passed" && outcome.status !== "errored") {
      tries -= 1;
      continue;
    }
    // Others found meanwhile that the operation gives no answer: it isn't asked any more.
    if (
      silent?.operation !== undefined &&
      outcome.status === "not_testable" &&
      outcome.operation === silent.operation
    )
      return silent;
    if (outcome.status === "passed" || outcome.status === "errored" || !connections.any)
      return noted(outcome, late);
    if (connections.unavailable !== undefined) {
      const times = (unavailable.get(connections.unavailable) ?? 0) + 1;
      const most = connections.isUnavailableAtTimes ? MAX_ATTEMPTS : MAX_UNAVAILABLE;
      if (times >= most || tries >= MAX_ATTEMPTS) return noted(outcome, late);
      unavailable.set(connections.unavailable, times);
      continue;
    }
    if (connections.late !== undefined) {
      silent = { ...outcome, operation: connections.late };
      late.push(connections.late);
      if (late.filter((one) => one === connections.late).length >= MAX_LATE) return outcome;
    }
    unanswered.add(connections.unanswered);
    if (tries < MAX_ATTEMPTS) continue;
    const [request] = unanswered;
    if (unanswered.size === 1 && request !== undefined) {
      return { ...outcome, message: `the connection was lost at ${request} in each of ${tries} tries` };
    }
    const { duration_ms, requests, account } = outcome;
    return {
      status: "not_testable",
      duration_ms,
      requests,
      ...(account && { account }),
      message: `connections to the target were lost, or answers didn't come in time, in each of ${tries} tries, so that what was seen can't be told from a fault: ${outcome.message ?? ""}`,
    };
  }
}
