import { expect } from "vitest";
import type { Schemas } from "../../core/contract/document.ts";
import type { Api } from "../session/api.ts";
import { isCursor, type ListQuery } from "./delivery-list.ts";

type Delivery = Schemas["Delivery"];

/** Pages that are read to the end at the most: a list that never ends is a fault, not a reason to hang. */
const MAX_PAGES = 400;

/** Follows the list as an integrator does that catches up: from cursor to cursor, for as long as there are changes. */
export class ListReader {
  /** The latest that the list has shown of each delivery. */
  readonly latest = new Map<string, Delivery>();
  #cursor: string | undefined;
  /** The updated_at up to which the cursor has come. */
  #reached = Number.NEGATIVE_INFINITY;

  private readonly api: Api;
  private readonly query: ListQuery & { readonly limit: number };

  constructor(api: Api, query: ListQuery & { readonly limit: number }) {
    this.api = api;
    this.query = query;
  }

  /**
   * Reads one page on, and asserts that it is of the right length and in order.
   * @returns has_more
   */
  async readPage(): Promise<boolean> {
    const answer = await this.api.listDeliveries({
      ...this.query,
      ...(this.#cursor === undefined ? {} : { since: this.#cursor }),
    });
    const { items, next_cursor, has_more } = answer.body(200);
    expect(items.length, "items of a page").toBeLessThanOrEqual(this.query.limit);
    let reached = this.#reached;
    for (const item of items) {
      const changedAt = Date.parse(item.updated_at);
      expect(changedAt, `updated_at of ${item.id}, as against the one before`).toBeGreaterThanOrEqual(
        reached,
      );
      reached = changedAt;
      this.latest.set(item.id, item);
    }
    const next = isCursor(next_cursor) ? String(next_cursor) : undefined;
    const leads = next !== undefined && (next !== this.#cursor || items.length === 0);
    if (has_more && !leads)
      answer.fail("has_more is true, but next_cursor leads nowhere", { actual: next_cursor });
    // The last page may give none: then its cursor stays good (OPEN-136).
    if (next !== undefined) {
      this.#cursor = next;
      this.#reached = reached;
    }
    return has_more;
  }

  async readToEnd(): Promise<void> {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      if (!(await this.readPage())) return;
    }
    expect.fail(`the list did not end within ${MAX_PAGES} pages`);
  }
}
