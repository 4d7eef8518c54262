import { clause } from "../../../../openapi/generated/clauses.ts";
import { poll } from "../../../core/clock.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { textOf } from "../../../core/json.ts";
import { type Check, check } from "../../check.ts";
import {
  COURIER,
  freshCourier,
  NAMESAKE,
  OTHER_COURIER,
  reportPosition,
} from "../../support/courier/courier.ts";
import { createDelivery, expectTimeSet, readDelivery } from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { lastTenDigits, numberIn } from "../../support/shown-values.ts";

const withoutSpaces = (text: unknown) => textOf(text).replaceAll(/\s/g, "").toLocaleUpperCase("tr");
/** A position may be rounded to about 50 m. */
const POSITION_DECIMALS = 3;

const assignment = check({
  id: "courier.assignment",
  title: "an assigned delivery has the status ASSIGNED, assigned_at and its own courier",
  clauses: [clause["STATE-11"], clause["STATE-12"], clause["STATE-13"], clause["DLV-81"]],
  needs: ["courier"],
  async run(context) {
    const { id } = await createDelivery(context);
    const { id: otherId } = await createDelivery(context);
    const { id: namesakesId } = await createDelivery(context);
    const [first, second, namesake] = [
      freshCourier(COURIER),
      freshCourier(OTHER_COURIER),
      freshCourier(NAMESAKE),
    ];
    const [place, otherPlace] = [near(context.point, 4), near(context.point, -6)];
    await context.performCourierActionsUpTo(id, "assigned", { courier: first, location: place });
    for (const [deliveryId, courier] of [
      [otherId, second],
      [namesakesId, namesake],
    ] as const)
      await context.performCourierActionsUpTo(deliveryId, "assigned", { courier, location: otherPlace });
    const assigned = await readDelivery(context.api, id);
    context.attributeTo(clause["STATE-11"]);
    expectThat("status", assigned.status).is("ASSIGNED");
    context.attributeTo(clause["STATE-12"]);
    expectTimeSet(assigned.assigned_at, assigned, "assigned_at", context.now());
    context.attributeTo(clause["STATE-13"]);
    const deliveries = {
      "the first delivery": {
        shown: assigned,
        own: first,
        otherPhones: [second.phone, namesake.phone],
        notAt: otherPlace,
      },
      "the second delivery": {
        shown: await readDelivery(context.api, otherId),
        own: second,
        otherPhones: [first.phone, namesake.phone],
        notAt: place,
      },
      "the delivery of a courier with the first one's name and the second one's plate": {
        shown: await readDelivery(context.api, namesakesId),
        own: namesake,
        otherPhones: [first.phone, second.phone],
        notAt: place,
      },
    };
    await context.each(casesFrom("deliveries", deliveries), ([, { shown, own, otherPhones, notAt }]) => {
      expectThat("courier.name", shown.courier?.name).is(own.name);
      // Plate and phone may be null, and the phone may be masked before the pick-up (OPEN-35).
      expectThat("courier.plate", withoutSpaces(shown.courier?.plate ?? own.plate)).is(
        withoutSpaces(own.plate),
      );
      for (const phone of otherPhones)
        expectThat("the last ten digits of courier.phone", lastTenDigits(shown.courier?.phone ?? "")).isNot(
          lastTenDigits(phone),
        );
      // The position may be null, or a position other than the reported one before the pick-up (OPEN-35).
      attributeFailures([clause["DLV-81"]], () =>
        expectThat("courier.lat", (shown.courier?.lat ?? 0).toFixed(POSITION_DECIMALS)).isNot(
          notAt.lat.toFixed(POSITION_DECIMALS),
        ),
      );
    });
  },
});

const expectAccepted = (action: string, isAccepted: boolean): void =>
  expectThat(action, isAccepted ? "accepted" : "refused").is("accepted");

const offeredAgain = check({
  id: "courier.offered-again",
  title:
    "after an offer has lapsed the delivery can be offered and assigned to another courier, whom it then shows",
  clauses: [clause["STATE-17"], clause["STATE-50"]],
  needs: ["courier"],
  async run(context) {
    const { id } = await createDelivery(context);
    context.attributeTo(clause["STATE-17"]);
    await context.performCourierActionsUpTo(id, "offered", { courier: freshCourier(OTHER_COURIER) });
    const lapsed = await context.performCourierAction(id, "offer_lapsed");
    if (!lapsed)
      throw new CheckSkipped("the control interface refused the courier action offer_lapsed after an offer");
    const to = { courier: freshCourier(COURIER) };
    expectAccepted("the second offer", await context.performCourierAction(id, "offered", to));
    expectAccepted("the assignment after two offers", await context.performCourierAction(id, "assigned", to));
    const { courier, status } = await readDelivery(context.api, id);
    expectThat("status", status).is("ASSIGNED");
    context.attributeTo(clause["STATE-50"]);
    expectThat(
      { field: "courier.name", where: "after the first offer lapsed and another courier was assigned" },
      courier?.name,
    ).is(COURIER.name);
  },
});

/** The time limit for a reported position to appear. */
const POSITION_TIMEOUT_MS = 5_000;
const position = check({
  id: "courier.position",
  title:
    "a courier's lat, lng and location_at, if returned, are the reported position and its time, and leave distance_m unchanged",
  clauses: [clause["DLV-81"], clause["DLV-93"]],
  needs: ["courier"],
  async run(context) {
    const created = await createDelivery(context);
    await context.performCourierActionsUpTo(created.id, "en_route");
    const reported = near(context.point, 4);
    await reportPosition(context, created.id, reported);
    context.attributeTo(clause["DLV-81"]);
    const readCourier = async () => (await readDelivery(context.api, created.id)).courier;
    const arrived = await poll(
      async () => {
        const courier = await readCourier();
        return Math.abs(Number(courier?.lat) - reported.lat) < 10 ** -POSITION_DECIMALS ? courier : undefined;
      },
      { within: POSITION_TIMEOUT_MS, every: 1000 },
    );
    const courier = arrived ?? (await readCourier());
    // Each of the fields may be null (OPEN-35).
    const { lat, lng } = { lat: courier?.lat ?? reported.lat, lng: courier?.lng ?? reported.lng };
    expectThat("courier.lat", numberIn(lat, "courier.lat")).isNear(reported.lat, POSITION_DECIMALS);
    expectThat("courier.lng", numberIn(lng, "courier.lng")).isNear(reported.lng, POSITION_DECIMALS);
    const { created_at } = created;
    expectTimeSet(courier?.location_at ?? created_at, created, "courier.location_at", context.now());
    context.attributeTo(clause["DLV-93"]);
    const { distance_m } = await readDelivery(context.api, created.id);
    expectThat({ field: "distance_m", where: "once the courier has moved" }, distance_m).is(
      created.distance_m,
    );
  },
});

export const courierAssignmentChecks: readonly Check[] = [assignment, position, offeredAgain];
