import { clause } from "../../../../openapi/generated/clauses.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { type Api, newIdempotencyKey } from "../../session/http/api.ts";
import { storesOf } from "../../session/lists/list-entries.ts";
import { newStoreRegistration } from "../../session/stores/stores.ts";
import { expectOnlyDelivery } from "../../support/assertions.ts";
import { idsOf, listDeliveries } from "../../support/lists/delivery-list.ts";
import { near } from "../../support/orders/orders.ts";
import { expectQuote, quoteRequest, storeAndDropoff } from "../../support/service-area.ts";

const sameKey = check({
  id: "isolation.same-key",
  title: "two integrators can use the same Idempotency-Key, and each gets its own delivery",
  clauses: [clause["ISO-12"]],
  needs: ["second-integrator"],
  async run({ api, order, other, store }) {
    const key = newIdempotencyKey();
    const body = await order();
    const firstDelivery = (await api.createDelivery(body, { key })).body(201);
    const { external_store_id } = await other.store();
    const sameBody = { ...body, store: { external_store_id } };
    const secondDelivery = (await other.api.createDelivery(sameBody, { key })).body(201);
    expectThat("the id of the second integrator's delivery", secondDelivery.id).isNot(firstDelivery.id);
    expectThat("the store_id of the second integrator's delivery", secondDelivery.store_id).isNot(
      (await store()).id,
    );
  },
});

const sameReference = check({
  id: "isolation.same-reference",
  title: "two integrators can use the same external_ref at their own stores",
  clauses: [clause["ISO-14"]],
  needs: ["second-integrator"],
  async run({ api, order, other }) {
    const body = await order();
    const firstDelivery = (await api.createDelivery(body)).body(201);
    const { external_store_id } = await other.store();
    const secondDelivery = (await other.api.createDelivery({ ...body, store: { external_store_id } })).body(
      201,
    );
    await expectOnlyDelivery(api, firstDelivery);
    await expectOnlyDelivery(other.api, secondDelivery);
  },
});

const sameStoreId = check({
  id: "isolation.same-store-id",
  title: "two integrators can use the same external_store_id, and neither can use the other's pairing code",
  clauses: [clause["ISO-13"], clause["REG-9"]],
  needs: ["pairing", "second-integrator"],
  async run({ api, attributeTo, each, pairingCode, expectLinkedStore, order, other, point }) {
    // In an earlier run, each integrator may already have linked a store with this id.
    const shared = await other.store();
    const isShared = (await api.getStore(shared.external_store_id)).status === 200;
    const { external_store_id } = isShared
      ? expectLinkedStore(
          await other.api.registerStore(newStoreRegistration(point, (await pairingCode()).pairing_code)),
        )
      : shared;
    attributeTo(clause["ISO-13"]);
    const secondStore = (await other.api.getStore(external_store_id)).body(200);
    const { pairing_code } = await pairingCode();
    // At another place, so that the distances of the two stores differ.
    const body = newStoreRegistration(near(point, 3), pairing_code, {
      external_store_id,
      name: "Bizim Lokanta",
    });
    const firstStore = expectLinkedStore(
      await api.registerStore(body),
      "another integrator has a store with this external_store_id",
    );
    expectThat("the id of the first integrator's store", firstStore.id).isNot(secondStore.id);
    const { pairing_code: _used, ...withoutCode } = body;
    const repeated = { ...withoutCode, name: "Bizim Lokanta ve Kebap" };
    expectThat(
      "the id of the store that is registered again",
      (await api.registerStore(repeated)).body(200).id,
    ).is(firstStore.id);
    // Another check may concurrently change the name of the other integrator's store.
    const owners = {
      "the first integrator's store": [api, firstStore.id, true],
      "the second integrator's store": [other.api, secondStore.id, false],
    } as const;
    await each(
      casesFrom("stores of the same external_store_id", owners),
      async ([name, [ownerApi, id, isFirst]]) => {
        const shown = (await ownerApi.getStore(external_store_id)).body(200);
        expectThat(`the id of ${name}`, shown.id).is(id);
        const expectName = expectThat(`the name of ${name}`, shown.name);
        if (isFirst) expectName.is(repeated.name);
        else expectName.isNoneOf([body.name, repeated.name]);
      },
    );
    // An integrator's order must not block the other integrator's order with the same external_ref and key, and
    // a quote is for the integrator's own store.
    const key = newIdempotencyKey();
    const orderBody = await order(storeAndDropoff(firstStore, near(point)));
    const created: (readonly [string, Api, string])[] = [];
    for (const [name, [ownerApi]] of Object.entries(owners)) {
      const quote = expectQuote(await ownerApi.createQuote(quoteRequest(firstStore, near(point))));
      const delivery = (await ownerApi.createDelivery(orderBody, { key })).body(201);
      expectThat(
        `the id of the delivery that was ordered at ${name}, with an Idempotency-Key that the first integrator used too`,
        delivery.id,
      ).isNoneOf(created.map(([_name, _api, id]) => id));
      expectThat(`the distance_m of a quote for ${name}`, quote.distance_m).is(delivery.distance_m);
      await expectOnlyDelivery(ownerApi, delivery);
      const narrowed = await listDeliveries(ownerApi, {
        external_ref: delivery.external_ref,
        external_store_id,
      });
      expectThat(`the deliveries with this external_ref at ${name}`, idsOf(narrowed)).is([delivery.id]);
      created.push([name, ownerApi, delivery.id]);
    }
    for (const [name, ownerApi, delivery_id] of created) {
      const rule = "an external_ref that the store has";
      const again = await ownerApi.sendInvalid(
        "createDelivery",
        rule,
        { body: orderBody },
        { key: newIdempotencyKey() },
      );
      const { details } = again.expectError(409, "EXTERNAL_REF_TEKRAR");
      expectThat(`error.details for an external_ref that ${name} has`, details).hasFields({ delivery_id });
    }
    const listed = storesOf(await api.call("listStores")).map(({ id }) => id);
    expectThat("the first integrator's list of stores", listed).includes(firstStore.id);
    expectThat("the first integrator's list of stores", listed).doesNotInclude(secondStore.id);
    attributeTo(clause["REG-9"]);
    const unlinkedStore = newStoreRegistration(point, pairing_code);
    const refused = await other.api.sendInvalid("registerStore", "a code that another integrator has used", {
      body: unlinkedStore,
    });
    // The server may refuse the code with 400 or 409 (OPEN-107).
    refused.expectError([400, 409], "ESLEME_KODU_GECERSIZ", "BASKA_POS");
    (await other.api.getStore(unlinkedStore.external_store_id)).expectError(404);
  },
});

export const isolationSameNamesChecks: readonly Check[] = [sameKey, sameReference, sameStoreId];
