import { rejected } from "../../../../reference-server/errors.ts";
import { COURIER_ACTIONS } from "../../../core/control.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutant, Mutate } from "../mutant.ts";
import { alterPage, withoutMembers } from "../operators/answers.ts";
import { compose } from "../operators/compose.ts";
import { alterQuery, replacePage } from "../operators/deliveries.ts";
import { alterListParameter } from "../operators/documents.ts";
import { onRefusal, replaceOperation } from "../operators/operations.ts";

/** A server whose deliveries keep their position in the list after some changes. */
const keepingPlace =
  (stays: (kind: string, change: object) => boolean): Mutate =>
  (deps) => ({
    ...deps,
    revise: (before, change, stamp, kind) => {
      const { updated_at, change_number } = before;
      const after = deps.revise(before, change, stamp, kind);
      return stays(kind ?? "", change) ? { ...after, updated_at, change_number } : after;
    },
  });

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

export const pagingMutants = {
  "has-more-is-always-false": {
    fault: "has_more is false though more follows",
    breaks: [{ clause: "LIST-3" }],
    mutate: alterPage(() => ({ has_more: false })),
  },
  "has-more-is-always-true": {
    fault: "has_more is true at the end too, with a cursor that leads on for ever",
    breaks: [{ clause: "LIST-5" }],
    mutate: alterPage(() => ({ has_more: true })),
  },
  "has-more-is-text": {
    fault: "has_more is a text",
    breaks: [{ clause: "LIST-1" }, { clause: "LIST-3" }],
    mutate: alterPage(({ has_more }) => ({ has_more: String(has_more) })),
  },
  "list-without-a-cursor": {
    fault: "no page has a next_cursor",
    breaks: [{ clause: "LIST-1" }],
    mutate: alterPage(() => ({ next_cursor: null })),
  },
  "list-items-without-courier": {
    fault: "no item of the list has a courier",
    breaks: [{ clause: "LIST-28" }],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, courier: null })) })),
  },
  "list-items-are-summaries": {
    fault: "the list's items lack lines and payment",
    breaks: [{ clause: "LIST-2" }],
    mutate: alterPage(({ items }) => ({
      items: items.map((item) => withoutMembers(item, "items", "payment")),
    })),
  },
  "list-items-truncate-items": {
    fault: "the list shows ten lines of an order at most",
    breaks: [{ clause: "LIST-2" }],
    mutate: alterPage(({ items }) => ({
      items: items.map((item) => ({ ...item, items: item.items?.slice(0, 10) })),
    })),
  },
  "list-items-hide-the-pin": {
    fault: "the list shows no delivery_pin",
    breaks: [{ clause: "LIST-2" }],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, delivery_pin: null })) })),
  },
  "has-more-on-an-exact-page": {
    fault: "has_more is true wherever a page is full",
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
    fault: "the row that tells whether more follows is shown with the page",
    breaks: [{ clause: "LIST-9" }],
    mutate: (deps) => ({
      ...deps,
      paging: {
        ...deps.paging,
        cut: (rows, limit) => ({ ...deps.paging.cut(rows, limit), items: [...rows] }),
      },
    }),
  },
  "limit-of-1-is-refused": {
    fault: "a limit has to be 2 at least",
    breaks: [{ clause: "LIST-10", case: "limit=1" }],
    mutate: alterListParameter("limit", { type: "integer", minimum: 2, maximum: 200 }),
  },
  "limit-is-forgotten-after-the-first-page": {
    fault: "a page after a cursor has as many items as one without a limit",
    breaks: [{ clause: "LIST-9", case: "limit=1" }],
    mutate: replaceOperation("listDeliveries", (call, original, { limits }) => {
      const { limit = limits.page.default, since } = call.query;
      const taken = since === undefined ? limit : limits.page.default;
      return original({ ...call, query: { ...call.query, limit: taken } });
    }),
  },
  "cancelled-delivery-keeps-list-position": {
    fault: "a cancellation leaves updated_at and the delivery's place in the list",
    breaks: [{ clause: "LIST-7" }, { clause: "RETRY-28", case: "a cancellation" }],
    mutate: keepingPlace((kind) => kind === "delivery.cancelled"),
  },
  "changed-delivery-keeps-list-position": {
    fault: "a change leaves updated_at and the delivery's place in the list",
    breaks: [
      { clause: "LIST-7" },
      ...breaking(["paged deliveries change", "paged deliveries change and new ones are created"], "LIST-7"),
    ],
    mutate: keepingPlace((kind) => kind === "delivery.updated"),
  },
  "customer-change-keeps-list-position": {
    fault: "a change of the customer alone leaves updated_at and the delivery's place in the list",
    breaks: [{ clause: "LIST-7" }],
    mutate: keepingPlace((_, change) => Object.keys(change).join() === "customer"),
  },
  "courier-actions-keep-list-position": {
    fault: "a courier's moves leave updated_at and the delivery's place in the list",
    breaks: [{ clause: "LIST-26" }],
    mutate: keepingPlace((kind) => COURIER_ACTIONS.some((move) => kind === `delivery.${move}`)),
  },
  "at-pickup-keeps-list-position": {
    fault: "a courier's arrival at the restaurant leaves updated_at and the delivery's place in the list",
    breaks: [{ clause: "LIST-26" }],
    mutate: keepingPlace((kind) => kind === "delivery.at_pickup"),
  },
  "en-route-keeps-list-position": {
    fault: "that the courier is on the way leaves updated_at and the delivery's place in the list",
    breaks: [{ clause: "LIST-26" }],
    mutate: keepingPlace((kind) => kind === "delivery.en_route"),
  },
  "arrival-keeps-list-position": {
    fault: "a courier's arrival at the door leaves updated_at and the delivery's place in the list",
    breaks: [{ clause: "LIST-26" }],
    mutate: keepingPlace((kind) => kind === "delivery.arrived"),
  },
  "list-returns-the-previous-version": {
    fault: "the list shows the version from before the last change",
    breaks: [{ clause: "LIST-7" }],
    mutate: alterPage(({ items }) => ({
      items: items.map((item) => ({ ...item, version: Math.max(1, item.version - 1) })),
    })),
  },
  "cursor-repeats-its-last-item": {
    fault: "a cursor begins with the item that it ended with",
    breaks: [{ clause: "LIST-5", case: "deliveries of a time range" }],
    mutate: alterQuery(({ after }) => ({
      after: after && { ...after, change_number: after.change_number - 1 },
    })),
  },
  "list-in-order-of-creation": {
    fault: "the list is in the order of creation, and so are its cursors",
    breaks: [{ clause: "LIST-6" }, { clause: "LIST-7" }, { clause: "RETRY-28" }],
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
    fault: "a cursor that can't be decoded is taken for the beginning of the list",
    breaks: [{ clause: "LIST-8" }, { clause: "ERR-12" }],
    mutate: (deps) => ({
      ...deps,
      cursor: {
        ...deps.cursor,
        decode: (text) => deps.cursor.decode(text) ?? { updated_at: 0, change_number: 0 },
      },
    }),
  },
  "malformed-cursor-is-dogrulama": {
    fault: "a cursor that can't be decoded is refused like any other parameter",
    breaks: [{ clause: "LIST-8" }, { clause: "ERR-12" }],
    mutate: replaceOperation("listDeliveries", (call, original) =>
      onRefusal("IMLEC_GECERSIZ", original(call), async () => {
        throw rejected("since", "çözülemedi");
      }),
    ),
  },
  "large-page-is-reversed": {
    fault: "a page of over 50 items comes in reverse order",
    breaks: [{ clause: "LIST-6" }],
    mutate: alterPage(({ items }) => (items.length > 50 ? { items: items.toReversed() } : {})),
  },
  "page-of-99-by-default": {
    fault: "a page has 99 items where no limit is given",
    breaks: [{ clause: "LIST-12" }],
    mutate: defaultLimit(99),
  },
  "page-of-101-by-default": {
    fault: "a page has 101 items where no limit is given",
    breaks: [{ clause: "LIST-11" }],
    mutate: defaultLimit(101),
  },
  "limit-of-201-is-accepted": {
    fault: "a limit may be 201",
    breaks: [{ clause: "LIMIT-15", case: "limit=201" }],
    mutate: alterListParameter("limit", { type: "integer", minimum: 1, maximum: 201 }),
  },
  "limit-beyond-200-is-accepted": {
    fault: "a limit of more than 200 is taken as it is",
    breaks: [{ clause: "LIMIT-15" }],
    mutate: alterListParameter("limit", { type: "integer", minimum: 1 }),
  },
  "limit-of-200-is-refused": {
    fault: "a limit has to be less than 200",
    breaks: [{ clause: "LIMIT-15" }],
    mutate: alterListParameter("limit", { type: "integer", minimum: 1, maximum: 199 }),
  },
  "page-is-newest-first": {
    fault: "within a page the newest change comes first",
    breaks: [{ clause: "LIST-6" }],
    mutate: alterPage(({ items }) => ({ items: items.toReversed() })),
  },
  "cursor-skips-one-delivery": {
    fault: "a page after a cursor begins with the second of what stands behind it",
    breaks: [{ clause: "LIST-22" }, { clause: "LIST-4" }],
    mutate: replacePage(
      () => ({}),
      (rows, { after }) => (after === undefined ? rows : rows.slice(1)),
    ),
  },
  "cursor-is-an-offset": {
    fault:
      "a cursor says how many items came before it: what leaves its place moves the others past the cursor",
    breaks: [{ clause: "LIST-7" }, { clause: "LIST-4" }],
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
  "cursor-skips-ties": {
    fault: "times are kept in whole seconds, and a cursor steps over what changed in the same one",
    breaks: [{ clause: "LIST-4" }],
    mutate: compose(withChangesTimedInStepsOf(1000), withCursorOfTimesAlone),
  },
  "cursor-keeps-tenths": {
    fault: "times are kept in tenths of a second, and a cursor steps over what changed in the same one",
    breaks: [{ clause: "LIST-4" }],
    // With a resolution of one millisecond, a busy machine would hide the fault.
    mutate: compose(withChangesTimedInStepsOf(100), withCursorOfTimesAlone),
  },
} satisfies Record<string, Mutant>;
