import { randomBytes } from "node:crypto";
import { isObject } from "../../core/json.ts";

const drawn = (): string => randomBytes(6).toString("base64url");

/**
 * What stands in a cursor is up to the service, and a client hands on what it got. Each of these holds what is lost where
 * a query isn't encoded, or encoded twice, where padding is taken off, or capital letters are made small.
 */
const newCursor = (): string => `${drawn()}+${drawn()}/%2B&${drawn()}==`;

/** Gives the cursors of the service another look, and knows them again. */
export class Cursors {
  readonly #given = new Map<string, string>();
  /** The same the other way round: one place in a list has one cursor. */
  readonly #ofService = new Map<string, string>();

  /** The page as the client gets it. */
  give(page: unknown): unknown {
    if (!isObject(page) || typeof page.next_cursor !== "string") return page;
    const known = this.#given.get(page.next_cursor);
    const cursor = known ?? newCursor();
    this.#given.set(page.next_cursor, cursor);
    this.#ofService.set(cursor, page.next_cursor);
    return { ...page, next_cursor: cursor };
  }

  /** What the service is asked; a cursor that was never given stays as it came, and is refused there. */
  asked(query: URLSearchParams): URLSearchParams {
    const own = this.#ofService.get(query.get("since") ?? "");
    if (own === undefined) return query;
    const asked = new URLSearchParams(query);
    asked.set("since", own);
    return asked;
  }
}

/**
 * A plus sign in a query is a space to forms and a plus sign to RFC 3986, and the specification names neither: it is
 * taken for what the client got, since no cursor has a space.
 */
export function withPlusSigns(query: URLSearchParams): URLSearchParams {
  const cursor = query.get("since");
  if (cursor?.includes(" ")) query.set("since", cursor.replaceAll(" ", "+"));
  return query;
}
