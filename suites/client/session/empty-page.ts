import { randomUUID } from "node:crypto";
import { isObject } from "../../core/json.ts";
import type { RecordedRequest } from "./request.ts";

/** A page without deliveries, after which more follow: legal, since a list's end is has_more and nothing else. */
interface EmptyPage {
  readonly items: readonly [];
  readonly next_cursor: string;
  readonly has_more: true;
}

/** What the service is asked: its cursor is one of the service's own. */
export type Asked = Pick<RecordedRequest, "round" | "query">;

/**
 * Puts an empty page into each walk through a list, so that a client is seen to go on after it: where a second walk had
 * none, it would go on for the first.
 */
export class EmptyPages {
  /** The cursors that lead to the empty pages, with those that go on after them. */
  readonly #goesOn = new Map<string, string>();
  /** The same the other way round: a walk that comes by the same place is led by the same cursor. */
  readonly #cursorsTo = new Map<string, string>();
  /** Rounds whose present walk has an empty page already. */
  readonly #led = new Set<number>();
  /** Rounds whose list was over with its first page. */
  readonly #short = new Set<number>();

  /** The empty page that this request asks for; undefined where it asks for the service's own. */
  asked({ query }: Asked): EmptyPage | undefined {
    const next = this.#goesOn.get(query.get("since") ?? "");
    return next === undefined ? undefined : { items: [], next_cursor: next, has_more: true };
  }

  /**
   * A page of the service with a cursor that leads by way of an empty page, where it is the walk's first that follows
   * a cursor and has more; the page as it is elsewhere. What the first page leads to may be played on already. Who hands
   * over one order in a start has no second page: there the first one leads to the empty page, and that to the end.
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

  /** A cursor to an empty page that goes on so. */
  #cursorTo(next: string): string {
    const cursor = this.#cursorsTo.get(next) ?? `ara-${randomUUID()}`;
    this.#cursorsTo.set(next, cursor);
    this.#goesOn.set(cursor, next);
    return cursor;
  }
}
