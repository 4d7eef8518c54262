import type { Parts } from "../../../../reference-server/parts.ts";
import type { Mutant, Mutate } from "../mutant.ts";

const search =
  (change: (search: Parts["courierSearch"]) => Partial<Parts["courierSearch"]>): Mutate =>
  (parts) => ({ ...parts, courierSearch: { ...parts.courierSearch, ...change(parts.courierSearch) } });

const HOUR_MS = 3_600_000;

export const scheduledMutants = {
  "scheduled-search-never-starts": {
    fault: "nothing starts the search of a scheduled delivery",
    mutate: search(({ nextChange }) => ({
      nextChange: (parts, delivery) => {
        const step = nextChange(parts, delivery);
        return step?.kind === "search" && delivery.scheduled_for !== null ? undefined : step;
      },
    })),
  },
  "scheduled-search-starts-late": {
    fault: "the search of a scheduled delivery starts an hour after its time",
    mutate: search(({ startsAt }) => ({
      startsAt: (scheduledFor) => (scheduledFor === null ? startsAt(null) : scheduledFor + HOUR_MS),
    })),
  },
} satisfies Record<string, Mutant>;
