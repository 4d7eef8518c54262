import { isObject } from "../../../core/json.ts";
import type { RecordedRequest } from "../request.ts";

/** An empty page with a next page. This is allowed, because only has_more ends a list. */
interface EmptyPage {
  readonly items: readonly [];
  readonly next_cursor: string;
  readonly has_more: true;
}

/** The request for the service, with the service's own cursor. */
export type ServiceRequest = Pick<RecordedRequest, "startNumber" | "query">;

/** Inserts an empty page into each pass through a list, to test whether the client continues after it. */
export class EmptyPages {
  /** The cursors that lead to empty pages, with the cursors that follow. */
  readonly #goesOn = new Map<string, string>();
  /** The reverse mapping, so that the same position always gets the same cursor. */
  readonly #cursorsTo = new Map<string, string>();
  /** Starts whose current pass has its empty page. */
  readonly #led = new Set<number>();
  /** Starts whose list ended with its first page. */
  readonly #short = new Set<number>();
  readonly #drawPart: () => string;

  /** @param drawPart returns parts of the run's cursors */
  constructor(drawPart: () => string) {
    this.#drawPart = drawPart;
  }

  /** The empty page for this request; undefined to forward the request. */
  asked({ query }: ServiceRequest): EmptyPage | undefined {
    const next = this.#goesOn.get(query.get("since") ?? "");
    return next === undefined ? undefined : { items: [], next_cursor: next, has_more: true };
  }

  /**
   * Inserts an empty page by changing the cursor after a pass's second page. Other pages are returned
   * unchanged. The first page's cursor may already have a scenario. If there is only one page, its cursor
   * leads to the empty page.
   */
  leadBy({ startNumber, query }: ServiceRequest, page: unknown): unknown {
    if (!isObject(page) || typeof page.next_cursor !== "string") return page;
    if (!query.has("since")) {
      this.#led.delete(startNumber);
      return this.#leadFromShortList(startNumber, { ...page, next_cursor: page.next_cursor });
    }
    if (this.#led.has(startNumber) || page.has_more !== true) return page;
    this.#led.add(startNumber);
    return { ...page, next_cursor: this.#cursorTo(page.next_cursor) };
  }

  #leadFromShortList(
    startNumber: number,
    page: { readonly next_cursor: string; [name: string]: unknown },
  ): object {
    const isOver = page.has_more === false && Array.isArray(page.items) && page.items.length > 0;
    if (!isOver || this.#short.has(startNumber)) return page;
    this.#short.add(startNumber);
    return { ...page, has_more: true, next_cursor: this.#cursorTo(page.next_cursor) };
  }

  /** Creates a cursor of an empty page before this cursor. */
  #cursorTo(next: string): string {
    const cursor = this.#cursorsTo.get(next) ?? `ara-${this.#drawPart()}-${this.#drawPart()}`;
    this.#cursorsTo.set(next, cursor);
    this.#goesOn.set(cursor, next);
    return cursor;
  }
}
