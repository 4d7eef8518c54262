import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Delivery } from "../../../../reference-server/domain/model.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { forEachElement } from "../../../core/for-each-element.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import {
  afterPatchOf,
  FIELDS_BESIDE_THE_SCHEDULE,
  SENT_WITH_AN_OFFSET,
} from "../../support/orders/schedule.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterDelivery } from "../operators/answers.ts";
import { alterUpdate } from "../operators/deliveries.ts";
import { emitEvent } from "../operators/events.ts";
import { alterCreation, replaceOperation } from "../operators/operations.ts";

const alterSearch =
  (change: (search: Dependencies["courierSearch"]) => Partial<Dependencies["courierSearch"]>): Mutate =>
  (deps) => ({ ...deps, courierSearch: { ...deps.courierSearch, ...change(deps.courierSearch) } });

const HOUR_MS = 3_600_000;

/** A cancellation doesn't stop the timer of the search, so the search is still reported. */
const keepSearchTimers: Mutate = (deps) => {
  const timers = new Map<string, Delivery>();
  const startOf = ({ scheduled_for }: Delivery) => deps.courierSearch.startsAt(scheduled_for);
  const nextOf = (integratorId: string) =>
    [...timers.values()]
      .filter(({ integrator_id }) => integrator_id === integratorId)
      .toSorted((left, right) => startOf(left) - startOf(right))[0];
  return {
    ...deps,
    emit: async (current, tx, delivery, kind) => {
      await deps.emit(current, tx, delivery, kind);
      const isWaiting = delivery.scheduled_for !== null && delivery.search_started_at === null;
      if (kind === "delivery.cancelled" && isWaiting) timers.set(delivery.id, delivery);
    },
    dueWork: [
      ...deps.dueWork,
      {
        next: async (_, integratorId) => {
          const delivery = nextOf(integratorId);
          return delivery && startOf(delivery);
        },
        run: async (current, integratorId, at) => {
          const delivery = nextOf(integratorId);
          if (delivery === undefined || startOf(delivery) > at) return;
          timers.delete(delivery.id);
          await emitEvent(current, { ...delivery, updated_at: at }, "delivery.queued");
        },
      },
    ],
  };
};

/** The search is planned for the local time of the sent text, as if it were UTC. */
function planByLocalTime(deps: Dependencies): Dependencies {
  const sentWithOffset = new Set<string>();
  const note = alterCreation((call, create) => {
    const { scheduled_for, external_ref } = call.body;
    if (scheduled_for?.endsWith("+03:00")) sentWithOffset.add(external_ref);
    return create(call);
  });
  return alterSearch(({ nextChange }) => ({
    nextChange(current, delivery) {
      const step = nextChange(current, delivery);
      const isLate = step?.kind === "search" && sentWithOffset.has(delivery.external_ref);
      return isLate ? { ...step, at: step.at + 3 * HOUR_MS } : step;
    },
  }))(note(deps));
}

/** The search for a delivery's courier never starts after such a PATCH. */
const stopSearchAfter =
  (isAffected: (change: Schemas["DeliveryChange"]) => boolean): Mutate =>
  (deps) => {
    const stopped = new Set<string>();
    const note = replaceOperation("updateDelivery", (call, original) => {
      if (isAffected(call.body)) stopped.add(call.path.id);
      return original(call);
    });
    return alterSearch(({ nextChange }) => ({
      nextChange: (current, delivery) => {
        const step = nextChange(current, delivery);
        return step?.kind === "search" && stopped.has(delivery.id) ? undefined : step;
      },
    }))(note(deps));
  };

export const scheduledMutants: Mutants = {
  "scheduled-search-never-starts": {
    fault: "the courier search of a scheduled delivery never starts",
    breaks: [{ clause: "NEW-41" }],
    caughtBy: ["scheduled.search-starts-in-time"],
    mutate: alterSearch(({ nextChange }) => ({
      nextChange: (deps, delivery) => {
        const step = nextChange(deps, delivery);
        return step?.kind === "search" && delivery.scheduled_for !== null ? undefined : step;
      },
    })),
  },
  "search-after-a-day-never-starts": {
    fault: "the courier search of a delivery scheduled more than a day ahead never starts",
    breaks: [{ clause: "NEW-41" }],
    caughtBy: ["scheduled.search-days-later"],
    mutate: alterSearch(({ nextChange }) => ({
      nextChange: (deps, delivery) => {
        const step = nextChange(deps, delivery);
        const ahead = (delivery.scheduled_for ?? 0) - delivery.created_at;
        return step?.kind === "search" && ahead > 24 * HOUR_MS ? undefined : step;
      },
    })),
  },
  "scheduled-search-never-starts-once-located": {
    fault: "the courier search of a scheduled delivery never starts if it got its coordinates by PATCH",
    breaks: [{ clause: "NEW-57" }],
    mutate: alterSearch(({ nextChange }) => ({
      nextChange: (deps, delivery) => {
        const step = nextChange(deps, delivery);
        const isLocatedLater = delivery.scheduled_for !== null && delivery.version > 1;
        return step?.kind === "search" && isLocatedLater ? undefined : step;
      },
    })),
  },
  "scheduled-search-starts-without-coordinates": {
    fault: "the courier search of a scheduled delivery without coordinates starts at its time",
    breaks: [{ clause: "NEW-62" }],
    mutate: (deps) => {
      const { transitions } = deps.lifecycle;
      const search_started = { ...transitions.search_started, from: ["RECEIVED", "QUEUED"] as const };
      return alterSearch(({ nextChange, startsAt }) => ({
        nextChange: (current, delivery) => {
          const { status, scheduled_for, search_started_at } = delivery;
          const isWaiting = status === "RECEIVED" && scheduled_for !== null && search_started_at === null;
          return isWaiting ? { kind: "search", at: startsAt(scheduled_for) } : nextChange(current, delivery);
        },
      }))({ ...deps, lifecycle: { ...deps.lifecycle, transitions: { ...transitions, search_started } } });
    },
  },
  "scheduled-search-starts-late": {
    fault: "the courier search of a scheduled delivery starts an hour after its time",
    breaks: [{ clause: "NEW-41" }],
    caughtBy: ["scheduled.search-starts-in-time"],
    mutate: alterSearch(({ startsAt }) => ({
      startsAt: (scheduledFor) => (scheduledFor === null ? startsAt(null) : scheduledFor + HOUR_MS),
    })),
  },
  "search-starts-an-offset-late": {
    fault: "the courier search starts three hours late if scheduled_for was sent with +03:00",
    breaks: breaking(SENT_WITH_AN_OFFSET, "NEW-41"),
    caughtBy: ["scheduled.search-starts-in-time"],
    mutate: planByLocalTime,
  },
  ...forEachElement(
    FIELDS_BESIDE_THE_SCHEDULE,
    (field) => `patch-of-${field}-stops-the-scheduled-search`,
    (field) => ({
      fault: `the courier search of a scheduled delivery never starts after a PATCH of ${field}`,
      breaks: breaking(afterPatchOf(field), "NEW-41"),
      caughtBy: ["scheduled.search-starts-in-time"],
      mutate: stopSearchAfter((change) => change[field] !== undefined),
    }),
  ),
  "removed-schedule-stops-the-search": {
    fault: "the courier search never starts after a PATCH that removes scheduled_for",
    breaks: [{ clause: "NEW-58" }],
    mutate: stopSearchAfter(({ scheduled_for }) => scheduled_for === null),
  },
  "earlier-schedule-keeps-the-old-search-time": {
    fault:
      "the courier search of a scheduled delivery keeps its old time when scheduled_for is moved forward",
    breaks: [{ clause: "NEW-53" }],
    mutate: (deps) => {
      const firstTimes = new Map<string, number>();
      return alterSearch(({ nextChange }) => ({
        nextChange: (current, delivery) => {
          const step = nextChange(current, delivery);
          if (step?.kind !== "search") return step;
          const at = firstTimes.get(delivery.id) ?? step.at;
          firstTimes.set(delivery.id, at);
          return { ...step, at };
        },
      }))(deps);
    },
  },
  "schedule-cleared-when-the-search-begins": {
    fault: "scheduled_for is cleared when the courier search begins",
    breaks: [{ clause: "DLV-72" }],
    mutate: alterUpdate((after, before) =>
      after.search_started_at !== null && before.search_started_at === null ? { scheduled_for: null } : {},
    ),
  },
  "ready-at-cleared-on-assignment": {
    fault: "ready_at is cleared by the assignment",
    breaks: [{ clause: "DLV-72" }],
    mutate: alterDelivery(({ assigned_at, ready_at }) => ({ ready_at: assigned_at ? null : ready_at })),
  },
  "pin-cleared-on-assignment": {
    fault: "delivery_pin is null once a courier is assigned",
    breaks: [{ clause: "DLV-72" }],
    mutate: alterDelivery(({ assigned_at, delivery_pin }) => ({
      delivery_pin: assigned_at ? null : delivery_pin,
    })),
  },
  "prepaid-cleared-on-delivery": {
    fault: "prepaid is false once the package is delivered",
    breaks: [{ clause: "DLV-72" }],
    mutate: alterDelivery(({ delivered_at, prepaid }) => ({ prepaid: delivered_at ? false : prepaid })),
  },
  "cancelled-scheduled-delivery-is-searched": {
    fault: "a cancelled scheduled delivery emits delivery.queued at its scheduled time",
    breaks: [{ clause: "EVENT-47" }],
    mutate: keepSearchTimers,
  },
};
