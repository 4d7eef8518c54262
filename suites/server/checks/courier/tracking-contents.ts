import { type ClauseId, clause } from "../../../../openapi/generated/clauses.ts";
import { poll } from "../../../core/clock.ts";
import type { ElementOf } from "../../../core/contract/element-sets.ts";
import { cases, ofSet } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { CheckFailure, CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { isObject, textOf } from "../../../core/json.ts";
import { membersWhere, pathInWords } from "../../../core/text/member-paths.ts";
import type { Capabilities } from "../../capabilities.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import type { Point } from "../../session/sample-data/settings.ts";
import {
  COURIER,
  FAILURE_REASON,
  failDelivery,
  freshCourier,
  OTHER_COURIER,
  returnToStore,
  startReturn,
  reportPosition as tellPosition,
} from "../../support/courier/courier.ts";
import {
  containsPoint,
  extractTrackingKey,
  findTrackingKey,
  getTracking,
  leaves,
} from "../../support/courier/tracking.ts";
import { cancelDelivery, createDelivery, readDelivery } from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { lastTenDigits } from "../../support/shown-values.ts";

const lowerCaseTextOf = ({ json }: ApiResponse<"getTracking">) =>
  leaves(json).join("\n").toLocaleLowerCase("tr");
/** The paths of the members that contain a number's digits: `courier.phone`. */
const pathsWithDigits = ({ json }: ApiResponse<"getTracking">, digits: string): readonly string[] =>
  membersWhere(json, (value) => !isObject(value) && textOf(value).replace(/\D/g, "").includes(digits)).map(
    pathInWords,
  );

/** Unusual values, which tracking data contains only if the server reveals this customer's data. */
const CUSTOMER = { name: "Zülfikar Tanrıöver", phone: "05327418529", phone_extension: "864209753" };
const STREET = "Gökçebostan";
const DIRECTIONS = "Zümrütkapı";
const ADDRESS = { text: `${STREET} Sokak 77, Fatih, İstanbul`, directions: `${DIRECTIONS} zili` };

type Stage = ElementOf<"states-with-a-courier"> | ElementOf<"states-of-a-return"> | "failed";

type CourierContext = BaseContext & Capabilities["courier"];

async function createAssignedDelivery(
  context: CourierContext,
  location?: Point,
): Promise<{ id: string; key: string }> {
  const delivery = await createDelivery(context, {
    customer: CUSTOMER,
    dropoff: { ...ADDRESS, ...near(context.point) },
  });
  const key = await extractTrackingKey(context.anonymous, delivery);
  await assign(context, delivery.id, location);
  return { id: delivery.id, key };
}

async function assign(context: CourierContext, id: string, location?: Point): Promise<void> {
  await context.performCourierActionsUpTo(id, "assigned", {
    courier: COURIER,
    ...(location && { location }),
  });
  const { courier } = await readDelivery(context.api, id);
  if ((courier ?? null) === null)
    throw new CheckSkipped("the delivery shows no courier after the assignment");
}

async function performActions(
  { performCourierAction }: CourierContext,
  id: string,
  ...actions: readonly Parameters<CourierContext["performCourierAction"]>[1][]
) {
  for (const action of actions) {
    if (!(await performCourierAction(id, action)))
      throw new CheckSkipped(`the control interface refused the courier action ${action}`);
  }
}

/**
 * Performs the actions from the assignment to the arrival at the customer's door.
 * @returns the courier capability for helpers that would otherwise perform the same actions again
 */
async function goToTheDoor(context: CourierContext, id: string): Promise<Capabilities["courier"]> {
  await performActions(context, id, "at_pickup", "picked_up", "en_route", "arrived");
  return { performCourierAction: context.performCourierAction, performCourierActionsUpTo: async () => {} };
}

/** Matches the courier's first name with the initial of the surname. */
const SURNAME_INITIAL = new RegExp(
  `${COURIER.name.replace(/(\S+ \S).*/, "$1").toLocaleLowerCase("tr")}\\.?($|[^\\p{L}])`,
  "mu",
);

/** The clause for each kind of private data. */
interface PrivacyClauses {
  readonly phones: ClauseId;
  readonly name: ClauseId;
  readonly address: ClauseId;
  readonly courier: ClauseId;
  /** The clause on the courier of another delivery, if there is one. */
  readonly otherCourier?: ClauseId;
}

const WITH_A_COURIER: PrivacyClauses = {
  phones: clause["TRACK-2"],
  name: clause["TRACK-3"],
  address: clause["TRACK-4"],
  courier: clause["TRACK-5"],
  otherCourier: clause["TRACK-23"],
};

const sameClauseForAll = (id: ClauseId): PrivacyClauses => ({
  phones: id,
  name: id,
  address: id,
  courier: id,
});

async function expectPrivateWhen(
  { anonymous, attributeTo, store }: BaseContext,
  key: string,
  state: Stage | ElementOf<"states-without-a-courier">,
  clauses: PrivacyClauses,
): Promise<void> {
  const data = (await getTracking(anonymous, key)).expectStatus(200);
  const subject = `tracking data when the delivery is ${state}`;
  attributeTo(clauses.phones);
  const phones = [CUSTOMER.phone, COURIER.phone, (await store()).phone ?? ""].filter(Boolean);
  for (const number of [...phones.map(lastTenDigits), CUSTOMER.phone_extension]) {
    const paths = pathsWithDigits(data, number);
    attributeFailures([clauses.phones], () =>
      expectThat(`members with a phone number in ${subject}`, paths).isEmpty(),
    );
  }
  const surname = COURIER.name.split(" ").slice(1);
  for (const [clauseId, kind, words] of [
    [clauses.name, "the customer's name", CUSTOMER.name.split(" ")],
    [clauses.address, "the customer's address", [STREET, DIRECTIONS]],
    [clauses.courier, "the courier's surname", surname],
    [
      clauses.otherCourier ?? clauses.courier,
      "another courier's first name",
      OTHER_COURIER.name.split(" ", 1),
    ],
  ] as const) {
    attributeTo(clauseId);
    const shown = words.find((word) => lowerCaseTextOf(data).includes(word.toLocaleLowerCase("tr")));
    if (shown === undefined) continue;
    attributeFailures([clauseId], () => {
      throw new CheckFailure(
        { subject, relation: "not to include", expected: shown, actual: data.json, note: kind },
        { fault: `tracking data contains ${kind}`, exchange: data.exchange },
      );
    });
  }
  attributeFailures([clauses.courier], () =>
    expectThat(subject, lowerCaseTextOf(data)).doesNotMatch(SURNAME_INITIAL),
  );
}

const privacyWithoutCourier = check({
  id: "tracking.privacy-without-a-courier",
  title:
    "tracking data of a delivery without a courier contains no phone number, customer name, address or courier's surname, also after a PATCH",
  clauses: [clause["TRACK-15"]],
  async run(context) {
    const { anonymous, api } = context;
    const waiting = await createDelivery(context, { customer: CUSTOMER, dropoff: ADDRESS });
    const dropoff = { ...ADDRESS, ...near(context.point) };
    const delivery = await createDelivery(context, { customer: CUSTOMER, dropoff });
    const keys = [
      await findTrackingKey(anonymous, waiting),
      await extractTrackingKey(anonymous, delivery),
    ] as const;
    await context.each(ofSet("states-without-a-courier"), async (state) => {
      if (state === "cancelled") await cancelDelivery(api, delivery.id);
      const key = keys[state === "received" ? 0 : 1];
      await expectPrivateWhen(context, key, state, sameClauseForAll(clause["TRACK-15"]));
    });
    const changed = await createDelivery(context);
    const changedKey = await extractTrackingKey(anonymous, changed);
    (await api.updateDelivery(changed.id, { customer: CUSTOMER, dropoff })).expectSuccess();
    await expectPrivateWhen(context, changedKey, "queued", sameClauseForAll(clause["TRACK-15"]));
  },
});

const privacy = check({
  id: "tracking.privacy",
  title:
    "tracking data never contains phone numbers, the customer's name, the address, the courier's surname or another courier's name",
  clauses: [clause["TRACK-2"], clause["TRACK-3"], clause["TRACK-4"], clause["TRACK-5"], clause["TRACK-23"]],
  needs: ["courier"],
  async run(context) {
    const { id, key } = await createAssignedDelivery(context);
    const other = await createDelivery(context);
    await context.performCourierActionsUpTo(other.id, "assigned", { courier: freshCourier(OTHER_COURIER) });
    const keyInState = async (state: ElementOf<"states-with-a-courier">): Promise<string> => {
      if (state === "cancelled") {
        const cancelled = await createAssignedDelivery(context);
        await cancelDelivery(context.api, cancelled.id);
        return cancelled.key;
      }
      if (state !== "assigned") await performActions(context, id, state);
      return key;
    };
    await context.each(ofSet("states-with-a-courier"), async (state) =>
      expectPrivateWhen(context, await keyInState(state), state, WITH_A_COURIER),
    );
  },
});

const privacyOfAReturn = check({
  id: "tracking.privacy-of-a-return",
  title:
    "tracking data contains no phone number, customer name, address or courier's surname during and after a return",
  clauses: [clause["TRACK-18"]],
  needs: ["courier"],
  async run(context) {
    const { id, key } = await createAssignedDelivery(context);
    await startReturn(await goToTheDoor(context, id), id);
    await context.each(ofSet("states-of-a-return"), async (state) => {
      if (state === "returned") await performActions(context, id, state);
      await expectPrivateWhen(context, key, state, sameClauseForAll(clause["TRACK-18"]));
    });
  },
});

const privacyOfAFailure = check({
  id: "tracking.privacy-of-a-failure",
  title:
    "tracking data contains no phone number, customer name, address or courier's surname after the delivery failed",
  clauses: [clause["TRACK-19"]],
  needs: ["courier"],
  async run(context) {
    const { id, key } = await createAssignedDelivery(context);
    await failDelivery(await goToTheDoor(context, id), id, FAILURE_REASON);
    await expectPrivateWhen(context, key, "failed", sameClauseForAll(clause["TRACK-19"]));
  },
});

const firstName = check({
  id: "tracking.first-name",
  title: "tracking data contains the courier's first name on the way and at the customer's door",
  clauses: [clause["TRACK-6"]],
  needs: ["courier"],
  async run(context) {
    const { id, key } = await createAssignedDelivery(context);
    await performActions(context, id, "at_pickup", "picked_up");
    const [first = ""] = COURIER.name.split(" ");
    await context.each(cases("courier actions", ["en_route", "arrived"] as const), async (action) => {
      await performActions(context, id, action);
      const data = (await getTracking(context.anonymous, key)).expectStatus(200);
      expectThat(`tracking data after ${action}`, lowerCaseTextOf(data)).includes(
        first.toLocaleLowerCase("tr"),
      );
    });
    // A courier may take one delivery at a time, so this one ends before another check assigns the courier.
    await context.performCourierAction(id, "delivered");
  },
});

async function pickUpAndReport(context: CourierContext, id: string, location: Point): Promise<void> {
  await performActions(context, id, "at_pickup", "picked_up", "en_route");
  await tellPosition(context, id, location);
}

/** The time limit for a reported position to appear in tracking data. */
const POSITION_TIMEOUT_MS = 5_000;

const expectPosition = (when: string, isShown: boolean, expected: "shown" | "hidden"): void =>
  expectThat(`the courier's position ${when}`, isShown ? "shown" : "hidden").is(expected);

const position = check({
  id: "tracking.position",
  title: "tracking data contains the courier's position only while the courier has the package",
  clauses: [clause["TRACK-7"], clause["TRACK-8"], clause["TRACK-9"]],
  needs: ["courier"],
  async run(context) {
    const { anonymous, point } = context;
    // Points far from the restaurant and from the drop-off.
    const [beforePickUp, afterPickUp] = [near(point, 12), near(point, -9)];
    const { id, key } = await createAssignedDelivery(context, beforePickUp);
    context.attributeTo(clause["TRACK-7"]);
    const dataBefore = (await getTracking(anonymous, key)).expectStatus(200);
    expectPosition("before the pick-up", containsPoint(dataBefore, beforePickUp), "hidden");
    context.attributeTo(clause["TRACK-8"]);
    await pickUpAndReport(context, id, afterPickUp);
    const shown = await poll(
      async () =>
        containsPoint((await getTracking(anonymous, key)).expectStatus(200), afterPickUp) || undefined,
      { within: POSITION_TIMEOUT_MS, every: 1000 },
    );
    expectPosition("between restaurant and customer", shown ?? false, "shown");
    const other = await createDelivery(context);
    const elsewhere = { courier: freshCourier(OTHER_COURIER), location: near(point, 15) };
    await context.performCourierActionsUpTo(other.id, "assigned", elsewhere);
    const dataBeside = (await getTracking(anonymous, key)).expectStatus(200);
    const whenBeside = "after another delivery's courier reported one";
    expectPosition(whenBeside, containsPoint(dataBeside, afterPickUp), "shown");
    context.attributeTo(clause["TRACK-9"]);
    await performActions(context, id, "arrived", "delivered");
    const dataAfter = (await getTracking(anonymous, key)).expectStatus(200);
    expectPosition("after the delivery", containsPoint(dataAfter, afterPickUp), "hidden");
  },
});

const afterAReturn = check({
  id: "tracking.position-after-a-return",
  title: "tracking data doesn't contain the courier's position after the package was returned",
  clauses: [clause["TRACK-9"]],
  needs: ["courier"],
  async run(context) {
    const { anonymous, performCourierAction, point } = context;
    const afterPickUp = near(point, -9);
    const { id, key } = await createAssignedDelivery(context);
    await pickUpAndReport(context, id, afterPickUp);
    await performActions(context, id, "arrived");
    await returnToStore({ performCourierAction, performCourierActionsUpTo: async () => {} }, id);
    const data = (await getTracking(anonymous, key)).expectStatus(200);
    expectPosition("after the return", containsPoint(data, afterPickUp), "hidden");
  },
});

const afterACancellation = check({
  id: "tracking.position-after-a-cancellation",
  title: "tracking data doesn't contain the courier's position after the cancellation",
  clauses: [clause["TRACK-16"]],
  needs: ["courier"],
  async run(context) {
    const { anonymous, api, point } = context;
    const beforePickUp = near(point, 12);
    const { id, key } = await createAssignedDelivery(context, beforePickUp);
    await cancelDelivery(api, id);
    const data = (await getTracking(anonymous, key)).expectStatus(200);
    expectPosition("after the cancellation", containsPoint(data, beforePickUp), "hidden");
  },
});

const atTheRestaurant = check({
  id: "tracking.position-at-the-restaurant",
  title: "tracking data doesn't contain the courier's position while the package is still at the restaurant",
  clauses: [clause["TRACK-17"]],
  needs: ["courier"],
  async run(context) {
    const { anonymous, performCourierAction, point } = context;
    // The courier is far from the restaurant, because tracking data may contain the restaurant's location.
    const courierLocation = near(point, 12);
    const { id, key } = await createAssignedDelivery(context);
    if (!(await performCourierAction(id, "at_pickup", { location: courierLocation })))
      throw new CheckSkipped("the control interface refused the courier action at_pickup");
    const data = (await getTracking(anonymous, key)).expectStatus(200);
    expectPosition("before the pick-up", containsPoint(data, courierLocation), "hidden");
    // A courier may take one delivery at a time, so this one ends before another check assigns the courier.
    await context.api.cancelDelivery(id);
  },
});

export const trackingContentsChecks: readonly Check[] = [
  privacyWithoutCourier,
  privacy,
  privacyOfAReturn,
  privacyOfAFailure,
  firstName,
  position,
  atTheRestaurant,
  afterAReturn,
  afterACancellation,
];
