import { isObject } from "../../../core/json.ts";
import type { RecordedRequest } from "../request.ts";

/** A page without deliveries that more pages follow. It is legal: only has_more ends a list. */
interface EmptyPage {
  readonly items: readonly [];
  readonly next_cursor: string;
  readonly has_more: true;
}

/** The request to forward, with the service's own cursor. */
export type Asked = Pick<RecordedRequest, "round" | "query">;

/**
 * Inserts an empty page into each walk through a list, so that a client is seen to continue after it. A second walk
 * without one would hide a client that stopped the first walk.
 */
export class EmptyPages {
  /** The cursors of the empty pages, with the cursors that follow them. */
  readonly #goesOn = new Map<string, string>();
  /** The reverse mapping, so that walks through the same place get the same cursor. */
  readonly #cursorsTo = new Map<string, string>();
  /** Rounds whose current walk already has an empty page. */
  readonly #led = new Set<number>();
  /** Rounds whose list ended with its first page. */
  readonly #short = new Set<number>();
  readonly #drawPart: () => string;

  /** @param drawPart gives the parts of the run's cursors */
  constructor(drawPart: () => string) {
    this.#drawPart = drawPart;
  }

  /** The empty page for this request; undefined if the request goes to the service. */
  asked({ query }: Asked): EmptyPage | undefined {
    const next = this.#goesOn.get(query.get("since") ?? "");
    return next === undefined ? undefined : { items: [], next_cursor: next, has_more: true };
  }

  /**
   * Rewrites the cursor of the walk's first page that follows a cursor and has more, so that it points to an empty
   * page; returns other pages unchanged. The cursor of the first page may already have a scenario. A client with one
   * order per start has no second page: its first page points to the empty page, which points to the end.
   */
  leadBy({ round, query }: Asked, page: unknown): unknown {
    if (!isObject(page) || typeof page.next_cursor !== "string") return page;
    if (!query.has("since")) {
      this.#led.delete(round);
      return this.#leadFromShortList(round, { ...page, next_cursor: page.next_cursor });
    }
    if (this.#led.has(round) || page.has_more !== true) return page;
    this.#led.add(round);
    return { ...page, next_cursor: this.#cursorTo(page.next_cursor) };
  }

  #leadFromShortList(round: number, page: { readonly next_cursor: string; [name: string]: unknown }): object {
    const isOver = page.has_more === false && Array.isArray(page.items) && page.items.length > 0;
    if (!isOver || this.#short.has(round)) return page;
    this.#short.add(round);
    return { ...page, has_more: true, next_cursor: this.#cursorTo(page.next_cursor) };
  }

  /** Creates a cursor to an empty page that continues with this cursor. */
  #cursorTo(next: string): string {
    const cursor = this.#cursorsTo.get(next) ?? `ara-${this.#drawPart()}-${this.#drawPart()}`;
    this.#cursorsTo.set(next, cursor);
    this.#goesOn.set(cursor, next);
    return cursor;
  }
}
