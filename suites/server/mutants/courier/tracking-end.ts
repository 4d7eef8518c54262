import type { Delivery } from "../../../../reference-server/domain/model.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterUpdate } from "../operators/deliveries.ts";
import { alterRules, HOUR_MS } from "./tracking.ts";

/** The tracking link ends with a change, as if the change gave the delivery another key. */
const closeAfterChange =
  (ends: (after: Delivery, before: Delivery) => boolean): Mutate =>
  (deps) => {
    const ended = new Set<string>();
    const noteChanges = alterUpdate((after, before) => {
      if (ends(after, before)) ended.add(after.id);
      return {};
    });
    return alterRules(({ closed }) => ({
      closed: (current, delivery, now) => ended.has(delivery.id) || closed(current, delivery, now),
    }))(noteChanges(deps));
  };

/** A server whose tracking pages never expire for some cancelled deliveries. */
const neverClose = (isAffected: (delivery: Delivery) => boolean): Mutate =>
  alterRules(({ closed }) => ({
    closed: (deps, delivery, now) =>
      !(delivery.cancelled_at !== null && isAffected(delivery)) && closed(deps, delivery, now),
  }));

/** Faults of the time at which a tracking link ends. */
export const trackingEndMutants: Mutants = {
  "tracking-of-assigned-and-cancelled-never-ends": {
    fault: "a delivery cancelled after the assignment can be tracked forever",
    breaks: [
      { clause: "TRACK-13", case: "a delivery cancelled after the assignment of a courier" },
      { clause: "ERR-25", case: "a delivery cancelled after the assignment of a courier" },
    ],
    mutate: neverClose(({ assigned_at }) => assigned_at !== null),
  },
  "tracking-of-unlocated-and-cancelled-never-ends": {
    fault: "a delivery cancelled without coordinates can be tracked forever",
    breaks: [
      { clause: "TRACK-13", case: "a cancelled delivery without coordinates" },
      { clause: "ERR-25", case: "a cancelled delivery without coordinates" },
    ],
    mutate: neverClose(({ dropoff }) => dropoff.point === null),
  },
  "tracking-of-scheduled-and-cancelled-never-ends": {
    fault: "a delivery cancelled before its scheduled time can be tracked forever",
    breaks: [
      { clause: "TRACK-13", case: "a delivery cancelled before its scheduled time" },
      { clause: "ERR-25", case: "a delivery cancelled before its scheduled time" },
    ],
    mutate: neverClose(({ scheduled_for }) => scheduled_for !== null),
  },
  "tracking-of-a-test-delivery-never-ends": {
    fault: "a test delivery can be tracked forever",
    breaks: [{ clause: "TRACK-20", case: "a test delivery" }],
    mutate: neverClose(({ test }) => test),
  },
  "tracking-ends-a-day-after-the-creation": {
    fault: "tracking ends a day after the creation, also while the delivery is open",
    breaks: [{ clause: "TRACK-22" }],
    mutate: alterRules(({ closed }) => ({
      closed: (deps, delivery, now) =>
        now - delivery.created_at > 24 * HOUR_MS || closed(deps, delivery, now),
    })),
  },
  "tracking-link-ends-with-a-change": {
    fault: "the tracking link of a delivery ends with its first change",
    breaks: [{ clause: "TRACK-21" }],
    mutate: closeAfterChange(() => true),
  },
  "tracking-link-ends-with-a-new-address": {
    fault: "the tracking link of a delivery ends when its address changes",
    breaks: [{ clause: "TRACK-21", case: "a PATCH of dropoff" }],
    mutate: closeAfterChange((after, before) => after.dropoff.address !== before.dropoff.address),
  },
  "tracking-window-counts-from-creation": {
    fault: "tracking ends 2 hours after the delivery's creation",
    breaks: [{ clause: "TRACK-10" }, { clause: "TRACK-12" }],
    mutate: alterRules(() => ({
      closed: (_deps, { created_at, delivered_at, cancelled_at }, now) =>
        (delivered_at ?? cancelled_at) !== null && now - created_at > 2 * HOUR_MS,
    })),
  },
  "tracking-window-counts-from-pick-up": {
    fault: "tracking of a completed delivery ends 2 hours after the pick-up",
    breaks: [{ clause: "TRACK-10", case: "a completed delivery" }],
    mutate: alterRules(({ closed }) => ({
      closed: (deps, delivery, now) =>
        closed(deps, { ...delivery, delivered_at: delivery.picked_up_at }, now),
    })),
  },
  "tracking-window-counts-from-assignment": {
    fault: "tracking of a delivery cancelled after the assignment ends 2 hours after the assignment",
    breaks: [{ clause: "TRACK-12", case: "a delivery cancelled after the assignment of a courier" }],
    mutate: alterRules(({ closed }) => ({
      closed(deps, delivery, now) {
        const { cancelled_at, assigned_at } = delivery;
        const end = cancelled_at === null ? null : (assigned_at ?? cancelled_at);
        return closed(deps, { ...delivery, cancelled_at: end }, now);
      },
    })),
  },
};
