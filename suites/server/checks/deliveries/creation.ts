import * as fc from "fast-check";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures, attributeStepFailures } from "../../../core/grading/failures/attributed-to.ts";
import { type Check, check } from "../../check.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import { drawnUuid } from "../../session/sample-data/drawn.ts";
import { newReference } from "../../session/sample-data/sample-data.ts";
import { expectFields, expectOnlyDelivery } from "../../support/assertions.ts";
import { lookAlikesOf } from "../../support/look-alikes.ts";
import { orders } from "../../support/orders/generated-orders.ts";
import { orderAttributes } from "../../support/orders/order-attributes.ts";
import { withoutCoordinates } from "../../support/orders/orders.ts";
import { createPrepaidDelivery } from "../../support/orders/prepaid.ts";
import { largestOrderChecks } from "./creation-largest.ts";
import { referencesChecks } from "./creation-references.ts";

type NewDelivery = Schemas["NewDelivery"];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The values that a delivery must return from its order. Phone and address have separate checks. Whether an
 * item's code is returned is unspecified (OPEN-47).
 */
function expectedFields({
  store: _store,
  require_pin: _pin,
  customer,
  dropoff,
  payment,
  ...order
}: NewDelivery) {
  const { phone: _phone, ...person } = customer ?? {};
  const { prepaid, ...paid } = payment;
  // Omitted coordinates may be found by the service (OPEN-83).
  const located = dropoff.lat === undefined ? {} : { dropoff: { lat: dropoff.lat, lng: dropoff.lng } };
  const items = order.items?.map(({ code: _code, ...item }) => item);
  return { ...order, items, customer: person, ...located, payment: paid, prepaid };
}

/** Most flags are false, because a test delivery skips the search for a courier. */
const TEST_FLAGS = fc.constantFrom(false, false, false, true);

/** A third of the orders have no coordinates. */
const COORDINATES_SENT = fc.constantFrom(true, true, false);

const anyOrder = check({
  id: "creation.any-order",
  smokeTestOf: "createDelivery",
  title: "any order that the OpenAPI document allows gets 201, and the delivery has the ordered values",
  clauses: [clause["NEW-1"], clause["NEW-55"]],
  async run({ api, order, point, now, property }) {
    const { store, payment } = await order();
    const orderContext = { externalStoreId: store.external_store_id, paymentType: payment.type, point };
    await property(
      fc.record({ base: orders(orderContext, now()), test: TEST_FLAGS, located: COORDINATES_SENT }),
      async ({ base, test, located }) => {
        const order = { ...base, test, external_ref: newReference() };
        const body = located ? order : withoutCoordinates(order);
        // Orders are created concurrently, so each assertion names the clause that its failure violates.
        const response = await attributeStepFailures([clause["NEW-1"]], () => api.createDelivery(body));
        attributeFailures([clause["NEW-55"]], () =>
          expectFields(response.body(201), expectedFields(body), "the response to the creation"),
        );
        await attributeStepFailures([clause["NEW-1"]], async () => {
          response.expectStatus(201);
          const shown = (await api.getDelivery(response.body(201).id)).body(200);
          expectFields(shown, expectedFields(body), "delivery");
          expectThat("dropoff.text", shown.dropoff.text).includes(body.dropoff.text);
        });
      },
      {
        runs: 12,
        concurrency: 12,
        describe: ({ base, test, located }) =>
          `${JSON.stringify({ ...base, test })}${located ? "" : ", without its coordinates"}`,
      },
    );
  },
});

const requiredAlone = check({
  id: "creation.required-fields-alone",
  title: "an order with only the required fields is accepted",
  clauses: [clause["NEW-11"]],
  async run({ api, order }) {
    const { external_ref, store, dropoff, payment } = await order();
    const { type, amount_due } = payment;
    (
      await api.createDelivery({
        external_ref,
        store,
        dropoff: { text: dropoff.text },
        payment: { type, amount_due },
      })
    ).body(201);
  },
});

const unknownStore = check({
  id: "creation.unknown-store",
  title:
    "an order for an unlinked store is refused with 404 MAGAZA_YOK, and creates nothing, whatever its fields",
  clauses: [clause["NEW-10"], clause["NEW-51"]],
  async run(context) {
    const { api, each, order } = context;
    const refuseAt = async (external_store_id: string, body: NewDelivery) => {
      const request = { body: { ...body, store: { external_store_id } } };
      const key = newIdempotencyKey();
      const refused = await api.sendInvalid("createDelivery", "a store that isn't linked", request, { key });
      attributeFailures([clause["NEW-10"]], () => refused.expectError(404, "MAGAZA_YOK"));
    };
    const refuse = async (attributes: Partial<NewDelivery>) => {
      const body = await order(attributes);
      await refuseAt(drawnUuid(), body);
      await attributeStepFailures([clause["NEW-51"]], async () =>
        expectOnlyDelivery(api, (await api.createDelivery(body)).body(201)),
      );
    };
    await each(casesFrom("orders", await orderAttributes(context)), ([, attributes]) => refuse(attributes), {
      concurrency: 3,
    });
    const body = await order();
    await each(lookAlikesOf(body.store.external_store_id), ([, other]) => refuseAt(other, body));
  },
});

const unknownPaymentType = check({
  id: "creation.unknown-payment-type",
  title: "a payment.type that isn't listed is refused with 400 DOGRULAMA, and creates nothing",
  clauses: [clause["NEW-22"], clause["NEW-51"]],
  async run({ api, attributeTo, each, order }) {
    const body = await order();
    attributeTo(clause["NEW-22"]);
    const type = `YOK-${drawnUuid()}`;
    const payments = {
      "payment on delivery": { ...body.payment, type },
      prepaid: { type, amount_due: 0, prepaid: true },
    };
    await each(casesFrom("orders", payments), async ([, payment]) => {
      const unlisted = { body: { ...body, payment } };
      const key = newIdempotencyKey();
      const refused = await api.sendInvalid("createDelivery", "a code that isn't listed", unlisted, { key });
      refused.expectError(400, "DOGRULAMA");
    });
    attributeTo(clause["NEW-51"]);
    await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
  },
});

const extensionOfDigits = check({
  id: "creation.extension-of-digits-alone",
  title: "a phone_extension with a dash or a space between its digits is refused with 400 DOGRULAMA",
  clauses: [clause["NEW-14"]],
  async run({ api, each, order }) {
    const body = await order();
    await each(cases("extensions", ["12-34", "12 34"]), async (phone_extension) => {
      const dashed = { body: { ...body, customer: { ...body.customer, phone_extension } } };
      const refused = await api.sendInvalid(
        "createDelivery",
        "an extension with characters other than digits",
        dashed,
        {
          key: newIdempotencyKey(),
        },
      );
      refused.expectError(400, "DOGRULAMA");
    });
    const plain = { ...body, customer: { ...body.customer, phone_extension: "1234" } };
    await expectOnlyDelivery(api, (await api.createDelivery(plain)).body(201));
  },
});

const secondItem = check({
  id: "creation.each-item-is-validated",
  title: "a quantity with four decimal places is refused in the second item too",
  clauses: [clause["NEW-32"]],
  async run({ api, order }) {
    const body = await order();
    const [item] = body.items ?? [];
    if (!item) throw new Error("an order has no item");
    const key = newIdempotencyKey();
    const second = { body: { ...body, items: [item, { ...item, quantity: 1.0625 }] } };
    (await api.sendInvalid("createDelivery", "a quantity of 4 decimals", second, { key })).expectError(400);
    const control = { ...body, items: [item, { ...item, quantity: 1.125 }] };
    await expectOnlyDelivery(api, (await api.createDelivery(control)).body(201));
  },
});

const acceptanceCheck = (
  subject: string,
  metadata: Pick<Check, "id" | "clauses">,
  overrides: (now: number) => Partial<NewDelivery>,
): Check =>
  check({
    ...metadata,
    title: `a creation accepts ${subject}`,
    async run({ api, order, now }) {
      (await api.createDelivery(await order(overrides(now())))).body(201);
    },
  });

const prepaidOrder = check({
  id: "creation.prepaid",
  title: "a creation accepts a prepaid order with an amount_due of 0",
  clauses: [clause["NEW-25"]],
  async run(context) {
    await createPrepaidDelivery(context);
  },
});

const prepaidAmount = check({
  id: "creation.amount-due-when-prepaid",
  title: "payment.amount_due and payment.type are required even if the order is prepaid",
  clauses: [clause["NEW-23"], clause["NEW-21"]],
  async run(context) {
    const { api, attributeTo, each, order } = context;
    const { payment } = await createPrepaidDelivery(context);
    const body = await order();
    const incomplete = {
      "no amount_due": [{ type: payment.type, prepaid: true }, clause["NEW-23"]],
      "no payment.type": [{ amount_due: 0, prepaid: true }, clause["NEW-21"]],
    } as const;
    await each(casesFrom("incomplete payments", incomplete), async ([rule, [sent, requirement]]) => {
      attributeTo(requirement);
      const request = { body: { ...body, payment: sent } };
      const refused = await api.sendInvalid("createDelivery", rule, request, { key: newIdempotencyKey() });
      refused.expectError(400, "DOGRULAMA");
    });
    await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
  },
});

const onePackage = check({
  id: "creation.package-count-default",
  title: "package_count is 1 by default",
  clauses: [clause["NEW-36"]],
  async run({ api, order }) {
    const items = [1, 2, 3].map((line) => ({ name: `Meze ${line}`, quantity: 2, total: 40 }));
    const { id } = (await api.createDelivery(await order({ items }))).body(201);
    expectThat("package_count", (await api.getDelivery(id)).body(200).package_count).is(1);
  },
});

const pin = check({
  id: "creation.pin",
  title:
    "an order with require_pin: true has a delivery_pin and pin_required: true, also without coordinates, for another day, or prepaid",
  clauses: [clause["NEW-42"], clause["DLV-53"]],
  async run(context) {
    const { api, order } = context;
    const attributes = await orderAttributes(context);
    const scheduled_for = isoInstant(context.now() + DAY_MS);
    const later = { ...(await order({ require_pin: true })), scheduled_for };
    const requests = Object.entries(attributes).map(
      async ([name, fields]) => [name, await order({ ...fields, require_pin: true })] as const,
    );
    const sent = {
      ...Object.fromEntries(await Promise.all(requests)),
      "without coordinates, for tomorrow": withoutCoordinates(later),
    };
    await context.each(
      casesFrom("orders", sent),
      async ([, body]) => {
        const { id } = (await api.createDelivery(body)).body(201);
        const { delivery_pin, pin_required } = (await api.getDelivery(id)).body(200);
        attributeFailures([clause["NEW-42"]], () => expectThat("delivery_pin", delivery_pin).isText());
        attributeFailures([clause["DLV-53"]], () => expectThat("pin_required", pin_required).is(true));
      },
      { concurrency: 4 },
    );
  },
});

/** Turkish letters, emoji of one or several code points, and letters with combining marks (OPEN-30). */
const graphemes = [
  ..."çğıöşüÇĞİÖŞÜâîû",
  "🍲",
  "👩‍🍳",
  "🇹🇷",
  "👍🏽",
  "e\u0301",
  "g\u0306",
  "ı\u0307",
  "n\u0303",
];

const unicode = check({
  id: "creation.unicode",
  title: "Turkish letters, emoji and combining marks are returned unchanged",
  clauses: [clause["NEW-46"]],
  async run({ api, order, property }) {
    const words = fc
      .shuffledSubarray(graphemes, { minLength: 4, maxLength: 10 })
      .map((letters) => `a${letters.join("")}z`);
    await property(
      fc.record({ notes: words, name: words, item: words }),
      async ({ notes, name, item }) => {
        const body = await order({
          notes,
          customer: { name, phone: "05321234567" },
          items: [{ name: item, quantity: 1, total: 10 }],
        });
        const { id } = (await api.createDelivery(body)).body(201);
        const shown = (await api.getDelivery(id)).body(200);
        expectFields(shown, { notes, customer: { name }, items: [{ name: item }] }, "delivery");
      },
      { runs: 5, concurrency: 5 },
    );
  },
});

export const creationChecks: readonly Check[] = [
  extensionOfDigits,
  prepaidAmount,
  secondItem,
  ...referencesChecks,
  ...largestOrderChecks,
  anyOrder,
  requiredAlone,
  unknownStore,
  unknownPaymentType,
  prepaidOrder,
  acceptanceCheck("a code on an item", { id: "creation.item-code", clauses: [clause["NEW-30"]] }, () => ({
    items: [{ name: "Ayran", quantity: 2, total: 60, code: "AYR-1" }],
  })),
  acceptanceCheck(
    "decimal quantities, including some without an exact binary fraction",
    {
      id: "creation.decimal-quantity",
      clauses: [clause["NEW-31"], clause["LIMIT-27"]],
    },
    () => ({
      items: [0.5, 2.3, 16.1, 1.005].map((quantity) => ({ name: "Baklava", quantity, total: 400 })),
    }),
  ),
  onePackage,
  acceptanceCheck("ready_at", { id: "creation.ready-at", clauses: [clause["NEW-37"]] }, (now) => ({
    ready_at: isoInstant(now + HOUR_MS / 2),
  })),
  acceptanceCheck(
    "a scheduled_for within the next 7 days",
    { id: "creation.scheduled", clauses: [clause["NEW-38"]] },
    (now) => ({ scheduled_for: isoInstant(now + 3 * DAY_MS) }),
  ),
  pin,
  unicode,
];
