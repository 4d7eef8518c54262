import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Courier, Delivery } from "../../../../reference-server/domain/model.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterDelivery } from "../operators/answers.ts";
import { replaceOperation } from "../operators/operations.ts";

interface Place {
  readonly lat: number;
  readonly lng: number;
}

/** Calls back with the place that each courier action reports. */
function observePlaces(deps: Dependencies, observe: (place: Place, action: string) => void): Dependencies {
  const rules: Dependencies["courier"] = {
    ...deps.courier,
    courier(running, before, move, at) {
      if (move.location) observe({ lat: move.location.lat, lng: move.location.lng }, move.action);
      return deps.courier.courier(running, before, move, at);
    },
  };
  return { ...deps, courier: rules };
}

/** A server whose tracking data shows another courier or position. */
const trackAnother = (deps: Dependencies, other: (delivery: Delivery) => Courier | null): Dependencies => ({
  ...deps,
  views: {
    ...deps.views,
    tracking: (current, delivery, store) =>
      deps.views.tracking(current, { ...delivery, courier: other(delivery) }, store),
  },
});

const showLastPlace: Mutate = (deps) => {
  let last: Place | undefined;
  const observed = observePlaces(deps, (place, action) => {
    if (action === "assigned") last = place;
  });
  return {
    ...observed,
    views: { ...deps.views, courier: (courier) => deps.views.courier({ ...courier, ...last }) },
  };
};

const trackLastPlace: Mutate = (deps) => {
  let last: Place | undefined;
  const observed = observePlaces(deps, (place) => {
    last = place;
  });
  return trackAnother(observed, ({ courier }) => courier && { ...courier, ...last });
};

const trackLastName: Mutate = (deps) => {
  let last: string | undefined;
  const rules: Dependencies["courier"] = {
    ...deps.courier,
    courier(running, before, move, at) {
      const courier = deps.courier.courier(running, before, move, at);
      if (move.action === "assigned" && courier) last = courier.name;
      return courier;
    },
  };
  return trackAnother(
    { ...deps, courier: rules },
    ({ courier }) => courier && { ...courier, name: last ?? courier.name },
  );
};

const keepFirstPlace: Mutate = (deps) => {
  const places = new Map<string, Place>();
  return replaceOperation("getDelivery", async (call, original) => {
    const reply = await original(call);
    const { courier, id } = reply.body;
    if (!courier || typeof courier.lat !== "number" || typeof courier.lng !== "number") return reply;
    const place = places.get(id) ?? { lat: courier.lat, lng: courier.lng };
    places.set(id, place);
    return { ...reply, body: { ...reply.body, courier: { ...courier, ...place } } };
  })(deps);
};

const trackFirstPlace: Mutate = (deps) => {
  const tracked = new Map<string, Courier>();
  return trackAnother(deps, ({ courier, id }) => {
    const shown = tracked.get(id) ?? courier;
    if (shown !== null && shown.lat !== null) tracked.set(id, shown);
    return shown;
  });
};

/** Faults of the position of a delivery's courier. */
const keepFirstLocationTime: Mutate = (deps) => {
  const rules: Dependencies["courier"] = {
    ...deps.courier,
    courier(running, before, move, at) {
      const after = deps.courier.courier(running, before, move, at);
      const first = before.courier?.location_at ?? null;
      return after && first !== null ? { ...after, location_at: first } : after;
    },
  };
  return { ...deps, courier: rules };
};

export const courierPositionsMutants: Mutants = {
  "distance-is-measured-from-the-courier": {
    fault: "distance_m is measured from the courier's position once there is one",
    breaks: [{ clause: "DLV-93" }],
    mutate: alterDelivery(({ distance_m }, { courier, dropoff }, { distance }) => ({
      distance_m:
        courier?.lat != null && courier.lng !== null && dropoff.point !== null
          ? distance.straightM({ lat: courier.lat, lng: courier.lng }, dropoff.point)
          : distance_m,
    })),
  },
  "courier-at-the-place-of-the-last-assigned-one": {
    fault: "a courier has the position of the one who was assigned last",
    breaks: [{ clause: "DLV-81", case: "the first delivery" }],
    caughtBy: ["courier.assignment"],
    mutate: showLastPlace,
  },
  "courier-keeps-its-first-position": {
    fault: "GET of a delivery shows the first position of its courier that was read",
    breaks: [{ clause: "DLV-86" }],
    mutate: keepFirstPlace,
  },
  "courier-keeps-its-first-location-time": {
    fault: "location_at stays the time of the courier's first position",
    breaks: [{ clause: "DLV-86", case: "courier.location_at" }],
    mutate: keepFirstLocationTime,
  },
  "tracking-shows-the-last-reported-position": {
    fault: "tracking shows the position that was reported last, for any delivery",
    breaks: [{ clause: "TRACK-8" }],
    mutate: trackLastPlace,
  },
  "tracking-shows-the-last-assigned-name": {
    fault: "tracking shows the first name of the courier who was assigned last, to any delivery",
    breaks: breaking(elementsOf("courier-actions-until-delivery"), "TRACK-23"),
    mutate: trackLastName,
  },
  "tracking-keeps-the-first-position": {
    fault: "tracking shows the first position of a delivery's courier that was read",
    breaks: [{ clause: "DLV-86" }],
    mutate: trackFirstPlace,
  },
};
