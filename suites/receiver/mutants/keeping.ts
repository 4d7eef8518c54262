import { monotonicNow, pause } from "../../core/clock.ts";
import {
  type Answer,
  applyEvent,
  inMemorySeenEvents,
  type ReceiverParts,
  type SeenEvents,
  type StoredDelivery,
  TOLERANCE_S,
} from "../reference-receiver/parts.ts";
import { type QueueOptions, withQueue } from "../reference-receiver/queue.ts";
import { alterParts, type ReceiverMutant } from "./mutant.ts";

/** Events are known by something else, or for another time. */
const knowing = (change: (right: SeenEvents) => Partial<SeenEvents>): ReceiverMutant["mutate"] =>
  alterParts(() => {
    const right = inMemorySeenEvents();
    return { memory: { ...right, ...change(right) } };
  });

/** Only the last so many events are known. */
const knowingTheLast = (most: number): ReceiverMutant["mutate"] =>
  knowing(() => {
    const known: string[] = [];
    return {
      has: (key) => known.includes(key),
      add(key) {
        known.push(key);
        if (known.length > most) known.shift();
      },
    };
  });

/** A duplicate is answered otherwise. */
const answering = (answer: (times: number) => Answer): ReceiverMutant["mutate"] =>
  alterParts(({ process }) => {
    const times = new Map<string, number>();
    return {
      process(parts, held, signed, event) {
        const before = times.get(signed.id) ?? 0;
        times.set(signed.id, before + 1);
        return before > 0 ? Promise.resolve(answer(before)) : process(parts, held, signed, event);
      },
    };
  });

/** Another event of a delivery counts than the one with the highest version. */
const holding = (next: ReceiverParts["next"]): ReceiverMutant["mutate"] => alterParts(() => ({ next }));

const later = (by: (kept: StoredDelivery) => string | number): ReceiverMutant["mutate"] =>
  holding((kept, _, offered) => (kept && by(kept) > by(offered) ? kept : offered));

/** What a look into a database takes. */
const LOOK_MS = 30;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Events are ordered among those of several deliveries. */
const orderedTogether = (group: (store: string) => string): ReceiverMutant["mutate"] =>
  alterParts(() => {
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

const objecting = (
  answer: number,
  objects: (kept: number, version: number) => boolean,
): ReceiverMutant["mutate"] =>
  alterParts(({ process }) => ({
    async process(parts, held, signed, event) {
      const kept = event.data && held.deliveries.get(event.data.id);
      return kept && event.data && objects(kept.version, event.data.version)
        ? answer
        : process(parts, held, signed, event);
    },
  }));

/** What a queue's worker takes for an event. */
const QUEUE_MS = 2;

/** Events are queued and answered with 202, and something else becomes of those whose processing fails. */
const queued = (onFailure?: QueueOptions["onFailure"]): ReceiverMutant["mutate"] =>
  alterParts((right) => withQueue(right, { workMs: () => QUEUE_MS, ...(onFailure && { onFailure }) }));

/** What is known again, and what is held. */
export const keepingMutants = {
  "answers-409-to-duplicates": { fault: "a duplicate is answered with 409", mutate: answering(() => 409) },
  "answers-400-to-second-duplicates": {
    fault: "an event that comes a third time is answered with 400",
    mutate: answering((times) => (times > 1 ? 400 : 204)),
  },
  "answers-503-to-events-in-progress": {
    fault: "a duplicate of an event that is being worked on is answered with 503",
    mutate: alterParts(({ process }) => {
      const under = new Set<string>();
      return {
        async process(parts, held, signed, event) {
          if (under.has(signed.id)) return 503;
          under.add(signed.id);
          for (let turns = 0; turns < 10; turns += 1) await turn();
          under.delete(signed.id);
          return process(parts, held, signed, event);
        },
      };
    }),
  },
  "remembers-no-events": {
    fault: "every event takes effect, however often it comes",
    mutate: knowing(() => ({ has: () => false })),
  },
  "remembers-the-last-event": { fault: "only the last event is remembered", mutate: knowingTheLast(1) },
  "remembers-the-last-hundred-events": {
    fault: "only the last hundred events are remembered",
    mutate: knowingTheLast(100),
  },
  "remembers-the-last-hundred-and-forty-events": {
    fault: "only the last hundred and forty events are remembered",
    mutate: knowingTheLast(140),
  },
  "remembers-events-for-four-seconds": {
    fault: "an event is forgotten four seconds after it came",
    mutate: knowing(() => {
      const came = new Map<string, number>();
      return {
        has: (key) => monotonicNow() - (came.get(key) ?? Number.NEGATIVE_INFINITY) < 4_000,
        add: (key) => void came.set(key, monotonicNow()),
      };
    }),
  },
  "works-off-old-events-again": {
    fault: "with every hundredth event one that came long before takes effect again",
    mutate: alterParts(({ process }) => {
      const past: (() => void)[] = [];
      return {
        process(parts, held, signed, event) {
          past.push(() => applyEvent(parts, held, signed, event));
          if (past.length % 100 === 0) past[0]?.();
          return process(parts, held, signed, event);
        },
      };
    }),
  },
  "remembers-events-at-their-second-time": {
    fault: "an event is remembered only once it came twice",
    mutate: knowing(({ add }) => {
      const once = new Set<string>();
      return {
        add(key, sentAt) {
          if (once.has(key)) add(key, sentAt);
          once.add(key);
        },
      };
    }),
  },
  "remembers-events-by-signature": {
    fault: "an event is known by its signature",
    mutate: knowing(() => ({ key: ({ signature }) => signature })),
  },
  "remembers-events-by-timestamp": {
    fault: "an event is known by its delivery and the envelope's timestamp",
    mutate: knowing(() => ({ key: (_, { data, timestamp }) => `${data?.id} ${timestamp}` })),
  },
  "remembers-events-by-id-and-timestamp": {
    fault: "an event is known by its id together with webhook-timestamp",
    mutate: knowing(() => ({ key: ({ id, timestamp }) => `${id} ${timestamp}` })),
  },
  "remembers-events-by-body": {
    fault: "an event is known by its body",
    mutate: knowing(() => ({ key: ({ body }) => body.toString() })),
  },
  "remembers-events-by-delivery-and-version": {
    fault: "an event is known by its delivery and version",
    mutate: knowing(() => ({ key: ({ id }, { data }) => (data ? `${data.id} ${data.version}` : id) })),
  },
  "remembers-events-by-delivery-and-kind": {
    fault: "an event is known by its delivery and kind",
    mutate: knowing(() => ({ key: ({ id }, { type, data }) => (data ? `${data.id} ${type}` : id) })),
  },
  "remembers-deliveries": {
    fault: "the first event of a delivery is taken, and the others for repeats",
    mutate: knowing(() => ({ key: ({ id }, { data }) => data?.id ?? id })),
  },
  "forgets-events-with-their-timestamps": {
    fault: "an event is forgotten once its timestamp is stale, as if no try could come later",
    mutate: knowing(() => {
      const sent = new Map<string, number>();
      return {
        key: ({ id, timestamp }) => `${id} ${timestamp}`,
        has(key) {
          const [id = "", timestamp] = key.split(" ");
          const first = sent.get(id);
          return first !== undefined && Number(timestamp) - first <= TOLERANCE_S;
        },
        add(key, sentAt) {
          const [id = ""] = key.split(" ");
          sent.set(id, sentAt);
        },
      };
    }),
  },
  "looks-before-it-remembers": {
    fault: "between the look for a duplicate and the note of it others get through",
    mutate: alterParts(() => ({
      async process(parts, held, signed, event) {
        const key = parts.memory.key(signed, event);
        const known = parts.memory.has(key);
        await pause(LOOK_MS);
        if (known) return parts.statuses.taken;
        applyEvent(parts, held, signed, event);
        parts.memory.add(key, parts.seconds(signed.timestamp));
        return parts.statuses.taken;
      },
    })),
  },
  "remembers-before-it-processes": {
    fault: "an event is noted as known before it is processed, and stays so when that fails",
    mutate: alterParts(({ process }) => ({
      process(parts, held, signed, event) {
        if (held.failNext) parts.memory.add(parts.memory.key(signed, event), 0);
        if (!held.failNext) return process(parts, held, signed, event);
        held.failNext = false;
        return Promise.resolve(parts.statuses.failed);
      },
    })),
  },
  "answers-200-before-it-processes": {
    fault: "2xx is answered before the event is processed, also when that fails",
    mutate: alterParts(({ statuses }) => ({ statuses: { ...statuses, failed: 200 } })),
  },
  "counts-what-failed": {
    fault: "an event takes effect before its processing fails, and again when it is repeated",
    mutate: alterParts(({ process }) => ({
      process(parts, held, signed, event) {
        if (held.failNext) applyEvent(parts, held, signed, event);
        return process(parts, held, signed, event);
      },
    })),
  },
  "loses-queued-events-that-fail": {
    fault: "an event is queued and answered with 202, and lost when its processing fails",
    mutate: queued(),
  },
  "queues-failed-events-twice": {
    fault: "an event whose processing failed is queued again by the worker, and by the queue itself",
    mutate: queued((tryAgain) => {
      tryAgain();
      tryAgain();
    }),
  },
  "leaves-failed-events-in-its-queue": {
    fault:
      "an event whose processing fails is answered with 500 and left in the queue, and its repeat queued beside it",
    mutate: alterParts(({ process }) => ({
      process(parts, held, signed, event) {
        if (!held.failNext) return process(parts, held, signed, event);
        held.failNext = false;
        setTimeout(() => applyEvent(parts, held, signed, event), QUEUE_MS);
        return Promise.resolve(parts.statuses.failed);
      },
    })),
  },
  "remembers-what-it-refused": {
    fault: "the id of a request that is refused is noted as known",
    mutate: alterParts(({ refusal, memory }) => ({
      refusal(parts, request) {
        const answer = refusal(parts, request);
        const id = parts.header(request, "webhook-id");
        if (answer !== undefined && id !== undefined) memory.add(id, 0);
        return answer;
      },
    })),
  },
  "processes-before-it-checks": {
    fault: "the event takes effect before its signature is verified",
    mutate: alterParts(({ receive }) => ({
      receive(parts, held, request) {
        const id = parts.header(request, "webhook-id") ?? "";
        applyEvent(
          parts,
          held,
          { id, timestamp: "0", signature: "", body: request.body },
          parts.read(request.body),
        );
        return receive(parts, held, request);
      },
    })),
  },
  "processes-stale-events": {
    fault: "an event that is stale takes effect, though it is answered with 400",
    mutate: alterParts(({ receive }) => ({
      async receive(parts, held, request) {
        const answer = await receive(parts, held, request);
        const signed = parts.signed(parts, request);
        if (answer === parts.statuses.stale && signed && parts.isGenuine(parts, signed)) {
          applyEvent(parts, held, signed, parts.read(request.body));
        }
        return answer;
      },
    })),
  },
  "answers-409-to-outdated-events": {
    fault: "an event with a lower version is answered with 409",
    mutate: objecting(409, (kept, version) => version < kept),
  },
  "answers-409-to-gaps": {
    fault: "an event that leaves out versions is answered with 409",
    mutate: objecting(409, (kept, version) => version > kept + 1),
  },
  "holds-what-came-last": {
    fault: "the event that came last counts",
    mutate: holding((_, __, offered) => offered),
  },
  "holds-the-status-that-came-last": {
    fault: "a late event keeps its version from being lowered, and changes the status",
    mutate: holding((kept, _, offered) =>
      kept && kept.version > offered.version ? { ...kept, status: offered.status } : offered,
    ),
  },
  "orders-by-webhook-timestamp": {
    fault: "the event that was sent last counts",
    mutate: later(({ sentAt }) => sentAt),
  },
  "orders-by-the-envelopes-timestamp": {
    fault: "the envelope's timestamp orders events",
    mutate: later(({ timestamp }) => timestamp),
  },
  "orders-by-updated-at": {
    fault: "updated_at orders events",
    mutate: later(({ updated_at }) => updated_at),
  },
  "compares-versions-as-text": {
    fault: "versions are compared as text",
    mutate: later(({ version }) => String(version)),
  },
  "keeps-versions-in-a-byte": {
    fault: "versions are compared by their last byte",
    mutate: later(({ version }) => version % 256),
  },
  "compares-with-the-first-version": {
    fault: "versions are compared with the first that came, which stays",
    mutate: alterParts(() => {
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
  "looks-at-the-version-before-it-writes": {
    fault: "between the look at the version and the writing of the new one others get through",
    mutate: alterParts(({ process }) => ({
      async process(parts, held, signed, event) {
        const before = event.data && held.deliveries.get(event.data.id);
        // The higher the version, the sooner it is written: those that wait overwrite it.
        for (let turns = 0; turns < 30 - (event.data?.version ?? 0); turns += 1) await turn();
        if (event.data && before) held.deliveries.set(event.data.id, before);
        else if (event.data) held.deliveries.delete(event.data.id);
        return process(parts, held, signed, event);
      },
    })),
  },
  "orders-all-deliveries-together": {
    fault: "the highest version of all deliveries counts for each",
    mutate: orderedTogether(() => "all"),
  },
  "orders-the-deliveries-of-a-store-together": {
    fault: "the highest version of a store's deliveries counts for each",
    mutate: orderedTogether((store) => store),
  },
  "waits-for-missing-versions": {
    fault: "an event that leaves out versions is put aside for ever",
    mutate: holding((kept, _, offered) => (kept && offered.version !== kept.version + 1 ? kept : offered)),
  },
  "knows-only-deliveries-it-saw-created": {
    fault: "the first event of a delivery is dropped where its version isn't 1",
    mutate: holding((kept, _, offered) => (!kept && offered.version > 1 ? undefined : offered)),
  },
  "drops-equal-versions": {
    fault: "an event whose version is held already is dropped",
    mutate: holding((kept, _, offered) => (kept && kept.version >= offered.version ? kept : offered)),
  },
  "drops-events-it-cannot-order": {
    fault: "an event that isn't later by the envelope's timestamp is dropped",
    mutate: holding((kept, _, offered) => (kept && kept.timestamp >= offered.timestamp ? kept : offered)),
  },
} satisfies Record<string, ReceiverMutant>;
