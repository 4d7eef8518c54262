import type { Delivery } from "../../../../reference-server/domain/model.ts";
import { type ElementOf, elementsOf, nameOfPair } from "../../../core/contract/element-sets.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { compose } from "../operators/compose.ts";
import { alterQuery, type Query, replacePage } from "../operators/deliveries.ts";
import { alterListParameter } from "../operators/documents.ts";
import { alterCreation, replaceOperation } from "../operators/operations.ts";

type Filter = ElementOf<"filters-of-the-list">;

/** The member of the database query for each filter. */
const QUERY_FIELDS = {
  status: "statuses",
  from: "changed_after",
  created_from: "created_from",
  created_to: "created_to",
  external_ref: "external_ref",
  external_store_id: "store_id",
} as const satisfies Record<Filter, keyof Query>;

const ignoreSecondOf = (pair: ElementOf<"filter-pairs">): Mutate =>
  alterQuery((query) => {
    const [first, second] = elementsOf("filters-of-the-list").filter(
      (name) => query[QUERY_FIELDS[name]] !== undefined,
    );
    const isPair = first !== undefined && second !== undefined && nameOfPair([first, second]) === pair;
    return isPair ? { [QUERY_FIELDS[second]]: undefined } : {};
  });

/** The filter of a query. Beside another filter, created_from only limits the list to new deliveries. */
function decisiveFilter(query: Query): Filter | undefined {
  const used = elementsOf("filters-of-the-list").filter((name) => query[QUERY_FIELDS[name]] !== undefined);
  return used.find((name) => name !== "created_from") ?? used[0];
}

/** Keeps the first page that isn't empty of each query. */
function cacheLists(isCached: (query: Query) => boolean): Mutate {
  return (deps) => {
    const pages = new Map<string, readonly Delivery[]>();
    return replacePage(
      () => ({}),
      (rows, query) => {
        if (!isCached(query)) return rows;
        const key = JSON.stringify(query);
        const page = pages.get(key) ?? rows;
        if (page.length > 0) pages.set(key, page);
        return page;
      },
    )(deps);
  };
}

const PATTERN_CASES = ["an underscore for a hyphen", "a percent sign for its end"];

/** Compares a text with a pattern of SQL's LIKE. */
const isLike = (text: string, pattern: string): boolean =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll("_", ".")
      .replaceAll("%", ".*")}$`,
  ).test(text);

export const listFiltersMutants: Mutants = {
  "status-filter-is-ignored": {
    fault: "the filter status is ignored",
    breaks: [{ clause: "LIST-13" }],
    mutate: alterQuery(() => ({ statuses: undefined })),
  },
  "status-filter-keeps-active-deliveries": {
    fault: "a list filtered by status also contains QUEUED deliveries",
    breaks: [{ clause: "LIST-13", case: "the status of a cancelled delivery" }],
    mutate: alterQuery(({ statuses }) => ({ statuses: statuses && [...statuses, "QUEUED"] })),
  },
  "status-filter-uses-the-first-status": {
    fault: "the filter status uses the first status of deliveries that got their coordinates later",
    breaks: [{ clause: "LIST-13" }],
    mutate: (deps) => {
      const received = new Set<string>();
      const rememberReceived: Mutate = alterCreation(async (call, create) => {
        const reply = await create(call);
        if (reply.body.status === "RECEIVED") received.add(reply.body.id);
        return reply;
      });
      const statusOf = ({ id, status }: Delivery) =>
        status === "QUEUED" && received.has(id) ? "RECEIVED" : status;
      const filterPage = replacePage(
        () => ({ statuses: undefined }),
        (rows, { statuses }) => rows.filter((row) => statuses?.includes(statusOf(row)) ?? true),
      );
      return filterPage(rememberReceived(deps));
    },
  },
  ...forEachElement(
    elementsOf("filters-of-the-list"),
    (name) => `list-with-${name}-in-order-of-creation`,
    (name) => ({
      fault: `a list with ${name} is ordered by created_at`,
      breaks: breaking(name, "LIST-31"),
      mutate: replacePage(
        () => ({}),
        (rows, query) =>
          decisiveFilter(query) === name ? rows.toSorted((a, b) => a.created_at - b.created_at) : rows,
      ),
    }),
  ),
  "lists-are-cached": {
    fault: "lists are read from a cache that changes don't update",
    breaks: [{ clause: "LIST-32" }],
    mutate: cacheLists(() => true),
  },
  ...forEachElement(
    elementsOf("filters-of-the-list"),
    (name) => `list-with-${name}-is-cached`,
    (name) => ({
      fault: `a list with ${name} is read from a cache that changes don't update`,
      breaks: breaking(name, "LIST-32"),
      mutate: cacheLists((query) => decisiveFilter(query) === name),
    }),
  ),
  ...forEachElement(
    elementsOf("courier-actions-until-delivery"),
    (action) => `status-filter-overlooks-${action}`,
    (action) => ({
      fault: `the filter status finds no delivery whose last courier action is ${action}`,
      breaks: breaking(action, "LIST-30"),
      mutate: alterQuery(({ statuses }) => ({
        statuses: statuses?.filter((status) => status !== action.toUpperCase()),
      })),
    }),
  ),
  ...forEachElement(
    ["failed", "returned"],
    (status) => `status-filter-overlooks-${status}`,
    (status) => ({
      fault: `the filter status finds no ${status} delivery`,
      breaks: [{ clause: status === "failed" ? "LIST-34" : "LIST-35" }],
      mutate: alterQuery(({ statuses }) => ({
        statuses: statuses?.filter((one) => one !== status.toUpperCase()),
      })),
    }),
  ),
  "status-filter-counts-courier-actions-as-assigned": {
    fault: "a list of status ASSIGNED also contains deliveries whose courier is at the restaurant",
    breaks: breaking("at_pickup", "LIST-30"),
    mutate: alterQuery(({ statuses }) => ({
      statuses: statuses?.flatMap((status) => (status === "ASSIGNED" ? [status, "AT_PICKUP"] : [status])),
    })),
  },
  "only-the-first-status-counts": {
    fault: "only the first of several statuses is used",
    breaks: [{ clause: "LIST-14" }],
    mutate: alterQuery(({ statuses }) => ({ statuses: statuses?.slice(0, 1) })),
  },
  "only-the-first-two-statuses-count": {
    fault: "only the first two of several statuses are used",
    breaks: [{ clause: "LIST-14", case: "status=RECEIVED,QUEUED,ASSIGNED,CANCELLED" }],
    mutate: alterQuery(({ statuses }) => ({ statuses: statuses?.slice(0, 2) })),
  },
  ...forEachElement(
    ["first", "last"],
    (place) => `reference-filter-is-ignored-for-the-${place}-status`,
    (place) => ({
      fault: `the filter external_ref is ignored for the ${place} of several statuses`,
      breaks:
        place === "first"
          ? breaking(["status=QUEUED,CANCELLED", "status=CANCELLED,QUEUED"], "LIST-14")
          : [{ clause: "LIST-14" }],
      mutate: replacePage(
        ({ statuses = [] }) => (statuses.length > 1 ? { external_ref: undefined } : {}),
        (rows, { statuses = [], external_ref }) =>
          rows.filter(
            (row) =>
              external_ref === undefined ||
              row.external_ref === external_ref ||
              row.status === statuses.at(place === "first" ? 0 : -1),
          ),
      ),
    }),
  ),
  "several-statuses-are-ignored": {
    fault: "the filter status is ignored if it has several values",
    breaks: [{ clause: "LIST-14", case: "status=ASSIGNED,CANCELLED" }],
    mutate: alterQuery(({ statuses }) => ({ statuses: statuses?.length === 1 ? statuses : undefined })),
  },
  "reference-filter-is-ignored": {
    fault: "the filter external_ref is ignored",
    breaks: [{ clause: "LIST-18" }],
    mutate: alterQuery(() => ({ external_ref: undefined })),
  },
  "reference-of-a-cancelled-delivery-finds-nothing": {
    fault: "the filter external_ref finds no cancelled delivery",
    breaks: [{ clause: "LIST-18", case: "the order number of a cancelled delivery" }],
    caughtBy: ["list-filters.external-ref"],
    mutate: replacePage(
      () => ({}),
      (rows, { external_ref }) =>
        rows.filter(({ status }) => external_ref === undefined || status !== "CANCELLED"),
    ),
  },
  "reference-found-by-its-beginning": {
    fault: "the filter external_ref matches prefixes",
    breaks: [{ clause: "LIST-18", case: "the order number itself" }],
    mutate: replacePage(
      () => ({ external_ref: undefined }),
      (rows, { external_ref = "" }) => rows.filter((row) => row.external_ref.startsWith(external_ref)),
    ),
  },
  "reference-found-without-its-last-character": {
    fault: "the filter external_ref ignores the last character",
    breaks: [{ clause: "LIST-18", case: "with another last character" }],
    mutate: replacePage(
      () => ({ external_ref: undefined }),
      (rows, { external_ref = "" }) =>
        rows.filter((row) => row.external_ref.slice(0, -1) === external_ref.slice(0, -1)),
    ),
  },
  "reference-found-by-a-pattern": {
    fault: "the filter external_ref treats _ and % as wildcards",
    breaks: breaking(PATTERN_CASES, "LIST-18"),
    mutate: replacePage(
      () => ({ external_ref: undefined }),
      (rows, { external_ref = "" }) => rows.filter((row) => isLike(row.external_ref, external_ref)),
    ),
  },
  "reference-filter-plus-is-a-space": {
    fault: "a plus sign in the filter external_ref counts as a space",
    breaks: [{ clause: "LIST-18", case: "special characters" }],
    mutate: alterQuery(({ external_ref }) => ({ external_ref: external_ref?.replaceAll("+", " ") })),
  },
  "reference-filter-decoded-twice": {
    fault: "the filter external_ref is percent-decoded twice",
    breaks: [{ clause: "LIST-18", case: "special characters" }],
    mutate: alterQuery(({ external_ref }) => ({
      external_ref: external_ref?.replaceAll(/%[0-9A-F]{2}/g, decodeURIComponent),
    })),
  },
  "store-filter-goes-by-a-pattern": {
    fault: "the filter external_store_id treats _ and % as wildcards",
    breaks: breaking(PATTERN_CASES, "LIST-20"),
    caughtBy: ["list-filters.external-store-id"],
    mutate: replaceOperation("listDeliveries", async (call, original) => {
      const { deps, integrator, query } = call;
      const { external_store_id: asked } = query;
      const linked = await deps.records.stores.list(deps.database, integrator.id);
      const found = linked.find((store) => isLike(store.external_store_id, asked ?? ""));
      return original(
        found ? { ...call, query: { ...query, external_store_id: found.external_store_id } } : call,
      );
    }),
  },
  "store-filter-is-ignored": {
    fault: "the filter external_store_id is ignored without external_ref",
    breaks: [{ clause: "LIST-20" }],
    caughtBy: ["list-filters.external-store-id"],
    mutate: alterQuery(({ external_ref, store_id }) => ({
      store_id: external_ref === undefined ? undefined : store_id,
    })),
  },
  "store-filter-goes-by-the-beginning": {
    fault: "the filter external_store_id matches prefixes",
    breaks: [{ clause: "LIST-21", case: "the first store" }],
    mutate: (deps) => {
      const { deliveries, stores } = deps.records;
      const page: typeof deliveries.page = async (db, integratorId, query) => {
        const linked = await stores.list(db, integratorId);
        const wantedId = linked.find(({ id }) => id === query.store_id)?.external_store_id;
        if (wantedId === undefined) return deliveries.page(db, integratorId, query);
        const matchingStores = linked.filter(({ external_store_id }) =>
          external_store_id.startsWith(wantedId),
        );
        const found = await Promise.all(
          matchingStores.map(({ id }) => deliveries.page(db, integratorId, { ...query, store_id: id })),
        );
        const inOrder = found
          .flat()
          .sort((a, b) => a.updated_at - b.updated_at || a.change_number - b.change_number);
        return inOrder.slice(0, query.rows);
      };
      return { ...deps, records: { ...deps.records, deliveries: { ...deliveries, page } } };
    },
  },
  "store-filter-is-ignored-beside-a-reference": {
    fault: "external_store_id is ignored together with external_ref",
    breaks: [{ clause: "LIST-21" }],
    mutate: alterQuery(({ external_ref, store_id }) => ({
      store_id: external_ref === undefined ? store_id : undefined,
    })),
  },
  "status-at-a-store-finds-nothing": {
    fault: "a list filtered by status and external_store_id is empty",
    breaks: [
      { clause: "LIST-29", case: "status-and-created_to" },
      { clause: "LIST-29", case: "status-and-external_store_id" },
    ],
    mutate: alterQuery(({ statuses, store_id }) =>
      statuses === undefined || store_id === undefined ? {} : { statuses: [] },
    ),
  },
  ...forEachElement(
    elementsOf("filter-pairs"),
    (pair) => `of-${pair}-ignores-the-second`,
    (pair) => ({
      fault: `of the filters ${pair.replaceAll("-", " ")} the second is ignored`,
      breaks: breaking(pair, "LIST-29"),
      mutate: ignoreSecondOf(pair),
    }),
  ),
  "filter-is-forgotten-after-the-first-page": {
    fault: "pages after the first aren't filtered by status",
    breaks: [{ clause: "LIST-22" }],
    caughtBy: ["list-filters.across-pages"],
    mutate: alterQuery(({ after, statuses }) => ({ statuses: after === undefined ? statuses : undefined })),
  },
  "store-is-forgotten-after-the-first-page": {
    fault: "pages after the first aren't filtered by store",
    breaks: [{ clause: "LIST-20" }, { clause: "LIST-22" }],
    caughtBy: ["list-filters.store-across-pages"],
    mutate: alterQuery(({ after, store_id }) => ({ store_id: after === undefined ? store_id : undefined })),
  },
  "reference-is-forgotten-after-the-first-page": {
    fault: "pages after the first aren't filtered by external_ref",
    breaks: [{ clause: "LIST-22" }],
    caughtBy: ["list-filters.reference-across-pages"],
    mutate: alterQuery(({ after, external_ref }) => ({
      external_ref: after === undefined ? external_ref : undefined,
    })),
  },
  "limit-is-ignored-beside-a-reference": {
    fault: "a query with an external_ref has pages of up to 200 deliveries, whatever its limit",
    breaks: [{ clause: "LIST-9" }],
    caughtBy: ["list-filters.reference-across-pages"],
    mutate: replaceOperation("listDeliveries", (call, original) => {
      const isIgnored = call.query.external_ref !== undefined;
      return original(isIgnored ? { ...call, query: { ...call.query, limit: 200 } } : call);
    }),
  },
  "cursor-is-ignored-beside-a-reference": {
    fault: "a query with an external_ref starts at the first page, whatever its cursor",
    breaks: [{ clause: "LIST-22" }],
    caughtBy: ["list-filters.reference-across-pages"],
    mutate: alterQuery(({ after, external_ref }) => ({
      after: external_ref === undefined ? after : undefined,
    })),
  },
  "created-from-is-forgotten-after-the-first-page": {
    fault: "pages after the first ignore created_from",
    breaks: [{ clause: "LIST-22", case: "created_from" }],
    caughtBy: ["list-filters.creation-times-across-pages"],
    mutate: alterQuery(({ after, created_from }) => ({
      created_from: after === undefined ? created_from : undefined,
    })),
  },
  "created-to-is-forgotten-after-the-first-page": {
    fault: "pages after the first ignore created_to",
    breaks: [{ clause: "LIST-22", case: "created_to" }],
    caughtBy: ["list-filters.creation-times-across-pages"],
    mutate: alterQuery(({ after, created_to }) => ({
      created_to: after === undefined ? created_to : undefined,
    })),
  },
  "filter-applied-after-paging": {
    fault: "the filter status is applied after paging, so pages are too short",
    breaks: [{ clause: "LIST-22" }],
    caughtBy: ["list-filters.across-pages"],
    mutate: replacePage(
      () => ({ statuses: undefined }),
      (rows, query) =>
        rows
          .slice(0, query.rows)
          .filter(({ status }) => query.statuses === undefined || query.statuses.includes(status)),
    ),
  },
  "malformed-from-is-ignored": {
    fault: "an invalid from is ignored",
    breaks: [{ clause: "LIST-23", case: "from" }],
    mutate: compose(
      alterListParameter("from", { type: "string" }),
      alterQuery(({ changed_after }) => ({
        changed_after: Number.isNaN(changed_after) ? undefined : changed_after,
      })),
    ),
  },
  "malformed-created-to-finds-nothing": {
    fault: "an invalid created_to returns an empty list",
    breaks: [{ clause: "LIST-23", case: "created_to" }],
    mutate: compose(
      alterListParameter("created_to", { type: "string" }),
      alterQuery(({ created_to }) => ({ created_to: Number.isNaN(created_to) ? 0 : created_to })),
    ),
  },
};
