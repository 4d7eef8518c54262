import { isObject } from "../../../core/json.ts";
import type { RecordedRequest } from "../request.ts";

/** An empty page that has a next page. A service may return such a page, because only has_more ends a list. */
interface EmptyPage {
  readonly items: readonly [];
  readonly next_cursor: string;
  readonly has_more: true;
}

/** A request as it is sent to the service, with the service's own cursor. */
export type ServiceRequest = Pick<RecordedRequest, "startNumber" | "query">;

/** Inserts an empty page each time a client reads a list, to test whether the client continues after it. */
export class EmptyPages {
  /** For the cursor of each empty page, the cursor of the page after it. */
  readonly #nextByCursor = new Map<string, string>();
  /**
   * For the cursor of a page, the cursor of the empty page before it, so that a position always gets the same
   * cursor.
   */
  readonly #cursorsTo = new Map<string, string>();
  /** Starts of the client that have already got an empty page in the list that they are reading. */
  readonly #startsWithEmptyPage = new Set<number>();
  /** Starts of the client whose list had only one page. */
  readonly #startsWithShortList = new Set<number>();
  readonly #drawPart: () => string;

  /** @param drawPart returns parts of the run's cursors */
  constructor(drawPart: () => string) {
    this.#drawPart = drawPart;
  }

  /** The empty page that answers this request; undefined if the request must be forwarded. */
  emptyPageFor({ query }: ServiceRequest): EmptyPage | undefined {
    const next = this.#nextByCursor.get(query.get("since") ?? "");
    return next === undefined ? undefined : { items: [], next_cursor: next, has_more: true };
  }

  /**
   * Replaces the cursor on the second page of a list, or on its only page, by the cursor of an empty page. If
   * there are more pages, the first page keeps its cursor, because that cursor may have a scenario.
   */
  insertEmptyPage({ startNumber, query }: ServiceRequest, page: unknown): unknown {
    if (!isObject(page) || typeof page.next_cursor !== "string") return page;
    if (!query.has("since")) {
      this.#startsWithEmptyPage.delete(startNumber);
      return this.#insertAfterShortList(startNumber, { ...page, next_cursor: page.next_cursor });
    }
    if (this.#startsWithEmptyPage.has(startNumber) || page.has_more !== true) return page;
    this.#startsWithEmptyPage.add(startNumber);
    return { ...page, next_cursor: this.#cursorTo(page.next_cursor) };
  }

  #insertAfterShortList(
    startNumber: number,
    page: { readonly next_cursor: string; [name: string]: unknown },
  ): object {
    const isOver = page.has_more === false && Array.isArray(page.items) && page.items.length > 0;
    if (!isOver || this.#startsWithShortList.has(startNumber)) return page;
    this.#startsWithShortList.add(startNumber);
    return { ...page, has_more: true, next_cursor: this.#cursorTo(page.next_cursor) };
  }

  /** Returns the cursor of an empty page whose next page is `next`. */
  #cursorTo(next: string): string {
    const cursor = this.#cursorsTo.get(next) ?? `ara-${this.#drawPart()}-${this.#drawPart()}`;
    this.#cursorsTo.set(next, cursor);
    this.#nextByCursor.set(cursor, next);
    return cursor;
  }
}
