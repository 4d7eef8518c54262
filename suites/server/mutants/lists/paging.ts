import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Courier } from "../../../../reference-server/domain/model.ts";
import { rejected } from "../../../../reference-server/errors.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutant, Mutate } from "../mutant.ts";
import { alterPage, withoutMembers } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { alterDeliveryRecords, alterQuery, replacePage } from "../operators/deliveries.ts";
import { alterListParameter } from "../operators/documents.ts";
import { alterCreation, onRefusal, replaceOperation } from "../operators/operations.ts";

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

/** The list shows each delivery with the distance and fee of its creation. */
function keepFirstMeasures(deps: Dependencies): Dependencies {
  const first = new Map<string, object>();
  const remember = alterCreation(async (call, create) => {
    const reply = await create(call);
    const { id, distance_m, fee } = reply.body;
    first.set(id, { distance_m, fee });
    return reply;
  });
  const show = alterPage(({ items }) => ({
    items: items.map((item) => ({ ...item, ...first.get(item.id) })),
  }));
  return show(remember(deps));
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

/** The list shows each courier, with its position, as of the delivery's last change of status. */
function keepCouriersOfTheLastStatus(deps: Dependencies): Dependencies {
  const couriers = new Map<string, Courier>();
  return {
    ...deps,
    courier: {
      ...deps.courier,
      courier(running, before, move, at) {
        const courier = deps.courier.courier(running, before, move, at);
        if (move.action !== "courier_location" && courier) couriers.set(before.id, courier);
        return courier;
      },
    },
    views: {
      ...deps.views,
      page: (current, items, ...others) =>
        deps.views.page(
          current,
          items.map((row) => ({ ...row, courier: couriers.get(row.id) ?? row.courier })),
          ...others,
        ),
    },
  };
}

export const pagingMutants = {
  "list-items-keep-the-courier-of-the-last-status": {
    fault: "the list shows a courier's position as of the delivery's last change of status",
    breaks: [{ clause: "LIST-28" }],
    caughtBy: ["paging.items-with-the-courier"],
    mutate: keepCouriersOfTheLastStatus,
  },
  "list-items-keep-the-payment-of-the-order": {
    fault: "payment.collected_type is null in the list",
    breaks: breaking(["the ordered code", "another code"], "LIST-28"),
    caughtBy: ["courier.collected-type"],
    mutate: alterPage(({ items }) => ({
      items: items.map((item) => ({ ...item, payment: { ...item.payment, collected_type: null } })),
    })),
  },
  "list-items-lack-delivered_at": {
    fault: "delivered_at is null in the list",
    breaks: breaking(["the ordered code", "another code"], "LIST-28"),
    caughtBy: ["courier.collected-type"],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, delivered_at: null })) })),
  },
  "list-items-lack-returned_at": {
    fault: "returned_at is null in the list",
    breaks: [{ clause: "LIST-35" }],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, returned_at: null })) })),
  },
  "list-items-lack-failure_reason": {
    fault: "failure_reason is null in the list",
    breaks: [{ clause: "LIST-34" }],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, failure_reason: null })) })),
  },
  "has-more-is-always-false": {
    fault: "has_more is always false",
    breaks: [{ clause: "LIST-3" }],
    mutate: alterPage(() => ({ has_more: false })),
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
  "list-items-without-courier": {
    fault: "deliveries in the list have no courier",
    breaks: [{ clause: "LIST-28" }],
    caughtBy: ["paging.items-with-the-courier"],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, courier: null })) })),
  },
  "list-items-are-summaries": {
    fault: "deliveries in the list have no items and no payment",
    breaks: [{ clause: "LIST-2" }],
    mutate: alterPage(({ items }) => ({
      items: items.map((item) => withoutMembers(item, "items", "payment")),
    })),
  },
  "list-items-truncate-items": {
    fault: "deliveries in the list have at most ten items",
    breaks: [{ clause: "LIST-2" }],
    mutate: alterPage(({ items }) => ({
      items: items.map((item) => ({ ...item, items: item.items?.slice(0, 10) })),
    })),
  },
  "list-items-round-discounts": {
    fault: "payment.discount has no decimals in the list",
    breaks: [{ clause: "LIST-2" }],
    mutate: alterPage(({ items }) => ({
      items: items.map(({ payment, ...item }) => {
        const discount = payment.discount ?? null;
        return { ...item, payment: { ...payment, discount: discount && Math.round(discount) } };
      }),
    })),
  },
  "list-items-keep-the-first-distance-and-fee": {
    fault: "the list shows the distance and fee of a delivery's creation after its address changed",
    breaks: [{ clause: "LIST-2", case: "a changed delivery" }, { clause: "PATCH-4" }],
    caughtBy: ["paging.items-in-full", "service-area.fee-of-a-new-address"],
    mutate: keepFirstMeasures,
  },
  "list-items-without-directions": {
    fault: "dropoff.text in the list lacks the directions",
    breaks: [{ clause: "LIST-2", case: "an unchanged delivery" }],
    mutate: replacePage(
      () => ({}),
      (rows) => rows.map((row) => ({ ...row, dropoff: { ...row.dropoff, directions: null } })),
    ),
  },
  "list-items-hide-the-pin": {
    fault: "deliveries in the list have no delivery_pin",
    breaks: [{ clause: "LIST-2" }],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, delivery_pin: null })) })),
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
  "cursor-keeps-hours": {
    fault: "a cursor skips deliveries that changed in the same hour, because times are whole hours",
    breaks: [{ clause: "LIST-4" }],
    caughtBy: ["paging.page-sizes"],
    // With a higher resolution, a page may end just where the time changes.
    mutate: compose(withChangesTimedInStepsOf(3_600_000), withCursorOfTimesAlone),
  },
} satisfies Record<string, Mutant>;
