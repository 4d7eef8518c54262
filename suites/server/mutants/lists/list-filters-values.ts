import type { Mutants } from "../mutant.ts";
import { alterQuery, replacePage } from "../operators/deliveries.ts";

/** Faults of a filter with some of its values. */
export const filterValuesMutants: Mutants = {
  "status-filter-never-finds-received-ones": {
    fault: "the filter status finds no delivery that waits for its coordinates",
    breaks: [{ clause: "LIST-13" }],
    caughtBy: ["list-filters.status"],
    mutate: replacePage(
      () => ({}),
      (rows, { statuses }) => rows.filter(({ status }) => statuses === undefined || status !== "RECEIVED"),
    ),
  },
  "reference-filter-read-as-latin-1": {
    fault: "the filter external_ref finds no order number with Turkish letters",
    breaks: [{ clause: "LIST-18", case: "Turkish letters" }],
    caughtBy: ["list-filters.external-ref"],
    mutate: alterQuery(({ external_ref }) =>
      external_ref === undefined ? {} : { external_ref: Buffer.from(external_ref).toString("latin1") },
    ),
  },
};
