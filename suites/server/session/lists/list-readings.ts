import { pause, wallClock } from "../../../core/clock.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { Exchange } from "../../../core/exchange.ts";
import { isSuccess } from "../../../core/responses.ts";

/** The milliseconds by which a list may lag behind a write (OPEN-146). */
export const LIST_LAG_MS = 10_000;

const LISTS: readonly OperationId[] = ["listDeliveries", "listStores", "listWebhooks"];
/** Operations that don't change any list. */
const NEVER_LISTED: readonly OperationId[] = ["obtainToken", "createQuote"];
/** Operations with which a failed check cleans up. */
const CLEANUP_OPERATIONS: readonly OperationId[] = ["deleteWebhook"];

/**
 * The times of a check's writes and list reads. Replicas may lag differently, so a change that one read returns
 * may be missing in the next read (OPEN-146). Only writes older than the maximum lag must be in all replicas.
 */
export class EventuallyConsistentLists {
  /**
   * The time of the last write, initially the check's start, because its data may have been written just
   * before.
   */
  #writtenAt = wallClock();
  #mayHaveLagged = false;
  /** For each failure after which the check continued, true if a lagging list may be the cause. */
  readonly #failures: boolean[] = [];
  private readonly settleMs: number;

  /** @param settleMs the minimum time in milliseconds between a change and a list read. Defaults to 0 */
  constructor(settleMs = 0) {
    this.settleMs = settleMs;
  }

  /** Records a change through the API or the control interface. */
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
    if (method === "GET" || NEVER_LISTED.includes(operation) || (response && !isSuccess(response))) return;
    const couldLag = this.#mayHaveLagged;
    this.noteChange();
    if (CLEANUP_OPERATIONS.includes(operation)) this.#mayHaveLagged = couldLag;
  }

  /** Before a list read, waits until all replicas have the check's writes. */
  async beforeSending(operation: OperationId): Promise<void> {
    if (this.settleMs > 0 && LISTS.includes(operation))
      await pause(this.#writtenAt + this.settleMs - wallClock());
  }

  /** Records a failure after which the check continues. Later writes and reads don't explain that failure. */
  noteFailure(): void {
    this.#failures.push(this.#mayHaveLagged);
  }

  /** True if a lagging list may be the cause of the check's end, or of each of its failures. */
  get mayHaveLagged(): boolean {
    return this.#failures.length > 0 ? this.#failures.every(Boolean) : this.#mayHaveLagged;
  }
}
