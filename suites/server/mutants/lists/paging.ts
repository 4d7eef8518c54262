import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { rejected } from "../../../../reference-server/errors.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutant, Mutants, Mutate } from "../mutant.ts";
import { alterPage } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { alterDeliveryRecords, alterQuery, replacePage } from "../operators/deliveries.ts";
import { alterListParameter } from "../operators/documents.ts";
import { onRefusal, replaceOperation } from "../operators/operations.ts";

const defaultLimit =
  (limit: number): Mutate =>
  (deps) => ({ ...deps, limits: { ...deps.limits, page: { ...deps.limits.page, default: limit } } });

/** A server whose cursors skip all deliveries with the last item's updated_at. */
const withCursorOfTimesAlone = alterQuery(({ after }) => ({
  after: after && { ...after, change_number: Number.MAX_SAFE_INTEGER },
}));

/** A server whose times of changes have a coarse resolution. */
function withChangesTimedInStepsOf(milliseconds: number): Mutant["mutate"] {
  return (deps) => ({
    ...deps,
    records: {
      ...deps.records,
      changeSequence: {
        ...deps.records.changeSequence,
        async takeNext(tx, integratorId, now) {
          const stamp = await deps.records.changeSequence.takeNext(tx, integratorId, now);
          return { ...stamp, at: Math.floor(stamp.at / milliseconds) * milliseconds };
        },
      },
    },
  });
}

/** A server that places a cursor at the current position of the delivery that was the page's last. */
function moveCursorsWithTheirDelivery(deps: Dependencies): Dependencies {
  const listed = new Map<string, string>();
  return alterDeliveryRecords(({ page, find }) => ({
    async page(db, integratorId, query) {
      const { after } = query;
      const id = after && listed.get(`${integratorId} ${after.change_number}`);
      const rows = await page(db, integratorId, {
        ...query,
        after: id === undefined ? after : await find(db, integratorId, id),
      });
      for (const row of rows) listed.set(`${integratorId} ${row.change_number}`, row.id);
      return rows;
    },
  }))(deps);
}

export const pagingMutants: Mutants = {
  "has-more-is-always-false": {
    fault: "has_more is always false",
    breaks: [{ clause: "LIST-3" }],
    mutate: alterPage(() => ({ has_more: false })),
  },
  "has-more-is-false-before-one-delivery": {
    fault: "has_more is false if exactly one delivery is left",
    breaks: [{ clause: "LIST-3" }],
    caughtBy: ["paging.limit"],
    mutate: (deps) => ({
      ...deps,
      paging: {
        rowsToRead: (limit) => limit + 2,
        cut: (rows, limit) => ({ ...deps.paging.cut(rows, limit), more: rows.length > limit + 1 }),
      },
    }),
  },
  "has-more-is-always-true": {
    fault: "has_more is always true",
    breaks: [{ clause: "LIST-5" }],
    mutate: alterPage(() => ({ has_more: true })),
  },
  "has-more-is-text": {
    fault: "has_more is a string",
    breaks: [{ clause: "LIST-1" }, { clause: "LIST-3" }],
    caughtBy: ["paging.shape"],
    mutate: alterPage(({ has_more }) => ({ has_more: String(has_more) })),
  },
  "list-without-a-cursor": {
    fault: "no page has a next_cursor",
    breaks: [{ clause: "LIST-1" }],
    caughtBy: ["paging.shape"],
    mutate: alterPage(() => ({ next_cursor: null })),
  },
  "has-more-on-an-exact-page": {
    fault: "has_more is true on the last page if it is full",
    breaks: [{ clause: "LIST-24", case: "limit=1" }],
    mutate: (deps) => ({
      ...deps,
      paging: {
        ...deps.paging,
        cut: (rows, limit) => ({ ...deps.paging.cut(rows, limit), more: rows.length >= limit }),
      },
    }),
  },
  "page-has-one-too-many": {
    fault: "a page has one delivery more than its limit",
    breaks: [{ clause: "LIST-9" }],
    caughtBy: ["models.paging", "paging.limit"],
    mutate: (deps) => ({
      ...deps,
      paging: {
        ...deps.paging,
        cut: (rows, limit) => ({ ...deps.paging.cut(rows, limit), items: [...rows] }),
      },
    }),
  },
  "limit-of-1-is-refused": {
    fault: "limit must be at least 2",
    breaks: [{ clause: "LIST-10", case: "limit=1" }],
    mutate: alterListParameter("limit", { type: "integer", minimum: 2, maximum: 200 }),
  },
  "limit-is-forgotten-after-the-first-page": {
    fault: "pages after the first ignore a limit of 1",
    breaks: [{ clause: "LIST-9", case: "limit=1" }],
    caughtBy: ["paging.limit"],
    mutate: replaceOperation("listDeliveries", (call, original, { limits }) => {
      const { limit = limits.page.default, since } = call.query;
      // With a limit of 2, the second page would be too long only if a delivery changed since the first one.
      const appliedLimit = since === undefined || limit > 1 ? limit : limits.page.default;
      return original({ ...call, query: { ...call.query, limit: appliedLimit } });
    }),
  },
  "cursor-repeats-its-last-item": {
    fault: "a page after a cursor begins with the last item of the previous page",
    breaks: [{ clause: "LIST-5", case: "deliveries of a time range" }],
    mutate: alterQuery(({ after }) => ({
      after: after && { ...after, change_number: after.change_number - 1 },
    })),
  },
  "list-in-order-of-creation": {
    fault: "the list is ordered by created_at",
    breaks: [{ clause: "LIST-7" }, { clause: "LIST-31" }, { clause: "RETRY-28" }],
    caughtBy: ["emission.missed", "list-filters.order", "paging.changed-after-the-cursor"],
    mutate: compose(
      (deps) => ({
        ...deps,
        cursor: {
          ...deps.cursor,
          encode: (place) =>
            deps.cursor.encode({
              ...place,
              updated_at: "created_at" in place ? Number(place.created_at) : place.updated_at,
            }),
        },
      }),
      replacePage(
        () => ({ after: undefined }),
        (rows, { after }) =>
          rows
            .toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
            .filter((row) => after === undefined || row.created_at > after.updated_at),
      ),
    ),
  },
  "malformed-cursor-starts-over": {
    fault: "a malformed cursor returns the first page",
    breaks: [{ clause: "LIST-8" }, { clause: "ERR-12" }],
    caughtBy: ["paging.malformed-cursor"],
    mutate: (deps) => ({
      ...deps,
      cursor: {
        ...deps.cursor,
        decode: (text) => deps.cursor.decode(text) ?? { updated_at: 0, change_number: 0 },
      },
    }),
  },
  "damaged-cursor-answers-500": {
    fault: "a cursor with a wrong checksum causes an unexpected error",
    breaks: breaking(
      [
        "without its end",
        "without its last character",
        "without its beginning",
        "with another character in the middle",
      ],
      "LIST-8",
      "ERR-12",
    ),
    caughtBy: ["paging.malformed-cursor"],
    mutate: (deps) => ({
      ...deps,
      cursor: {
        ...deps.cursor,
        decode: (text) => {
          const place = deps.cursor.decode(text);
          if (place === undefined && /^\d/.test(Buffer.from(text, "base64url").toString("latin1")))
            throw new Error("The cursor has a wrong checksum.");
          return place;
        },
      },
    }),
  },
  "malformed-cursor-is-dogrulama": {
    fault: "a malformed cursor returns DOGRULAMA",
    breaks: [{ clause: "LIST-8" }, { clause: "ERR-12" }],
    caughtBy: ["paging.malformed-cursor"],
    mutate: replaceOperation("listDeliveries", (call, original) =>
      onRefusal("IMLEC_GECERSIZ", original(call), async () => {
        throw rejected("since", "çözülemedi");
      }),
    ),
  },
  "large-page-is-reversed": {
    fault: "a large page is in reverse order",
    breaks: [{ clause: "LIST-6" }],
    caughtBy: ["paging.page-sizes"],
    mutate: alterPage(({ items }) => (items.length > 50 ? { items: items.toReversed() } : {})),
  },
  "page-of-200-is-the-last": {
    fault: "at most 200 rows are read, so has_more is false on a page with 200 items",
    breaks: [{ clause: "LIST-4", case: "limit=200" }],
    caughtBy: ["paging.page-sizes"],
    mutate: alterPage(({ items }) => (items.length < 200 ? {} : { has_more: false })),
  },
  "page-of-99-by-default": {
    fault: "limit defaults to 99",
    breaks: [{ clause: "LIST-12" }],
    mutate: defaultLimit(99),
  },
  "page-of-101-by-default": {
    fault: "limit defaults to 101",
    breaks: [{ clause: "LIST-11" }],
    mutate: defaultLimit(101),
  },
  "pages-after-the-first-of-101-by-default": {
    fault: "limit defaults to 101 on pages after the first",
    breaks: [{ clause: "LIST-11" }],
    mutate: replaceOperation("listDeliveries", (call, original) =>
      original(call.query.since !== undefined ? { ...call, query: { limit: 101, ...call.query } } : call),
    ),
  },
  "limit-of-201-is-accepted": {
    fault: "a limit may be 201",
    breaks: [{ clause: "LIMIT-15", case: "limit=201" }],
    mutate: alterListParameter("limit", { type: "integer", minimum: 1, maximum: 201 }),
  },
  "limit-beyond-200-is-accepted": {
    fault: "a limit above 200 is accepted",
    breaks: [{ clause: "LIMIT-15" }],
    mutate: alterListParameter("limit", { type: "integer", minimum: 1 }),
  },
  "limit-of-200-is-refused": {
    fault: "limit must be less than 200",
    breaks: [{ clause: "LIMIT-15" }],
    mutate: alterListParameter("limit", { type: "integer", minimum: 1, maximum: 199 }),
  },
  "page-is-newest-first": {
    fault: "each page is ordered newest first",
    breaks: [{ clause: "LIST-6" }],
    caughtBy: ["models.paging"],
    mutate: alterPage(({ items }) => ({ items: items.toReversed() })),
  },
  "cursor-skips-one-delivery": {
    fault: "a page after a cursor skips one delivery",
    breaks: [{ clause: "LIST-22" }, { clause: "LIST-4" }],
    caughtBy: [
      "list-filters.across-pages",
      "list-filters.creation-times-across-pages",
      "list-filters.store-across-pages",
      "models.paging",
    ],
    mutate: replacePage(
      () => ({}),
      (rows, { after }) => (after === undefined ? rows : rows.slice(1)),
    ),
  },
  "cursor-is-an-offset": {
    fault: "a cursor is an offset, so deliveries that change between pages make it skip others",
    breaks: [{ clause: "LIST-7" }, { clause: "LIST-4" }],
    caughtBy: ["models.paging", "paging.changed-after-the-cursor", "paging.changes-before-the-cursor"],
    mutate: compose(
      replacePage(
        () => ({ after: undefined }),
        (rows, { after }) => rows.slice(after?.change_number ?? 0),
      ),
      replaceOperation("listDeliveries", async (call, original, { cursor }) => {
        const reply = await original(call);
        const { items, next_cursor } = reply.body;
        const before = cursor.decode(call.query.since ?? "")?.change_number ?? 0;
        const counted = cursor.encode({ updated_at: 0, change_number: before + items.length });
        return { ...reply, body: { ...reply.body, next_cursor: next_cursor === null ? null : counted } };
      }),
    ),
  },
  "cursor-moves-with-its-delivery": {
    fault: "a cursor skips deliveries if the delivery that was last on its page changes",
    breaks: [{ clause: "LIST-4" }],
    caughtBy: ["paging.changes-before-the-cursor"],
    mutate: moveCursorsWithTheirDelivery,
  },
  "cursor-skips-ties": {
    fault: "a cursor skips deliveries that changed in the same second",
    breaks: [{ clause: "LIST-4" }],
    caughtBy: ["models.paging"],
    mutate: compose(withChangesTimedInStepsOf(1000), withCursorOfTimesAlone),
  },
  "cursor-of-a-large-page-skips-ties": {
    fault: "a cursor skips deliveries with the same updated_at if the limit is above 9 and below 200",
    breaks: [{ clause: "LIST-4", case: "a large limit" }],
    caughtBy: ["paging.page-sizes"],
    mutate: compose(
      withChangesTimedInStepsOf(10),
      alterQuery(({ after, rows }) => ({
        after:
          after && rows > 10 && rows <= 200 ? { ...after, change_number: Number.MAX_SAFE_INTEGER } : after,
      })),
    ),
  },
  "cursor-skips-searches-of-the-same-time": {
    fault: "a cursor skips scheduled deliveries that changed at the same time as the last one on its page",
    breaks: [{ clause: "LIST-38" }],
    mutate: replacePage(
      () => ({}),
      (rows, { after }) =>
        rows.filter(
          ({ scheduled_for, search_started_at, updated_at }) =>
            scheduled_for === null || search_started_at === null || updated_at !== after?.updated_at,
        ),
    ),
  },
  "cursor-keeps-hours": {
    fault: "a cursor skips deliveries that changed in the same hour, because times are whole hours",
    breaks: [{ clause: "LIST-4" }],
    caughtBy: ["paging.page-sizes"],
    // With a higher resolution, a page may end just where the time changes.
    mutate: compose(withChangesTimedInStepsOf(3_600_000), withCursorOfTimesAlone),
  },
};
