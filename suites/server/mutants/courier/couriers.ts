import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Mutants, Mutate } from "../mutant.ts";
import { alterCourierRules } from "./courier.ts";

type Identity = NonNullable<Parameters<Dependencies["courier"]["courier"]>[2]["courier"]>;

/** A server that keeps couriers by one of their fields, and finds an earlier courier with the same value. */
const findEarlierCourier =
  (key: "name" | "plate"): Mutate =>
  (deps) => {
    const known = new Map<string, Identity>();
    return alterCourierRules(({ courier }) => ({
      courier(running, before, move, at) {
        if (!move.courier) return courier(running, before, move, at);
        const found = known.get(move.courier[key]) ?? move.courier;
        known.set(found[key], found);
        return courier(running, before, { ...move, courier: found }, at);
      },
    }))(deps);
  };

/** A server that shows the phone and plate that the last courier of the name has. */
const showLastOfTheName: Mutate = (deps) => {
  const last = new Map<string, object>();
  return {
    ...alterCourierRules(({ courier }) => ({
      courier(running, before, move, at) {
        const after = courier(running, before, move, at);
        if (move.action === "assigned" && after)
          last.set(after.name, { phone: after.phone, plate: after.plate });
        return after;
      },
    }))(deps),
    views: {
      ...deps.views,
      courier: (courier) => deps.views.courier({ ...courier, ...last.get(courier.name) }),
    },
  };
};

/** A server that fills courier once a courier has the offer. */
const showAtTheOffer: Mutate = alterCourierRules(({ courier }) => ({
  courier(running, before, move, at) {
    const shown = move.action === "offered" ? ({ ...move, action: "assigned" } as const) : move;
    return courier(running, before, shown, at);
  },
}));

const NAMESAKES_DELIVERY = "the delivery of a courier with the first one's name and the second one's plate";

/** Servers that mistake a courier for another one with the same name or plate. */
export const couriersMutants: Mutants = {
  "couriers-are-kept-by-name": {
    fault: "a courier with the name of an earlier one is shown with the earlier one's phone and plate",
    breaks: [{ clause: "STATE-13", case: NAMESAKES_DELIVERY }],
    caughtBy: ["courier.assignment"],
    mutate: findEarlierCourier("name"),
  },
  "couriers-are-kept-by-plate": {
    fault: "a courier with the plate of an earlier one is shown with the earlier one's name and phone",
    breaks: [{ clause: "STATE-13", case: NAMESAKES_DELIVERY }],
    caughtBy: ["courier.assignment"],
    mutate: findEarlierCourier("plate"),
  },
  "courier-is-filled-at-the-offer": {
    fault: "courier is filled while the offer is open, before a courier is assigned",
    breaks: [{ clause: "DLV-101" }],
    mutate: showAtTheOffer,
  },
  "courier-is-the-last-of-its-name": {
    fault: "a courier is shown with the phone and plate of the one with the same name who was assigned last",
    breaks: [{ clause: "STATE-13", case: "the first delivery" }],
    caughtBy: ["courier.assignment"],
    mutate: showLastOfTheName,
  },
};
