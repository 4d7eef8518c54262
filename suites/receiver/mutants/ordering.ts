import { DEFAULT_KINDS } from "../../core/contract/event-kinds.ts";
import type { ReceiverDependencies, StoredDelivery } from "../reference-receiver/dependencies.ts";
import { alterDependencies, type ReceiverMutant, turn } from "./mutant.ts";

const KINDS: readonly string[] = DEFAULT_KINDS;

/** Stores an event of a delivery that doesn't have the highest version. */
const holding = (next: ReceiverDependencies["next"]): ReceiverMutant["mutate"] =>
  alterDependencies(() => ({ next }));

const later = (by: (kept: StoredDelivery) => string | number): ReceiverMutant["mutate"] =>
  holding((kept, _, offered) => (kept && by(kept) > by(offered) ? kept : offered));

/** Orders events of several deliveries together, instead of each delivery's separately. */
const orderedTogether = (group: (store: string) => string): ReceiverMutant["mutate"] =>
  alterDependencies(() => {
    const highest = new Map<string, number>();
    return {
      next(kept, { store_id }, offered) {
        const place = group(store_id);
        if ((highest.get(place) ?? 0) > offered.version) return kept;
        highest.set(place, offered.version);
        return offered;
      },
    };
  });

/** Selects the stored version depending on the event's type. */
export const holdingOf = (
  next: (kind: string, original: ReceiverDependencies["next"]) => ReceiverDependencies["next"] | undefined,
): ReceiverMutant["mutate"] =>
  alterDependencies(({ process, next: original }) => ({
    process: (deps, state, signed, event) =>
      process({ ...deps, next: next(event.type, original) ?? original }, state, signed, event),
  }));

const objecting = (
  answer: number,
  objects: (kept: number, version: number) => boolean,
): ReceiverMutant["mutate"] =>
  alterDependencies(({ process }) => ({
    async process(deps, state, signed, event) {
      const kept = event.data && state.deliveries.get(event.data.id);
      return kept && event.data && objects(kept.version, event.data.version)
        ? answer
        : process(deps, state, signed, event);
    },
  }));

export const orderingMutants = {
  "answers-409-to-outdated-events": {
    fault: "an event with a lower version gets 409",
    caughtBy: ["order.responses"],
    mutate: objecting(409, (kept, version) => version < kept),
  },
  "answers-409-to-gaps": {
    fault: "an event that skips versions gets 409",
    caughtBy: ["order.responses"],
    mutate: objecting(409, (kept, version) => version > kept + 1),
  },
  "keeps-the-event-that-arrived-last": {
    fault: "the last event to arrive is stored",
    caughtBy: ["order.any-order", "order.late", "order.late-of-each-kind", "order.same-time"],
    mutate: holding((_, __, offered) => offered),
  },
  "keeps-the-status-that-arrived-last": {
    fault: "a late event doesn't lower the version, but changes the status",
    caughtBy: ["order.late"],
    mutate: holding((kept, _, offered) =>
      kept && kept.version > offered.version ? { ...kept, status: offered.status } : offered,
    ),
  },
  "marks-failures-regardless-of-version": {
    fault: "delivery.failed sets the status even if a higher version is stored",
    caughtBy: ["order.late-of-each-kind"],
    mutate: holdingOf((kind, original) =>
      kind === "delivery.failed"
        ? (kept, delivery, offered) => {
            const next = original(kept, delivery, offered) ?? offered;
            return { ...next, status: "FAILED" };
          }
        : undefined,
    ),
  },
  "ignores-the-status-in-updated-events": {
    fault: "delivery.updated changes the version, but not the status",
    caughtBy: ["order.state-of-a-change"],
    mutate: holdingOf((kind, original) =>
      kind === "delivery.updated"
        ? (kept, delivery, offered) =>
            original(kept, delivery, { ...offered, status: kept?.status ?? offered.status })
        : undefined,
    ),
  },
  "orders-by-event-type": {
    fault: "an event of an earlier event type than the stored one is dropped, whatever its version",
    caughtBy: ["order.lapsed-offer"],
    mutate(deps) {
      const reached = new Map<string, number>();
      return holdingOf((kind, original) => (kept, delivery, offered) => {
        const place = KINDS.indexOf(kind);
        if (kept && place < (reached.get(delivery.id) ?? 0)) return kept;
        reached.set(delivery.id, place);
        return original(kept, delivery, offered);
      })(deps);
    },
  },
  "orders-by-webhook-timestamp": {
    fault: "the event with the latest webhook-timestamp is stored",
    caughtBy: ["order.any-order", "order.late"],
    mutate: later(({ sentAt }) => sentAt),
  },
  "orders-by-the-envelopes-timestamp": {
    fault: "the envelope's timestamp orders events",
    caughtBy: ["order.same-time"],
    mutate: later(({ timestamp }) => timestamp),
  },
  "orders-by-updated-at": {
    fault: "updated_at orders events",
    caughtBy: ["order.same-time"],
    mutate: later(({ updated_at }) => updated_at),
  },
  "compares-versions-as-text": {
    fault: "versions are compared as text",
    caughtBy: ["order.as-numbers"],
    mutate: later(({ version }) => String(version)),
  },
  "compares-versions-by-last-byte": {
    fault: "versions are compared by their last byte",
    caughtBy: ["order.as-numbers"],
    mutate: later(({ version }) => version % 256),
  },
  "compares-with-the-first-version": {
    fault: "versions are compared with the first one that arrived",
    caughtBy: ["order.any-order"],
    mutate: alterDependencies(() => {
      const first = new Map<string, number>();
      return {
        next(kept, { id }, offered) {
          const begun = first.get(id) ?? offered.version;
          first.set(id, begun);
          return offered.version >= begun ? offered : kept;
        },
      };
    }),
  },
  "reads-and-writes-the-version-separately": {
    fault: "concurrent events pass between reading the version and writing the new one",
    caughtBy: ["order.concurrent"],
    mutate: alterDependencies(({ process }) => ({
      async process(deps, state, signed, event) {
        const before = event.data && state.deliveries.get(event.data.id);
        // Writes a higher version earlier, so that a lower version overwrites it.
        for (let turns = 0; turns < 30 - (event.data?.version ?? 0); turns += 1) await turn();
        if (event.data && before) state.deliveries.set(event.data.id, before);
        else if (event.data) state.deliveries.delete(event.data.id);
        return process(deps, state, signed, event);
      },
    })),
  },
  "orders-all-deliveries-together": {
    fault: "an event's version is compared with the highest of all deliveries",
    caughtBy: ["order.by-delivery", "order.held-by-delivery"],
    mutate: orderedTogether(() => "all"),
  },
  "orders-the-deliveries-of-a-store-together": {
    fault: "an event's version is compared with the highest of the store's deliveries",
    caughtBy: ["order.by-delivery"],
    mutate: orderedTogether((store) => store),
  },
  "waits-for-missing-versions": {
    fault: "an event that skips versions is deferred forever",
    caughtBy: ["order.by-delivery", "order.held-by-delivery"],
    mutate: holding((kept, _, offered) => (kept && offered.version !== kept.version + 1 ? kept : offered)),
  },
  "requires-version-1-first": {
    fault: "the first event of a delivery is dropped unless its version is 1",
    caughtBy: ["order.by-delivery"],
    mutate: holding((kept, _, offered) => (!kept && offered.version > 1 ? undefined : offered)),
  },
  "drops-equal-versions": {
    fault: "an event with the stored version is dropped",
    caughtBy: ["order.equal-versions"],
    mutate: holding((kept, _, offered) => (kept && kept.version >= offered.version ? kept : offered)),
  },
  "drops-events-without-a-later-timestamp": {
    fault: "an event whose envelope has no later timestamp is dropped",
    caughtBy: ["duplicates.alike"],
    mutate: holding((kept, _, offered) => (kept && kept.timestamp >= offered.timestamp ? kept : offered)),
  },
} satisfies Record<string, ReceiverMutant>;
