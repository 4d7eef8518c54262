import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { paymentCodes } from "../../session/stores/payment-type.ts";
import { expectOnlyDelivery, expectRefused } from "../../support/assertions.ts";
import { largestOrder } from "../../support/orders/largest-order.ts";
import {
  changesByField,
  changesByLocation,
  fullOrder,
  possiblyRefusedChanges,
} from "../../support/orders/other-bodies.ts";

type NewDelivery = Schemas["NewDelivery"];

/**
 * An order that differs from the first order, and an assertion about the response to it under the first order's
 * key.
 */
type OtherOrder = readonly [
  body: NewDelivery,
  expectResponse: (response: ApiResponse<"createDelivery">) => void,
];

/** The key and the external_ref are both taken, so the response may report either conflict (OPEN-122). */
const expectConflict: OtherOrder[1] = (response) => {
  response.expectError(409, "IDEMPOTENCY_CAKISMA", "EXTERNAL_REF_TEKRAR");
};

/** Orders that differ from `body` in one field each. */
function differingOrders(body: NewDelivery, listedCodes: readonly NewDelivery["payment"]["type"][]) {
  const orderByField: Record<string, OtherOrder> = {};
  for (const [field, change] of Object.entries({ ...changesByField, ...changesByLocation }))
    orderByField[field] = [change(body), expectConflict];
  for (const [field, change] of Object.entries(possiblyRefusedChanges))
    orderByField[field] = [change(body), expectRefused];
  // Some codes may require a prepaid order (OPEN-80), so any refusal is allowed.
  const type = listedCodes.find((code) => code !== body.payment.type);
  if (type !== undefined)
    orderByField["payment.type"] = [{ ...body, payment: { ...body.payment, type } }, expectRefused];
  return casesFrom("fields in which an order differs", orderByField);
}

const nearlySameBody = check({
  id: "idempotency.nearly-same-body",
  title: "an Idempotency-Key that is reused for an order with any one different field is refused",
  clauses: [clause["IDEM-11"], clause["IDEM-12"]],
  async run({ api, attributeTo, each, now, order }) {
    const key = newIdempotencyKey();
    const listed = paymentCodes((await api.call("listPaymentTypes")).expectSuccess().json);
    const body = fullOrder(await order(), now());
    const first = (await api.createDelivery(body, { key })).body(201);
    attributeTo(clause["IDEM-11"]);
    await each(differingOrders(body, listed), async ([field, [other, expectResponse]]) => {
      const rule = `another order under the same key (${field})`;
      expectResponse(await api.sendInvalid("createDelivery", rule, { body: other }, { key }));
    });
    attributeTo(clause["IDEM-12"]);
    expectThat("the first delivery's notes", (await api.getDelivery(first.id)).body(200).notes).is(
      body.notes,
    );
    await expectOnlyDelivery(api, first);
  },
});

/** Orders of several kilobytes that differ from `body` near their end. */
function differingNearTheEnd(body: NewDelivery): Readonly<Record<string, NewDelivery>> {
  const { items = [], notes = "" } = body;
  return {
    "the last item's quantity": {
      ...body,
      items: items.map((item, place) => (place === items.length - 1 ? { ...item, quantity: 7 } : item)),
    },
    "the last letter of the notes": { ...body, notes: `${notes.slice(0, -1)}x` },
  };
}

const largestBody = check({
  id: "idempotency.largest-order",
  title:
    "an Idempotency-Key that is reused for the largest order with another last item or other notes is refused",
  clauses: [clause["IDEM-11"]],
  async run({ api, each, order }) {
    const key = newIdempotencyKey();
    const body = largestOrder(await order());
    const first = (await api.createDelivery(body, { key })).body(201);
    await each(casesFrom("differences", differingNearTheEnd(body)), async ([difference, other]) => {
      const rule = `another order under the same key (${difference})`;
      expectConflict(await api.sendInvalid("createDelivery", rule, { body: other }, { key }));
    });
    const again = (await api.createDelivery(body, { key })).expectStatus(200).body(200);
    expectThat("the id in the response to the repeated order", again.id).is(first.id);
  },
});

const sameBodyOfAnotherStore = check({
  id: "idempotency.same-order-of-another-store",
  title:
    "an Idempotency-Key that is reused for the same order at another store doesn't return the first store's delivery",
  clauses: [clause["IDEM-11"]],
  needs: ["pairing"],
  async run({ api, anotherStore, order }) {
    const [key, body] = [newIdempotencyKey(), await order()];
    const { external_store_id } = await anotherStore();
    const first = (await api.createDelivery(body, { key })).body(201);
    const other = { ...body, store: { external_store_id } };
    // If a server scopes keys to the store (OPEN-115), this order is a new one.
    (await api.createDelivery(other, { key })).expectStatus(409, 201);
    const again = (await api.createDelivery(body, { key })).expectStatus(200).body(200);
    expectThat("the id in the response to the repeated first order", again.id).is(first.id);
  },
});

export const otherBodiesChecks: readonly Check[] = [nearlySameBody, largestBody, sameBodyOfAnotherStore];
