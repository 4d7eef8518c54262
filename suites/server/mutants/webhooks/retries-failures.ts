import type { Mutant } from "../mutant.ts";
import { alterSettlement } from "../operators/webhooks.ts";

/** Attempts without an answer that have a schedule of their own. */
export const retriesFailuresMutants = {
  "silence-is-repeated-at-once-later-on": {
    fault: "from the third attempt on one that isn't answered in time is repeated five seconds later",
    mutate: alterSettlement(({ outcome, state, failures, due_at }) =>
      state === "PENDING" && outcome === "not answered in time" && failures === 3
        ? { due_at: due_at - 1_795_000 }
        : {},
    ),
  },
  "silence-is-given-up-after-three": {
    fault: "an event is given up after three attempts of which the last wasn't answered in time",
    mutate: alterSettlement(({ outcome, failures }) =>
      outcome === "not answered in time" && failures === 3 ? { state: "FAILED" } : {},
    ),
  },
} satisfies Record<string, Mutant>;
