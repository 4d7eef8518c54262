import type { Mutant } from "../mutant.ts";
import { alterSettlement } from "../operators/webhooks.ts";

/** How long after a fifth attempt the sixth is due, milliseconds. */
const AFTER_FIFTH_MS = 5 * 3_600_000;

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
  "late-silence-is-repeated-at-once": {
    fault: "a fifth attempt that isn't answered in time is repeated a minute later",
    mutate: alterSettlement(({ outcome, state, failures, due_at }) =>
      state === "PENDING" && outcome === "not answered in time" && failures === 5
        ? { due_at: due_at - AFTER_FIFTH_MS + 60_000 }
        : {},
    ),
  },
  "late-silence-is-given-up": {
    fault: "an event is given up after five attempts of which the last wasn't answered in time",
    mutate: alterSettlement(({ outcome, failures }) =>
      outcome === "not answered in time" && failures === 5 ? { state: "FAILED" } : {},
    ),
  },
} satisfies Record<string, Mutant>;
