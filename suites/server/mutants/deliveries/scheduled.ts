import type { Parts } from "../../../../reference-server/parts.ts";
import type { Mutant, Mutate } from "../mutant.ts";

const search =
  (change: (search: Parts["search"]) => Partial<Parts["search"]>): Mutate =>
  (parts) => ({ ...parts, search: { ...parts.search, ...change(parts.search) } });

const HOUR_MS = 3_600_000;

export const scheduledMutants = {
  "scheduled-search-never-starts": {
    fault: "nothing starts the search of a scheduled delivery",
    mutate: search(({ nextStep }) => ({
      nextStep: (parts, delivery) => {
        const step = nextStep(parts, delivery);
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
