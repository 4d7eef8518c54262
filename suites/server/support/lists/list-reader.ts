import { clause } from "../../../../openapi/generated/clauses.ts";
import { poll } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { CheckFailure } from "../../../core/grading/failures/failure.ts";
import type { Api } from "../../session/http/api.ts";
import { expectNoEarlier } from "../shown-values.ts";
import { describeList, isCursor, type ListQuery } from "./delivery-list.ts";
import type { ListedPage } from "./listed-deliveries.ts";

type Delivery = Schemas["Delivery"];

/** The maximum number of pages. A list without an end is a fault. */
const MAX_PAGES = 400;

/** Follows the list as an integrator does: from cursor to cursor, while there are changes. */
export class ListReader {
  readonly latest = new Map<string, Delivery>();
  /** The pages in the order in which they were read. */
  readonly pages: ListedPage[] = [];
  #cursor: string | undefined;
  /** The updated_at that the cursor has reached. */
  #reached = Number.NEGATIVE_INFINITY;

  private readonly api: Api;
  private readonly query: ListQuery & { readonly limit: number };

  constructor(api: Api, query: ListQuery & { readonly limit: number }) {
    this.api = api;
    this.query = query;
  }

  /** True if an earlier page had this version or a later one. */
  #isListed({ id, version }: Delivery): boolean {
    return (this.latest.get(id)?.version ?? Number.NEGATIVE_INFINITY) >= version;
  }

  /**
   * Reads the next page, and asserts its length and order.
   * @returns has_more
   */
  async readPage(): Promise<boolean> {
    const response = await this.api.listDeliveries({
      ...this.query,
      ...(this.#cursor === undefined ? {} : { since: this.#cursor }),
    });
    const { items, next_cursor, has_more } = response.body(200);
    this.pages.push({ items, has_more, limit: this.query.limit });
    attributeFailures([clause["LIST-9"]], () =>
      expectThat({ field: "items", where: "of a page" }, items.length).isAtMost(this.query.limit),
    );
    let reached = this.#reached;
    let before = Number.NEGATIVE_INFINITY;
    for (const item of items) {
      const changedAt = Date.parse(item.updated_at);
      // A page may repeat deliveries of the previous page. Only new deliveries have to come after that page's.
      const expected = this.#isListed(item) ? before : Math.max(before, reached);
      attributeFailures([clause["LIST-6"]], () =>
        expectNoEarlier(item.updated_at, expected, {
          field: "updated_at",
          where: `of ${item.id} in ${describeList(this.query)}, compared with the previous item`,
        }),
      );
      before = changedAt;
      reached = Math.max(reached, changedAt);
      if (item.version >= (this.latest.get(item.id)?.version ?? item.version)) this.latest.set(item.id, item);
    }
    const next = isCursor(next_cursor) ? String(next_cursor) : undefined;
    const isUsable = next !== undefined && (next !== this.#cursor || items.length === 0);
    if (has_more && !isUsable)
      response.fail("has_more is true, but next_cursor is unusable", { actual: next_cursor });
    // The last page may have no cursor. The previous cursor remains valid then (OPEN-136).
    if (next !== undefined) {
      this.#cursor = next;
      this.#reached = reached;
    }
    return has_more;
  }

  /**
   * Reads on until all deliveries were listed in at least their given versions. A timeout isn't a failure
   * here, because the caller asserts it.
   * @returns true if all were listed
   */
  async readUntilListed(expected: readonly Delivery[], within: number): Promise<boolean> {
    const listed = await poll(
      async () => {
        await this.readToEnd();
        return expected.every((delivery) => this.#isListed(delivery)) || undefined;
      },
      { within, every: 200 },
    );
    return listed ?? false;
  }

  async readToEnd(): Promise<void> {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      if (!(await this.readPage())) return;
    }
    throw new CheckFailure({
      subject: "the end of the list",
      relation: "to arrive",
      expected: `within ${MAX_PAGES} pages`,
    });
  }
}
