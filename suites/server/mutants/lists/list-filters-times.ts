import type { Mutants } from "../mutant.ts";
import { alterQuery, replacePage } from "../operators/deliveries.ts";
import { replaceOperation } from "../operators/operations.ts";

/** Faults of the list's filters by time. */
export const listFiltersTimesMutants: Mutants = {
  "from-filter-is-ignored": {
    fault: "the filter from is ignored",
    breaks: [{ clause: "LIST-15" }],
    mutate: alterQuery(() => ({ changed_after: undefined })),
  },
  "from-filter-uses-created-at": {
    fault: "the filter from compares created_at instead of updated_at",
    breaks: [{ clause: "LIST-25" }],
    mutate: replacePage(
      () => ({ changed_after: undefined }),
      (rows, { changed_after = 0 }) => rows.filter(({ created_at }) => created_at > changed_after),
    ),
  },
  "from-beside-a-status-uses-created-at": {
    fault: "the filter from compares created_at instead of updated_at if there is a filter status",
    breaks: [{ clause: "LIST-25", case: "both deliveries' statuses" }],
    mutate: replacePage(
      ({ statuses }) => (statuses === undefined ? {} : { changed_after: undefined }),
      (rows, { changed_after = 0, statuses }) =>
        rows.filter(({ created_at }) => statuses === undefined || created_at > changed_after),
    ),
  },
  "from-offset-is-ignored": {
    fault: "the UTC offset of from is ignored",
    breaks: [{ clause: "LIST-15", case: "in another time zone" }],
    mutate: replaceOperation("listDeliveries", (call, original) => {
      const from = call.query.from?.replace(/[+-]\d\d:\d\d$/, "Z");
      return original(from === undefined ? call : { ...call, query: { ...call.query, from } });
    }),
  },
  "created-from-filter-is-ignored": {
    fault: "the filter created_from is ignored",
    breaks: [{ clause: "LIST-16" }],
    mutate: alterQuery(() => ({ created_from: undefined })),
  },
  "created-to-filter-is-ignored": {
    fault: "the filter created_to is ignored",
    breaks: [{ clause: "LIST-17" }],
    caughtBy: ["list-filters.created-to"],
    mutate: alterQuery(() => ({ created_to: undefined })),
  },
  "created-from-uses-updated-at": {
    fault: "the filter created_from compares updated_at",
    breaks: [{ clause: "LIST-27" }],
    mutate: replacePage(
      () => ({ created_from: undefined }),
      (rows, { created_from = 0 }) => rows.filter(({ updated_at }) => updated_at >= created_from),
    ),
  },
  "created-to-uses-updated-at": {
    fault: "the filter created_to compares updated_at",
    breaks: [{ clause: "LIST-27" }],
    mutate: replacePage(
      () => ({ created_to: undefined }),
      (rows, { created_to = Number.POSITIVE_INFINITY }) =>
        rows.filter(({ updated_at }) => updated_at <= created_to),
    ),
  },
  "created-to-alone-is-ignored": {
    fault: "created_to is ignored without created_from",
    breaks: [{ clause: "LIST-17" }],
    caughtBy: ["list-filters.created-to-alone"],
    mutate: alterQuery(({ created_from, created_to }) => ({
      created_to: created_from === undefined ? undefined : created_to,
    })),
  },
};
