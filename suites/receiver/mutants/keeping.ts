import { monotonicNow, pause } from "../../core/clock.ts";
import {
  type Answer,
  applyEvent,
  inMemorySeenEvents,
  type SeenEvents,
  TOLERANCE_S,
} from "../reference-receiver/dependencies.ts";
import { type QueueOptions, withQueue } from "../reference-receiver/queue.ts";
import { alterDependencies, type ReceiverMutant, turn } from "./mutant.ts";

const rememberingBy = (change: (original: SeenEvents) => Partial<SeenEvents>): ReceiverMutant["mutate"] =>
  alterDependencies(() => {
    const original = inMemorySeenEvents();
    return { memory: { ...original, ...change(original) } };
  });

/** Recognises only the latest events: `most` of them. */
const rememberingLast = (most: number): ReceiverMutant["mutate"] =>
  rememberingBy(() => {
    const known: string[] = [];
    return {
      has: (key) => known.includes(key),
      add(key) {
        known.push(key);
        if (known.length > most) known.shift();
      },
    };
  });

/** Gives repeated events another response than the first time. */
const answeringDuplicates = (answer: (times: number) => Answer): ReceiverMutant["mutate"] =>
  alterDependencies(({ process }) => {
    const times = new Map<string, number>();
    return {
      process(deps, state, signed, event) {
        const before = times.get(signed.id) ?? 0;
        times.set(signed.id, before + 1);
        return before > 0 ? Promise.resolve(answer(before)) : process(deps, state, signed, event);
      },
    };
  });

/** Milliseconds that a database lookup takes. */
const LOOKUP_MS = 30;

/** Milliseconds that a worker takes for an event. */
const QUEUE_MS = 2;

/** Queues events and answers 202. Without `onFailure`, an event whose processing fails is lost. */
const queued = (onFailure?: QueueOptions["onFailure"]): ReceiverMutant["mutate"] =>
  alterDependencies((original) =>
    withQueue(original, { workMs: () => QUEUE_MS, ...(onFailure && { onFailure }) }),
  );

const ENDS: readonly string[] = [
  "delivery.delivered",
  "delivery.failed",
  "delivery.cancelled",
  "delivery.returned",
];

export const keepingMutants = {
  "answers-409-to-duplicates": {
    fault: "a duplicate is answered with 409",
    caughtBy: ["duplicates.responses"],
    mutate: answeringDuplicates(() => 409),
  },
  "answers-400-to-second-duplicates": {
    fault: "an event that is sent a third time gets 400",
    caughtBy: ["duplicates.responses"],
    mutate: answeringDuplicates((times) => (times > 1 ? 400 : 204)),
  },
  "answers-503-to-events-in-progress": {
    fault: "a duplicate of an event in progress gets 503",
    caughtBy: ["duplicates.concurrent-responses"],
    mutate: alterDependencies(({ process }) => {
      const inFlight = new Set<string>();
      return {
        async process(deps, state, signed, event) {
          if (inFlight.has(signed.id)) return 503;
          inFlight.add(signed.id);
          for (let turns = 0; turns < 10; turns += 1) await turn();
          inFlight.delete(signed.id);
          return process(deps, state, signed, event);
        },
      };
    }),
  },
  "remembers-no-events": {
    fault: "every event takes effect each time it is sent",
    caughtBy: [
      "duplicates.beyond-the-tolerance",
      "duplicates.concurrent",
      "duplicates.each-kind",
      "duplicates.later-tries",
      "duplicates.one-effect",
      "duplicates.other-bodies",
    ],
    mutate: rememberingBy(() => ({ has: () => false })),
  },
  "remembers-the-last-event": {
    fault: "only the last event is remembered",
    caughtBy: ["duplicates.after-many-others", "duplicates.one-effect"],
    mutate: rememberingLast(1),
  },
  "remembers-the-last-hundred-events": {
    fault: "only the last hundred events are remembered",
    caughtBy: ["duplicates.after-many-others"],
    mutate: rememberingLast(100),
  },
  "remembers-the-last-hundred-and-forty-events": {
    fault: "only the last hundred and forty events are remembered",
    caughtBy: ["duplicates.at-the-end-of-the-run"],
    mutate: rememberingLast(140),
  },
  "remembers-events-for-four-seconds": {
    fault: "an event is forgotten after four seconds",
    caughtBy: ["duplicates.as-late-as-the-second-attempt"],
    mutate: rememberingBy(() => {
      const came = new Map<string, number>();
      return {
        has: (key) => monotonicNow() - (came.get(key) ?? Number.NEGATIVE_INFINITY) < 4_000,
        add: (key) => void came.set(key, monotonicNow()),
      };
    }),
  },
  "processes-old-events-again": {
    fault: "every hundredth event, an old event takes effect again",
    caughtBy: ["duplicates.none-by-the-end-of-the-run"],
    mutate: alterDependencies(({ process }) => {
      const past: (() => void)[] = [];
      return {
        process(deps, state, signed, event) {
          past.push(() => applyEvent(deps, state, signed, event));
          if (past.length % 100 === 0) past[0]?.();
          return process(deps, state, signed, event);
        },
      };
    }),
  },
  "remembers-events-from-their-second-arrival": {
    fault: "an event is remembered only from its second time on",
    caughtBy: ["duplicates.one-effect"],
    mutate: rememberingBy(({ add }) => {
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
    fault: "events are identified by their signature",
    caughtBy: ["duplicates.later-tries"],
    mutate: rememberingBy(() => ({ key: ({ signature }) => signature })),
  },
  "remembers-events-by-timestamp": {
    fault: "events are identified by their delivery and the envelope's timestamp",
    caughtBy: ["duplicates.alike"],
    mutate: rememberingBy(() => ({ key: (_, { data, timestamp }) => `${data?.id} ${timestamp}` })),
  },
  "remembers-events-by-id-and-timestamp": {
    fault: "events are identified by their id and webhook-timestamp",
    caughtBy: ["duplicates.later-tries"],
    mutate: rememberingBy(() => ({ key: ({ id, timestamp }) => `${id} ${timestamp}` })),
  },
  "remembers-events-by-body": {
    fault: "events are identified by their body",
    caughtBy: ["duplicates.other-bodies"],
    mutate: rememberingBy(() => ({ key: ({ body }) => body.toString() })),
  },
  "remembers-events-by-delivery-and-version": {
    fault: "events are identified by their delivery and version",
    caughtBy: ["duplicates.other-bodies"],
    mutate: rememberingBy(() => ({ key: ({ id }, { data }) => (data ? `${data.id} ${data.version}` : id) })),
  },
  "remembers-events-by-delivery-and-kind": {
    fault: "events are identified by their delivery and event type",
    caughtBy: ["duplicates.alike"],
    mutate: rememberingBy(() => ({ key: ({ id }, { type, data }) => (data ? `${data.id} ${type}` : id) })),
  },
  "processes-one-event-per-delivery": {
    fault: "only the first event of a delivery takes effect; the others count as repeats",
    caughtBy: ["duplicates.alike"],
    mutate: rememberingBy(() => ({ key: ({ id }, { data }) => data?.id ?? id })),
  },
  "remembers-the-beginning-of-ids": {
    fault: "events are identified by the first 32 characters of their id",
    caughtBy: ["duplicates.nearly-one-id"],
    mutate: rememberingBy(() => ({ key: ({ id }) => id.slice(0, 32) })),
  },
  "remembers-the-end-of-ids": {
    fault: "events are identified by the last 32 characters of their id",
    caughtBy: ["duplicates.nearly-one-id"],
    mutate: rememberingBy(() => ({ key: ({ id }) => id.slice(-32) })),
  },
  "forgets-the-events-of-ended-deliveries": {
    fault: "a second after a delivery has ended, its events are forgotten",
    caughtBy: ["duplicates.after-the-end-of-a-delivery"],
    mutate: rememberingBy(({ has }) => {
      const deliveryOf = new Map<string, string>();
      const endedAt = new Map<string, number>();
      return {
        key({ id }, { type, data }) {
          if (data) deliveryOf.set(id, data.id);
          if (data && ENDS.includes(type) && !endedAt.has(data.id)) endedAt.set(data.id, monotonicNow());
          return id;
        },
        has(key) {
          const end = endedAt.get(deliveryOf.get(key) ?? "") ?? Number.POSITIVE_INFINITY;
          return has(key) && monotonicNow() - end < 1_000;
        },
      };
    }),
  },
  "forgets-events-once-their-timestamp-is-stale": {
    fault: "an event is forgotten once its timestamp is stale",
    caughtBy: ["duplicates.beyond-the-tolerance"],
    mutate: rememberingBy(() => {
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
  "looks-up-and-records-separately": {
    fault: "concurrent duplicates pass between the lookup of an event and its recording",
    caughtBy: ["duplicates.concurrent"],
    mutate: alterDependencies(() => ({
      async process(deps, state, signed, event) {
        const key = deps.memory.key(signed, event);
        const known = deps.memory.has(key);
        await pause(LOOKUP_MS);
        if (known) return deps.statuses.accepted;
        applyEvent(deps, state, signed, event);
        deps.memory.add(key, deps.seconds(signed.timestamp));
        return deps.statuses.accepted;
      },
    })),
  },
  "remembers-before-it-processes": {
    fault: "an event is recorded before it is processed, and stays recorded if processing fails",
    caughtBy: ["duplicates.after-a-failure"],
    mutate: alterDependencies(({ process }) => ({
      process(deps, state, signed, event) {
        if (state.failNext) deps.memory.add(deps.memory.key(signed, event), 0);
        if (!state.failNext) return process(deps, state, signed, event);
        state.failNext = false;
        return Promise.resolve(deps.statuses.failed);
      },
    })),
  },
  "answers-200-before-it-processes": {
    fault: "the response is 2xx before the event is processed, even if processing fails",
    caughtBy: ["duplicates.after-a-failure"],
    mutate: alterDependencies(({ statuses }) => ({ statuses: { ...statuses, failed: 200 } })),
  },
  "remembers-failed-events-as-processed": {
    fault: "an event takes effect before its processing fails, and again when it is repeated",
    caughtBy: ["duplicates.after-a-failure"],
    mutate: alterDependencies(({ process }) => ({
      process(deps, state, signed, event) {
        if (state.failNext) applyEvent(deps, state, signed, event);
        return process(deps, state, signed, event);
      },
    })),
  },
  "loses-queued-events-that-fail": {
    fault: "an event is queued and gets 202, and is lost if its processing fails",
    caughtBy: ["duplicates.after-a-failure"],
    mutate: queued(),
  },
  "queues-failed-events-twice": {
    fault: "an event whose processing failed is queued twice: by the worker and by the queue",
    caughtBy: ["duplicates.after-a-failure"],
    mutate: queued((tryAgain) => {
      tryAgain();
      tryAgain();
    }),
  },
  "leaves-failed-events-in-its-queue": {
    fault: "an event whose processing fails gets 500 but stays in the queue, and its repeat is queued too",
    caughtBy: ["duplicates.after-a-failure"],
    mutate: alterDependencies(({ process }) => {
      let left = () => {};
      return {
        process(deps, state, signed, event) {
          left();
          left = () => {};
          if (!state.failNext) return process(deps, state, signed, event);
          state.failNext = false;
          left = () => applyEvent(deps, state, signed, event);
          return Promise.resolve(deps.statuses.failed);
        },
      };
    }),
  },
  "remembers-refused-events": {
    fault: "the id of a refused request is recorded as processed",
    caughtBy: ["duplicates.after-a-refusal"],
    mutate: alterDependencies(({ refusal, memory }) => ({
      refusal(deps, request) {
        const answer = refusal(deps, request);
        const id = deps.header(request, "webhook-id");
        if (answer !== undefined && id !== undefined) memory.add(id, 0);
        return answer;
      },
    })),
  },
  "processes-before-verifying": {
    fault: "the event takes effect before its signature is verified",
    caughtBy: ["duplicates.after-a-refusal"],
    mutate: alterDependencies(({ receive }) => ({
      receive(deps, state, request) {
        const id = deps.header(request, "webhook-id") ?? "";
        applyEvent(
          deps,
          state,
          { id, timestamp: "0", signature: "", body: request.body },
          deps.read(request.body),
        );
        return receive(deps, state, request);
      },
    })),
  },
  "stores-refused-events": {
    fault: "the delivery in an unsigned event is stored, although the request is refused",
    caughtBy: ["order.held-by-delivery"],
    mutate: alterDependencies(({ receive }) => ({
      receive(deps, state, request) {
        if (deps.header(request, "webhook-signature") === undefined) {
          const processed = new Map<string, number>();
          const unsigned = { id: "", timestamp: "0", signature: "", body: request.body };
          applyEvent(deps, { ...state, processed }, unsigned, deps.read(request.body));
        }
        return receive(deps, state, request);
      },
    })),
  },
  "processes-stale-events": {
    fault: "a stale event takes effect, although it gets 400",
    caughtBy: ["duplicates.after-a-refusal"],
    mutate: alterDependencies(({ receive }) => ({
      async receive(deps, state, request) {
        const answer = await receive(deps, state, request);
        const signed = deps.signed(deps, request);
        if (answer === deps.statuses.stale && signed && deps.isGenuine(deps, signed)) {
          applyEvent(deps, state, signed, deps.read(request.body));
        }
        return answer;
      },
    })),
  },
} satisfies Record<string, ReceiverMutant>;
