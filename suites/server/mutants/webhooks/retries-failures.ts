import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Mutants } from "../mutant.ts";
import { alterOutbox, alterSettlement, rememberFirst } from "../operators/webhooks.ts";

/** The delay from the fifth attempt to the sixth, in milliseconds. */
const AFTER_FIFTH_MS = 5 * 3_600_000;

const MAX_ATTEMPTS = 8;

/** The recorded results of broken connections. */
const BROKEN_CONNECTIONS: readonly (string | null | undefined)[] = ["UND_ERR_SOCKET", "ECONNRESET"];

/** The attempts of an event to all endpoints together are limited, as those to one endpoint should be. */
function countForAllEndpoints(deps: Dependencies): Dependencies {
  const counts = new Map<string, number>();
  return alterOutbox(({ settle }) => ({
    settle(db, sending, settled) {
      const count = (counts.get(sending.event_id) ?? 0) + 1;
      counts.set(sending.event_id, count);
      const isOver = settled.state === "PENDING" && count >= MAX_ATTEMPTS;
      return settle(db, sending, isOver ? { ...settled, state: "FAILED" } : settled);
    },
  }))(deps);
}

export const retriesFailuresMutants: Mutants = {
  "attempts-are-counted-for-all-endpoints": {
    fault: "the attempts of an event to all endpoints together are limited to eight",
    breaks: [{ clause: "RETRY-37" }],
    mutate: countForAllEndpoints,
  },
  "given-up-after-a-redirect-of-attempt-3": {
    fault: "an event is given up if its third attempt gets a redirect",
    breaks: [{ clause: "RETRY-12", case: "a redirect" }],
    caughtBy: ["retries.every-kind-of-failure"],
    mutate: alterSettlement(({ outcome, failures }) =>
      outcome === "302" && failures === 3 ? { state: "FAILED" } : {},
    ),
  },
  "given-up-after-a-broken-connection-of-attempt-4": {
    fault: "an event is given up if the connection of its fourth attempt breaks",
    breaks: [{ clause: "RETRY-13", case: "a broken connection" }],
    caughtBy: ["retries.every-kind-of-failure"],
    mutate: alterSettlement(({ outcome, failures }) =>
      BROKEN_CONNECTIONS.includes(outcome) && failures === 4 ? { state: "FAILED" } : {},
    ),
  },
  "timeout-of-attempt-3-is-retried-immediately": {
    fault: "a third attempt that times out is retried after 5 s",
    breaks: [{ clause: "RETRY-12" }],
    caughtBy: ["retries.late-silence"],
    mutate: alterSettlement(({ outcome, state, failures, due_at }) =>
      state === "PENDING" && outcome === "not answered in time" && failures === 3
        ? { due_at: due_at - 1_795_000 }
        : {},
    ),
  },
  "given-up-after-a-timeout-of-attempt-3": {
    fault: "an event is given up if its third attempt times out",
    breaks: [{ clause: "RETRY-12" }],
    caughtBy: ["retries.late-silence"],
    mutate: alterSettlement(({ outcome, failures }) =>
      outcome === "not answered in time" && failures === 3 ? { state: "FAILED" } : {},
    ),
  },
  "timeout-of-attempt-5-is-retried-too-soon": {
    fault: "a fifth attempt that times out is retried after a minute",
    breaks: [{ clause: "RETRY-14" }],
    caughtBy: ["retries.late-silence"],
    mutate: alterSettlement(({ outcome, state, failures, due_at }) =>
      state === "PENDING" && outcome === "not answered in time" && failures === 5
        ? { due_at: due_at - AFTER_FIFTH_MS + 60_000 }
        : {},
    ),
  },
  "given-up-after-a-timeout-of-attempt-5": {
    fault: "an event is given up if its fifth attempt times out",
    breaks: [{ clause: "RETRY-14" }],
    caughtBy: ["retries.late-silence"],
    mutate: alterSettlement(({ outcome, failures }) =>
      outcome === "not answered in time" && failures === 5 ? { state: "FAILED" } : {},
    ),
  },
  "given-up-after-the-second-timeout": {
    fault: "an event is given up after its second timeout",
    breaks: [{ clause: "RETRY-14" }],
    caughtBy: ["retries.late-silence"],
    mutate: alterOutbox(({ settle }) => {
      const firstTimeout = rememberFirst<number>();
      return {
        settle: (db, sending, settled) => {
          const isSecond =
            settled.outcome === "not answered in time" &&
            firstTimeout(sending, settled.failures) < settled.failures;
          return settle(db, sending, isSecond ? { ...settled, state: "FAILED" } : settled);
        },
      };
    }),
  },
};
