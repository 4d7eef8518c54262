import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Courier } from "../../../../reference-server/domain/model.ts";
import { breaking } from "../../../core/mutation/breaks.ts";
import type { Mutants } from "../mutant.ts";
import { alterPage, withoutMembers } from "../operators/answers.ts";
import { replacePage } from "../operators/deliveries.ts";
import { alterCreation } from "../operators/operations.ts";

/** The list shows each delivery with the distance and fee of its creation. */
function keepFirstMeasures(deps: Dependencies): Dependencies {
  const first = new Map<string, object>();
  const remember = alterCreation(async (call, create) => {
    const reply = await create(call);
    const { id, distance_m, fee } = reply.body;
    first.set(id, { distance_m, fee });
    return reply;
  });
  const show = alterPage(({ items }) => ({
    items: items.map((item) => ({ ...item, ...first.get(item.id) })),
  }));
  return show(remember(deps));
}

/** The list shows each courier, with its position, as of the delivery's last change of status. */
function keepCouriersOfTheLastStatus(deps: Dependencies): Dependencies {
  const couriers = new Map<string, Courier>();
  return {
    ...deps,
    courier: {
      ...deps.courier,
      courier(running, before, move, at) {
        const courier = deps.courier.courier(running, before, move, at);
        if (move.action !== "courier_location" && courier) couriers.set(before.id, courier);
        return courier;
      },
    },
    views: {
      ...deps.views,
      page: (current, items, ...others) =>
        deps.views.page(
          current,
          items.map((row) => ({ ...row, courier: couriers.get(row.id) ?? row.courier })),
          ...others,
        ),
    },
  };
}

export const listItemsMutants: Mutants = {
  "list-items-keep-the-courier-of-the-last-status": {
    fault: "the list shows a courier's position as of the delivery's last change of status",
    breaks: [{ clause: "LIST-28" }],
    caughtBy: ["paging.items-with-the-courier"],
    mutate: keepCouriersOfTheLastStatus,
  },
  "list-items-keep-the-payment-of-the-order": {
    fault: "payment.collected_type is null in the list",
    breaks: breaking(["the ordered code", "another code"], "LIST-28"),
    caughtBy: ["courier.collected-type"],
    mutate: alterPage(({ items }) => ({
      items: items.map((item) => ({ ...item, payment: { ...item.payment, collected_type: null } })),
    })),
  },
  "list-items-lack-delivered_at": {
    fault: "delivered_at is null in the list",
    breaks: breaking(["the ordered code", "another code"], "LIST-28"),
    caughtBy: ["courier.collected-type"],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, delivered_at: null })) })),
  },
  "list-items-lack-returned_at": {
    fault: "returned_at is null in the list",
    breaks: [{ clause: "LIST-35" }],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, returned_at: null })) })),
  },
  "list-items-lack-failure_reason": {
    fault: "failure_reason is null in the list",
    breaks: [{ clause: "LIST-34" }],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, failure_reason: null })) })),
  },
  "list-items-without-courier": {
    fault: "deliveries in the list have no courier",
    actual: "undefined",
    breaks: [{ clause: "LIST-28" }],
    caughtBy: ["paging.items-with-the-courier"],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, courier: null })) })),
  },
  "list-items-are-summaries": {
    fault: "deliveries in the list have no items and no payment",
    breaks: [{ clause: "LIST-2" }],
    mutate: alterPage(({ items }) => ({
      items: items.map((item) => withoutMembers(item, "items", "payment")),
    })),
  },
  "list-items-truncate-items": {
    fault: "deliveries in the list have at most ten items",
    breaks: [{ clause: "LIST-2" }],
    mutate: alterPage(({ items }) => ({
      items: items.map((item) => ({ ...item, items: item.items?.slice(0, 10) })),
    })),
  },
  "list-items-round-discounts": {
    fault: "payment.discount has no decimals in the list",
    breaks: [{ clause: "LIST-2" }],
    mutate: alterPage(({ items }) => ({
      items: items.map(({ payment, ...item }) => {
        const discount = payment.discount ?? null;
        return { ...item, payment: { ...payment, discount: discount && Math.round(discount) } };
      }),
    })),
  },
  "list-items-keep-the-first-distance-and-fee": {
    fault: "the list shows the distance and fee of a delivery's creation after its address changed",
    breaks: [{ clause: "LIST-2", case: "a changed delivery" }, { clause: "PATCH-4" }],
    caughtBy: ["paging.items-in-full", "service-area.fee-of-a-new-address"],
    mutate: keepFirstMeasures,
  },
  "list-items-without-directions": {
    fault: "dropoff.text in the list lacks the directions",
    breaks: [{ clause: "LIST-2", case: "an unchanged delivery" }],
    mutate: replacePage(
      () => ({}),
      (rows) => rows.map((row) => ({ ...row, dropoff: { ...row.dropoff, directions: null } })),
    ),
  },
  "list-items-hide-the-pin": {
    fault: "deliveries in the list have no delivery_pin",
    breaks: [{ clause: "LIST-2" }],
    mutate: alterPage(({ items }) => ({ items: items.map((item) => ({ ...item, delivery_pin: null })) })),
  },
};
