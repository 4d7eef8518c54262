import { randomUUID } from "node:crypto";
import { isObject } from "../../core/json.ts";
import type { RecordedRequest } from "./request.ts";

/** A page without deliveries, after which more follow: legal, since a list's end is has_more and nothing else. */
interface EmptyPage {
  readonly items: readonly [];
  readonly next_cursor: string;
  readonly has_more: true;
}

type Asked = Pick<RecordedRequest, "round" | "query">;

/** Puts one empty page into the list of each round, so that a client is seen to go on after it. */
export class EmptyPages {
  /** The cursors that lead to the empty pages, with those that go on after them. */
  readonly #goesOn = new Map<string, string>();
  readonly #rounds = new Set<number>();

  /** The empty page that this request asks for; undefined where it asks for the service's own. */
  asked({ query }: Asked): EmptyPage | undefined {
    const next = this.#goesOn.get(query.get("since") ?? "");
    return next === undefined ? undefined : { items: [], next_cursor: next, has_more: true };
  }

  /**
   * A page of the service with a cursor that leads by way of an empty page, where it is the round's first that follows
   * a cursor and has more; the page as it is elsewhere. What the first page leads to may be played on already.
   */
  leadBy({ round, query }: Asked, page: unknown): unknown {
    if (!query.has("since") || this.#rounds.has(round) || !isObject(page)) return page;
    if (page.has_more !== true || typeof page.next_cursor !== "string") return page;
    this.#rounds.add(round);
    const cursor = `ara-${randomUUID()}`;
    this.#goesOn.set(cursor, page.next_cursor);
    return { ...page, next_cursor: cursor };
  }
}
