import * as fc from "fast-check";
import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { codeOf } from "../../../core/responses.ts";
import { type Check, check } from "../../check.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import { newReferenceOfDigits, streetAddress } from "../../session/sample-data/sample-data.ts";
import { expectOnlyDelivery } from "../../support/assertions.ts";
import { expectAtMostOneCreated } from "../../support/orders/concurrent-creations.ts";
import { changeDelivery } from "../../support/orders/deliveries.ts";
import { unusualAttributes } from "../../support/orders/order-attributes.ts";
import { near, withoutCoordinates } from "../../support/orders/orders.ts";

type NewDelivery = Schemas["NewDelivery"];

const MAX_CONCURRENT_CREATIONS = 5;

/** Two orders, the second of which is sent again with the external_ref of the first. */
interface Pair {
  readonly first: NewDelivery;
  readonly second: NewDelivery;
  /** What happens to the first order's delivery before. */
  readonly change?: (delivery: Schemas["Delivery"]) => Promise<void>;
}

const repeatedReference = check({
  id: "creation.repeated-reference",
  title:
    "an order with a duplicate external_ref at a store is refused with EXTERNAL_REF_TEKRAR and the existing delivery's id",
  clauses: [clause["NEW-4"], clause["NEW-5"], clause["NEW-6"], clause["ERR-6"], clause["ERR-18"]],
  async run(context) {
    const { api, attributeTo, order, point } = context;
    const move: Pair["change"] = async ({ id }) => {
      await changeDelivery(api, id, { dropoff: { text: streetAddress(), ...near(point, 2) } });
    };
    const repeat = async ({ first: firstBody, second: secondBody, change }: Pair) => {
      const first = (await api.createDelivery(firstBody)).body(201);
      await change?.(first);
      // Positive control: the second order is accepted with its own external_ref. Then the first delivery isn't the
      // store's latest when the external_ref is repeated.
      (await api.createDelivery(secondBody)).body(201);
      const again = { body: { ...secondBody, external_ref: firstBody.external_ref } };
      const key = newIdempotencyKey();
      const refused = await api.sendInvalid("createDelivery", "an external_ref that exists", again, {
        key,
      });
      attributeTo(clause["NEW-4"], clause["ERR-18"]);
      const { details } = refused.expectError(409, "EXTERNAL_REF_TEKRAR");
      attributeTo(clause["NEW-5"], clause["ERR-6"]);
      expectThat("details", details).hasFields({ delivery_id: first.id });
      attributeTo(clause["NEW-6"]);
      expectThat("the first delivery's notes", (await api.getDelivery(first.id)).body(200).notes).is("first");
      await expectOnlyDelivery(api, first);
    };
    const ordersWith = async (attributes: Partial<NewDelivery> = {}) => ({
      first: await order({ ...attributes, notes: "first" }),
      second: await order({ ...attributes, notes: "second" }),
    });
    const unlocatedFirst = async () => {
      const { first, second } = await ordersWith();
      return { first: withoutCoordinates(first), second };
    };
    const pairs: Readonly<Record<string, () => Promise<Pair>>> = {
      "first without coordinates": unlocatedFirst,
      "first located by a PATCH": async () => ({ ...(await unlocatedFirst()), change: move }),
      "first with another address by a PATCH": async () => ({ ...(await ordersWith()), change: move }),
      ...Object.fromEntries(
        Object.entries(await unusualAttributes(context)).map(([name, attributes]) => [
          name,
          () => ordersWith(attributes),
        ]),
      ),
    };
    await context.each(casesFrom("pairs of orders", pairs), async ([, pair]) => repeat(await pair()));
  },
});

const referenceAtAnotherStore = check({
  id: "creation.reference-at-another-store",
  title: "the external_ref of one store's order can be used at another store",
  clauses: [clause["NEW-7"]],
  needs: ["pairing"],
  async run({ api, order, anotherStore }) {
    const { external_store_id, id } = await anotherStore();
    const body = await order();
    const first = (await api.createDelivery(body)).body(201);
    const second = (await api.createDelivery({ ...body, store: { external_store_id } })).body(201);
    expectThat("the second delivery's id", second.id).isNot(first.id);
    expectThat("the second delivery's store_id", second.store_id).is(id);
    expectThat(
      "the second delivery's external_ref",
      (await api.getDelivery(second.id)).body(200).external_ref,
    ).is(body.external_ref);
  },
});

const repeatedReferenceOfTwoStores = check({
  id: "creation.repeated-reference-of-two-stores",
  title:
    "when two stores of an integrator use the same external_ref, EXTERNAL_REF_TEKRAR contains the id of the delivery at that store",
  clauses: [clause["NEW-5"]],
  needs: ["pairing"],
  async run({ api, anotherStore, each, order }) {
    const body = await order();
    const { external_store_id } = await anotherStore();
    const bodies = { "the first store": body, "the second store": { ...body, store: { external_store_id } } };
    const created: Record<string, string> = {};
    for (const [store, sent] of Object.entries(bodies))
      created[store] = (await api.createDelivery(sent)).body(201).id;
    // Then neither delivery is its store's latest when its external_ref is repeated.
    for (const { store } of Object.values(bodies))
      (await api.createDelivery({ ...(await order()), store })).body(201);
    await each(casesFrom("stores with one external_ref", bodies), async ([store, sent]) => {
      const rule = "an external_ref that exists at the store";
      const key = newIdempotencyKey();
      const refused = await api.sendInvalid("createDelivery", rule, { body: sent }, { key });
      const { details } = refused.expectError(409, "EXTERNAL_REF_TEKRAR");
      expectThat("details", details).hasFields({ delivery_id: created[store] });
    });
  },
});

const concurrentReferences = check({
  id: "creation.concurrent-references",
  title:
    "concurrent creations with one external_ref and different keys create at most one delivery, and EXTERNAL_REF_TEKRAR contains its id",
  clauses: [clause["NEW-8"], clause["NEW-5"], clause["ERR-6"]],
  async run({ api, attributeTo, order, property }) {
    const expectIdIn = ({ details }: { readonly details: unknown }, id: string) =>
      expectThat({ field: "details", where: "of EXTERNAL_REF_TEKRAR" }, details).hasFields({
        delivery_id: id,
      });
    const created: { readonly body: NewDelivery; readonly id: string }[] = [];
    await property(
      fc.integer({ min: 2, max: MAX_CONCURRENT_CREATIONS }),
      async (requests) => {
        const body = await order();
        attributeTo(clause["NEW-8"]);
        const responses = await Promise.all(Array.from({ length: requests }, () => api.createDelivery(body)));
        const accepted = responses.filter(({ status }) => status === 201);
        attributeFailures([clause["NEW-8"]], () =>
          expectAtMostOneCreated(accepted, "with one external_ref that got 201"),
        );
        const delivery =
          responses.find((response) => response.hasContentOf(201))?.body(201) ??
          (await api.createDelivery(body)).body(201);
        await expectOnlyDelivery(api, delivery, clause["NEW-8"]);
        attributeTo(clause["NEW-5"], clause["ERR-6"]);
        const refusals = responses.filter(({ raw }) => codeOf(raw) === "EXTERNAL_REF_TEKRAR");
        for (const response of refusals) expectIdIn(response.expectError(409), delivery.id);
        created.push({ body, id: delivery.id });
      },
      { runs: 4, describe: (requests) => `${requests} concurrent creations with one external_ref` },
    );
    // After a later order, the existing delivery isn't the store's latest.
    (await api.createDelivery(await order())).body(201);
    for (const { body, id } of created.slice(-1)) {
      const rule = "an external_ref of concurrent creations";
      const key = newIdempotencyKey();
      const refused = await api.sendInvalid("createDelivery", rule, { body }, { key });
      expectIdIn(refused.expectError(409, "EXTERNAL_REF_TEKRAR"), id);
    }
  },
});

const MAX_REFERENCE_LENGTH = 40;

const similarReferences = check({
  id: "creation.similar-references",
  title:
    "orders whose external_refs of up to 40 characters differ only at their ends, or in their leading zeros, are different orders, and the same one of 40 characters is refused",
  clauses: [clause["NEW-61"], clause["NEW-4"]],
  async run({ api, attributeTo, each, order }) {
    const body = await order();
    const beginning = body.external_ref
      .slice(0, MAX_REFERENCE_LENGTH - 1)
      .padEnd(MAX_REFERENCE_LENGTH - 1, "-");
    const longest = `${beginning}1`;
    const digits = newReferenceOfDigits();
    const references = {
      "the first": longest,
      "another end": `${beginning}2`,
      "no end": beginning,
      "of digits": digits,
      "without a leading zero": digits.slice(1),
    };
    await each(casesFrom("external_refs", references), async ([, external_ref]) => {
      attributeTo(clause["NEW-61"]);
      const created = (await api.createDelivery({ ...body, external_ref })).body(201);
      expectThat("external_ref", created.external_ref).is(external_ref);
    });
    attributeTo(clause["NEW-4"]);
    const again = { body: { ...body, external_ref: longest } };
    const rule = "an external_ref of 40 characters that exists";
    const key = newIdempotencyKey();
    const refused = await api.sendInvalid("createDelivery", rule, again, { key });
    refused.expectError(409, "EXTERNAL_REF_TEKRAR");
  },
});

export const referencesChecks: readonly Check[] = [
  repeatedReference,
  similarReferences,
  referenceAtAnotherStore,
  repeatedReferenceOfTwoStores,
  concurrentReferences,
];
