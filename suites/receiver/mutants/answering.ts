import { pause } from "../../core/clock.ts";
import { member } from "../../core/json.ts";
import type { Answer, ParsedEvent, ReceiverDependencies } from "../reference-receiver/dependencies.ts";
import { alterDependencies, type ReceiverMutant } from "./mutant.ts";

const objecting = (objection: (event: ParsedEvent) => Answer | undefined): ReceiverMutant["mutate"] =>
  alterDependencies(() => ({ objection }));

/** Throws an error for some events, like code that reads a member of null. */
const failingWhere = (stumbles: (event: ParsedEvent) => boolean): ReceiverMutant["mutate"] =>
  objecting((event) => (stumbles(event) ? 500 : undefined));

const statuses = (changed: Partial<ReceiverDependencies["statuses"]>): ReceiverMutant["mutate"] =>
  alterDependencies((original) => ({ statuses: { ...original.statuses, ...changed } }));

const KNOWN_ENVELOPE = ["id", "type", "timestamp", "data"];
const isPosition = ({ type }: ParsedEvent) => type === "delivery.courier_location";

/** Milliseconds that processing takes, so that concurrent events overlap. */
const WORK_MS = 50;

function whenBusy(most: number, otherwise: (deps: ReceiverDependencies) => Answer): ReceiverMutant["mutate"] {
  return alterDependencies(({ receive }) => {
    let inFlight = 0;
    return {
      async receive(deps, state, request) {
        inFlight += 1;
        try {
          const busy = inFlight > most;
          await pause(WORK_MS);
          return busy ? otherwise(deps) : await receive(deps, state, request);
        } finally {
          inFlight -= 1;
        }
      },
    };
  });
}

export const answeringMutants = {
  "accepts-nothing": {
    fault: "every event is refused with 401",
    caughtBy: ["kinds.default", "kinds.listed", "signatures.genuine"],
    mutate: alterDependencies(() => ({ refusal: () => 401 })),
  },
  "answers-with-a-redirect": {
    fault: "an event is answered with a redirect",
    caughtBy: ["kinds.default", "kinds.listed"],
    mutate: statuses({ accepted: 302 }),
  },
  "refuses-the-returning-event": {
    fault: "delivery.returning isn't implemented, and is refused",
    caughtBy: ["kinds.default", "kinds.listed"],
    mutate: objecting(({ type }) => (type === "delivery.returning" ? 400 : undefined)),
  },
  "answers-404-for-deliveries-it-does-not-know": {
    fault: "an event about a delivery whose creation wasn't received gets 404",
    caughtBy: ["kinds.default", "kinds.listed"],
    mutate: alterDependencies(() => {
      const opened = new Set<string>();
      return {
        objection({ type, data }) {
          if (type === "delivery.created" && data) opened.add(data.id);
          return !data || opened.has(data.id) ? undefined : 404;
        },
      };
    }),
  },
  "refuses-test-events": {
    fault: "webhook.test is refused as an unknown event type",
    caughtBy: ["kinds.test-event"],
    mutate: objecting(({ type }) => (type === "webhook.test" ? 400 : undefined)),
  },
  "reads-data-before-the-kind": {
    fault: "the delivery's id is read before the event type is tested, so webhook.test fails",
    caughtBy: ["kinds.test-event"],
    mutate: failingWhere(({ data }) => data === null),
  },
  "fails-without-a-courier": {
    fault: "the courier's name is read even if there is no courier",
    caughtBy: ["kinds.sparse-deliveries"],
    mutate: failingWhere(({ data }) => data !== null && data.courier === null),
  },
  "refuses-deliveries-without-a-location": {
    fault: "a delivery without coordinates is refused",
    caughtBy: ["kinds.sparse-deliveries"],
    mutate: objecting(({ data }) =>
      data && "dropoff" in data && member(data, "dropoff", "lat") === null ? 422 : undefined,
    ),
  },
  "refuses-the-status-received": {
    fault: "the status RECEIVED is refused",
    caughtBy: ["kinds.sparse-deliveries"],
    mutate: objecting(({ data }) => (data?.status === "RECEIVED" ? 422 : undefined)),
  },
  "refuses-courier-positions": {
    fault: "delivery.courier_location is refused",
    caughtBy: ["kinds.courier-location"],
    mutate: objecting((event) => (isPosition(event) ? 400 : undefined)),
  },
  "refuses-unknown-kinds": {
    fault: "an unknown type of delivery event is refused",
    caughtBy: ["kinds.unknown"],
    mutate: objecting(({ type }) => (type === "delivery.handed_over" ? 400 : undefined)),
  },
  "fails-on-kinds-of-other-resources": {
    fault: "an event type that isn't about a delivery gets 500",
    caughtBy: ["kinds.unknown"],
    mutate: failingWhere(({ type }) => type !== "webhook.test" && !type.startsWith("delivery.")),
  },
  "refuses-unknown-fields": {
    fault: "an envelope with an unknown field is refused",
    caughtBy: ["kinds.unknown-fields"],
    mutate: objecting((event) =>
      Object.keys(event).some((name) => !KNOWN_ENVELOPE.includes(name)) ? 400 : undefined,
    ),
  },
  "refuses-unknown-fields-of-deliveries": {
    fault: "a delivery with an unknown field is refused",
    caughtBy: ["kinds.unknown-fields"],
    mutate: objecting(({ data }) => (data && "carbon_grams" in data ? 400 : undefined)),
  },
  "refuses-unknown-statuses": {
    fault: "an unknown status is refused",
    caughtBy: ["kinds.unknown-statuses"],
    mutate: objecting(({ data }) => (data?.status === "HANDED_OVER" ? 400 : undefined)),
  },
  "accepts-at-most-16-kilobytes": {
    fault: "a body of more than 16 kB is answered with 413",
    caughtBy: ["bodies.largest"],
    mutate: alterDependencies(() => ({ maxBodyBytes: 16_384 })),
  },
  "stores-external-ref-in-ascii": {
    fault: "a reference with non-ASCII characters gets 500",
    caughtBy: ["bodies.largest"],
    mutate: failingWhere(({ data }) => /[^\0-\x7f]/.test(String(data?.external_ref))),
  },
  "never-answers-cancellations": {
    fault: "delivery.cancelled is never answered",
    caughtBy: ["load.each-in-time"],
    mutate: objecting(({ type }) => (type === "delivery.cancelled" ? "silence" : undefined)),
  },
  "answers-503-when-busy": {
    fault: "beyond 20 concurrent events, events get 503",
    caughtBy: ["load.concurrent-events"],
    mutate: whenBusy(20, () => 503),
  },
  "closes-connections-when-busy": {
    fault: "beyond 20 concurrent events, connections are closed",
    caughtBy: ["load.concurrent-events"],
    mutate: whenBusy(20, () => "close"),
  },
  "loses-events-when-busy": {
    fault: "beyond 20 concurrent events, events get a 2xx and are dropped",
    caughtBy: ["load.effects-of-many"],
    mutate: whenBusy(20, ({ statuses: { accepted } }) => accepted),
  },
  "processes-one-event-at-a-time": {
    fault: "events are processed one after another, and each takes long",
    caughtBy: ["load.concurrent-events"],
    mutate: alterDependencies(({ process }) => {
      let last: Promise<unknown> = Promise.resolve();
      return {
        process(deps, state, signed, event) {
          const mine = last.then(async () => {
            await pause(WORK_MS);
            return process(deps, state, signed, event);
          });
          last = mine;
          return mine;
        },
      };
    }),
  },
} satisfies Record<string, ReceiverMutant>;
