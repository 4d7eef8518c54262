import { DomainError } from "../../../../reference-server/errors.ts";
import { COURIER_ACTIONS } from "../../../core/control.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterPage } from "../operators/answers.ts";
import { replaceOperation } from "../operators/operations.ts";

const keepPositionIf =
  (applies: (kind: string, change: object) => boolean): Mutate =>
  (deps) => ({
    ...deps,
    revise: (before, change, stamp, kind) => {
      const { updated_at, change_number } = before;
      const after = deps.revise(before, change, stamp, kind);
      return applies(kind ?? "", change) ? { ...after, updated_at, change_number } : after;
    },
  });

/** A server that accepts a cursor only with the token that got it. */
const bindCursorsToTokens: Mutate = (deps) => {
  const owners = new Map<unknown, string>();
  return replaceOperation("listDeliveries", async (call, original) => {
    const owner = owners.get(call.query.since);
    if (owner !== undefined && owner !== call.tokenHash) throw new DomainError("IMLEC_GECERSIZ");
    const page = await original(call);
    owners.set(page.body.next_cursor, call.tokenHash);
    return page;
  })(deps);
};

/** Faults of the list after changes of its deliveries, or of its client's token. */
export const pagingChangesMutants: Mutants = {
  "cursor-belongs-to-its-token": {
    fault: "a cursor is refused with another token than the one that got it",
    breaks: [{ clause: "LIST-4" }],
    caughtBy: ["paging.another-token"],
    mutate: bindCursorsToTokens,
  },
  "cancelled-delivery-keeps-list-position": {
    fault: "a cancellation doesn't change updated_at and the delivery's position in the list",
    breaks: [{ clause: "LIST-7" }, { clause: "RETRY-28", case: "a cancellation" }],
    caughtBy: ["emission.missed", "models.paging", "paging.changed-after-the-cursor"],
    mutate: keepPositionIf((kind) => kind === "delivery.cancelled"),
  },
  "changed-delivery-keeps-list-position": {
    fault: "a change doesn't change updated_at and the delivery's position in the list",
    breaks: [
      { clause: "LIST-7" },
      ...breaking(["paged deliveries change", "paged deliveries change and new ones are created"], "LIST-7"),
    ],
    caughtBy: ["paging.changed-after-the-cursor", "paging.changes-before-the-cursor"],
    mutate: keepPositionIf((kind) => kind === "delivery.updated"),
  },
  "customer-change-keeps-list-position": {
    fault: "a change of only the customer doesn't change updated_at and the delivery's position in the list",
    breaks: [{ clause: "LIST-7" }],
    caughtBy: ["paging.changed-after-the-cursor"],
    mutate: keepPositionIf((_, change) => Object.keys(change).join() === "customer"),
  },
  "ready-time-change-keeps-list-position": {
    fault: "a change of only ready_at doesn't change updated_at and the delivery's position in the list",
    breaks: [{ clause: "LIST-7", case: "paged deliveries change" }],
    caughtBy: ["paging.changes-before-the-cursor"],
    mutate: keepPositionIf((_, change) => "ready_at" in change && !("notes" in change)),
  },
  "address-change-keeps-list-position": {
    fault: "a new address doesn't change updated_at and the delivery's position in the list",
    breaks: [{ clause: "LIST-7", case: "paged deliveries change and new ones are created" }],
    caughtBy: ["paging.changes-before-the-cursor"],
    mutate: keepPositionIf((kind, change) => kind === "delivery.updated" && "dropoff" in change),
  },
  "courier-actions-keep-list-position": {
    fault: "courier actions don't change updated_at and the delivery's position in the list",
    breaks: [{ clause: "LIST-26" }],
    mutate: keepPositionIf((kind) => COURIER_ACTIONS.some((move) => kind === `delivery.${move}`)),
  },
  "at-pickup-keeps-list-position": {
    fault:
      "the courier's arrival at the restaurant doesn't change updated_at and the delivery's position in the list",
    breaks: [{ clause: "LIST-26" }],
    mutate: keepPositionIf((kind) => kind === "delivery.at_pickup"),
  },
  "en-route-keeps-list-position": {
    fault:
      "the courier's departure to the customer doesn't change updated_at and the delivery's position in the list",
    breaks: [{ clause: "LIST-26" }],
    mutate: keepPositionIf((kind) => kind === "delivery.en_route"),
  },
  "arrival-keeps-list-position": {
    fault:
      "the courier's arrival at the door doesn't change updated_at and the delivery's position in the list",
    breaks: [{ clause: "LIST-26" }],
    mutate: keepPositionIf((kind) => kind === "delivery.arrived"),
  },
  "failure-keeps-list-position": {
    fault: "a failure doesn't change updated_at and the delivery's position in the list",
    breaks: [{ clause: "LIST-36" }],
    mutate: keepPositionIf((kind) => kind === "delivery.failed"),
  },
  "return-keeps-list-position": {
    fault: "the start of a return doesn't change updated_at and the delivery's position in the list",
    breaks: [{ clause: "LIST-37" }],
    mutate: keepPositionIf((kind) => kind === "delivery.returning"),
  },
  "end-of-a-return-keeps-list-position": {
    fault: "the end of a return doesn't change updated_at and the delivery's position in the list",
    breaks: [{ clause: "LIST-37" }],
    mutate: keepPositionIf((kind) => kind === "delivery.returned"),
  },
  "list-lacks-the-cancellation": {
    fault: "cancelled_at and cancel_reason are null in the list",
    breaks: [{ clause: "LIST-7" }],
    caughtBy: ["paging.changed-after-the-cursor"],
    mutate: alterPage(({ items }) => ({
      items: items.map((item) => ({ ...item, cancelled_at: null, cancel_reason: null })),
    })),
  },
  "list-returns-the-previous-version": {
    fault: "the list shows the previous version",
    breaks: [{ clause: "LIST-7" }],
    caughtBy: ["paging.changed-after-the-cursor"],
    mutate: alterPage(({ items }) => ({
      items: items.map((item) => ({ ...item, version: Math.max(1, item.version - 1) })),
    })),
  },
};
