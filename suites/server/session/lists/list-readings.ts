import { pause, wallClock } from "../../../core/clock.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { Exchange } from "../../../core/exchange.ts";
import { isSuccess } from "../../../core/responses.ts";

/** Time that a list may take to show a write (OPEN-146). */
export const LIST_LAG_MS = 10_000;

const LISTS: readonly OperationId[] = ["listDeliveries", "listStores", "listWebhooks"];
/** They change nothing that a list shows. */
const UNLISTED: readonly OperationId[] = ["obtainToken", "createQuote"];
/** Operations with which a failed check cleans up. */
const TIDYING: readonly OperationId[] = ["deleteWebhook"];

/**
 * Times of a check's writes and of its list readings. Reads may come from copies that lag separately: one reading that
 * shows a change doesn't mean that the next does (OPEN-146). All copies have to show only writes that are older than
 * the lag.
 */
export class EventuallyConsistentLists {
  /** Start of the check: data that it finds may have been written just before. */
  #writtenAt = wallClock();
  #mayHaveLagged = false;
  /** For each failure after which the check went on, true if such a list may have caused it. */
  readonly #failures: boolean[] = [];
  private readonly settleMs: number;

  /** @param settleMs a list is read no sooner after a change, in milliseconds; 0 for at once */
  constructor(settleMs = 0) {
    this.settleMs = settleMs;
  }

  /** Something was changed, through the API or the control interface. */
  noteChange(): void {
    this.#writtenAt = wallClock();
    this.#mayHaveLagged = false;
  }

  observe({ operation, method, startedAt, response, violates }: Exchange): void {
    if (LISTS.includes(operation)) {
      const isList = violates === undefined && response !== undefined && isSuccess(response);
      this.#mayHaveLagged = isList && startedAt - this.#writtenAt < LIST_LAG_MS;
      return;
    }
    if (method === "GET" || UNLISTED.includes(operation) || (response && !isSuccess(response))) return;
    const couldLag = this.#mayHaveLagged;
    this.noteChange();
    if (TIDYING.includes(operation)) this.#mayHaveLagged = couldLag;
  }

  /** Waits, before a list is read, until each copy has to show the check's writes. */
  async beforeSending(operation: OperationId): Promise<void> {
    if (this.settleMs > 0 && LISTS.includes(operation))
      await pause(this.#writtenAt + this.settleMs - wallClock());
  }

  /** The check has failed and goes on: its later writes and readings don't concern the failure. */
  noteFailure(): void {
    this.#failures.push(this.#mayHaveLagged);
  }

  /** True if the check's end, or each of its failures, rests on a list that may have lagged. */
  get mayHaveLagged(): boolean {
    return this.#failures.length > 0 ? this.#failures.every(Boolean) : this.#mayHaveLagged;
  }
}

/** Number of second tries that shows if lists lag. */
const MOST_FUTILE = 3;

/** The results of second runs of checks: after some failures and no pass, lists count as immediately consistent. */
export class LagRecord {
  #futile = 0;
  #hasLagged = false;
  /** Checks that failed at a list that may not have shown everything. */
  readonly #suspected = new Set<string>();

  /** True if it is worth reading lists again later. */
  get mayLag(): boolean {
    return this.#hasLagged || this.#futile < MOST_FUTILE;
  }

  suspect(check: string): void {
    this.#suspected.add(check);
  }

  isSuspected(check: string): boolean {
    return this.#suspected.has(check);
  }

  /** A suspected check ran again, with lists that have to show everything. */
  noteSecondRun(check: string, hasPassed: boolean): void {
    this.#suspected.delete(check);
    if (hasPassed) this.#hasLagged = true;
    else this.#futile += 1;
  }
}
