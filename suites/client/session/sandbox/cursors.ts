import { randomBytes } from "node:crypto";
import { isObject } from "../../../core/json.ts";

const drawn = (): string => randomBytes(6).toString("base64url");

/**
 * Cursors are opaque, and a client returns them unchanged. Each of these contains characters that break if a query
 * isn't encoded, is encoded twice, loses its padding, or is lower-cased.
 */
const newCursor = (): string => `${drawn()}+${drawn()}/%2B&${drawn()}==`;

/** Replaces the service's cursors, and maps them back. */
export class Cursors {
  readonly #given = new Map<string, string>();
  /** The reverse mapping: one place in a list has one cursor. */
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

  /** The request to forward. An unknown cursor stays unchanged, and the service refuses it. */
  asked(query: URLSearchParams): URLSearchParams {
    const own = this.#ofService.get(query.get("since") ?? "");
    if (own === undefined) return query;
    const asked = new URLSearchParams(query);
    asked.set("since", own);
    return asked;
  }
}

/**
 * A plus sign in a query is a space in forms and a plus sign in RFC 3986, and the specification names neither. Both are
 * accepted, since no cursor contains a space.
 */
export function withPlusSigns(query: URLSearchParams): URLSearchParams {
  const cursor = query.get("since");
  if (cursor?.includes(" ")) query.set("since", cursor.replaceAll(" ", "+"));
  return query;
}
