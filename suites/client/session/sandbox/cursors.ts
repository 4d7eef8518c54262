import { createHash } from "node:crypto";
import { isObject } from "../../../core/json.ts";

/** Creates parts of cursors from the seed, so that a second run of a client gets the same cursors. */
export function cursorParts(seed: number): () => string {
  let count = 0;
  return () => {
    count += 1;
    return createHash("sha256").update(`cursor ${seed} ${count}`).digest("base64url").slice(0, 8);
  };
}

/** Replaces the service's cursors by other cursors for the client, and maps them back. */
export class Cursors {
  readonly #given = new Map<string, string>();
  /** The client's cursor for each cursor of the service, so that a position in a list has only one cursor. */
  readonly #ofService = new Map<string, string>();
  readonly #drawPart: () => string;

  /** @param drawPart see {@link cursorParts} */
  constructor(drawPart: () => string) {
    this.#drawPart = drawPart;
  }

  /**
   * Creates a cursor with characters that break if the client doesn't encode the query, encodes it twice, drops
   * the padding, or changes the case. A client must return a cursor unchanged.
   */
  #newCursor(): string {
    return `${this.#drawPart()}+${this.#drawPart()}/%2B&${this.#drawPart()}==`;
  }

  /** The page with the service's cursor replaced by the client's. */
  toClient(page: unknown): unknown {
    if (!isObject(page) || typeof page.next_cursor !== "string") return page;
    const known = this.#given.get(page.next_cursor);
    const cursor = known ?? this.#newCursor();
    this.#given.set(page.next_cursor, cursor);
    this.#ofService.set(cursor, page.next_cursor);
    return { ...page, next_cursor: cursor };
  }

  /**
   * The query with the client's cursor replaced by the service's. An unknown cursor is kept, and the service
   * refuses it.
   */
  toService(query: URLSearchParams): URLSearchParams {
    const own = this.#ofService.get(query.get("since") ?? "");
    if (own === undefined) return query;
    const asked = new URLSearchParams(query);
    asked.set("since", own);
    return asked;
  }
}

/**
 * Replaces spaces in the cursor by plus signs. A plus sign in a query is a space in HTML forms, and a plus in
 * RFC 3986. The specification names neither standard, so the sandbox accepts both: no cursor contains a space.
 */
export function withPlusSigns(query: URLSearchParams): URLSearchParams {
  const cursor = query.get("since");
  if (cursor?.includes(" ")) query.set("since", cursor.replaceAll(" ", "+"));
  return query;
}
