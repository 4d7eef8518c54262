import { pause } from "../../core/clock.ts";
import { fieldsOf } from "../../core/contract/resource-fields.ts";
import { alterDependencies } from "../mutants/mutant.ts";
import type { ParsedDelivery, StoredDelivery } from "../reference-receiver/dependencies.ts";
import type { ReceiverVariant } from "./variant.ts";

/** Milliseconds that each request takes, so that some requests overlap. */
const BUSY_MS = 40;

const KNOWN_MEMBERS = new Set<string>(["id", "type", "timestamp", "data", ...fieldsOf("Delivery")]);

const hasUnknownMembers = (value: object | null): boolean =>
  Object.keys(value ?? {}).some((name) => !KNOWN_MEMBERS.has(name));

/** Identifies an order by its number, which is unique within its store. */
const orderOf = ({ store_id, external_ref }: ParsedDelivery): string => `${store_id} ${external_ref}`;

/** Conforming receivers that refuse everything that the specification allows them to refuse. */
export const strictReceivers: Readonly<Record<string, ReceiverVariant>> = {
  "strict-where-it-may": {
    choices: [
      "refuses unknown event types",
      "stores one event of each version",
      "ignores the version of a signature",
      "answers 409 to duplicates",
      "answers 503 beyond eight concurrent requests",
    ],
    warnings: [
      "duplicates.responses",
      "duplicates.concurrent-responses",
      "kinds.courier-location",
      "kinds.unknown",
      "load.concurrent-events",
      "order.equal-versions",
      "signatures.other-versions-alone",
    ],
    mutate: alterDependencies(({ process, receive }) => {
      let inFlight = 0;
      return {
        async receive(deps, state, request) {
          inFlight += 1;
          try {
            const busy = inFlight > 9;
            await pause(BUSY_MS);
            return busy ? 503 : await receive(deps, state, request);
          } finally {
            inFlight -= 1;
          }
        },
        objection: ({ type }) =>
          ["delivery.handed_over", "store.suspended", "delivery.courier_location"].includes(type)
            ? 400
            : undefined,
        entries: (header) => header.split(" ").map((entry) => entry.slice(entry.indexOf(",") + 1)),
        next: (kept, _, offered) => (kept && kept.version >= offered.version ? kept : offered),
        async process(deps, state, signed, event) {
          return deps.memory.has(signed.id) ? 409 : process(deps, state, signed, event);
        },
      };
    }),
  },
  "refuses-members-that-it-does-not-know": {
    choices: ["refuses an envelope or delivery with unknown members"],
    warnings: ["kinds.unknown-fields"],
    mutate: alterDependencies(() => ({
      objection: (event) => (hasUnknownMembers(event) || hasUnknownMembers(event.data) ? 422 : undefined),
    })),
  },
  "knows-orders-by-store-and-reference": {
    choices: [
      "stores deliveries by store and external_ref",
      "refuses an order whose id, tracking_url or created_at has changed",
    ],
    mutate: alterDependencies(() => {
      const orders = new Map<string, StoredDelivery>();
      const lasting = new Map<string, string>();
      return {
        objection({ data }) {
          if (!data) return undefined;
          const identity = `${data.id} ${data.tracking_url} ${data.created_at}`;
          const before = lasting.get(orderOf(data)) ?? identity;
          lasting.set(orderOf(data), before);
          return before === identity ? undefined : 409;
        },
        next(_, delivery, offered) {
          const kept = orders.get(orderOf(delivery));
          if (kept && kept.version > offered.version) return kept;
          orders.set(orderOf(delivery), offered);
          return offered;
        },
      };
    }),
  },
};
