import * as fc from "fast-check";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { ElementOf } from "../../../core/contract/element-sets.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { isSuccess } from "../../../core/responses.ts";
import { type Check, check } from "../../check.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import { drawnUuid } from "../../session/sample-data/drawn.ts";
import type { Point } from "../../session/sample-data/settings.ts";
import { expectOnlyDelivery, expectRefused } from "../../support/assertions.ts";
import { expectAtMostOneCreated } from "../../support/orders/concurrent-creations.ts";
import {
  expectSameFields,
  expectTimePassed,
  integratorFields,
  UNLOCATABLE_ADDRESS,
} from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { idempotencyCourierChecks } from "./idempotency-courier.ts";
import { otherBodiesChecks } from "./idempotency-other-bodies.ts";

const MAX_CONCURRENT_REQUESTS = 6;
const MAX_KEY_LENGTH = 128;

const MINUTE_S = 60;
const DAY_S = 86_400;

const newKeyOfLength = (length: number) =>
  drawnUuid()
    .replaceAll("-", "")
    .repeat(Math.ceil(length / 32))
    .slice(0, length);

const sameKeySameBody = check({
  id: "idempotency.same-key-same-body",
  title:
    "repeating a creation with the same key and body returns 200 with the first delivery, and creates nothing",
  clauses: [clause["IDEM-5"], clause["IDEM-6"], clause["IDEM-7"]],
  async run({ api, attributeTo, each, now, order }) {
    const create = async (overrides: Partial<Schemas["NewDelivery"]>) => {
      const [key, body] = [newIdempotencyKey(), await order(overrides)];
      return { key, body, first: (await api.createDelivery(body, { key })).body(201) };
    };
    const urgent = await create({ require_pin: true });
    const unlocated = await create({ dropoff: UNLOCATABLE_ADDRESS });
    const scheduled = await create({ scheduled_for: isoInstant(now() + DAY_S * 1000) });
    const repeats = {
      "the first": urgent,
      "the second": urgent,
      "of an order without coordinates": unlocated,
      "of a scheduled order": scheduled,
    };
    await each(casesFrom("repeats", repeats), async ([, { key, body, first }]) => {
      attributeTo(clause["IDEM-5"]);
      const again = (await api.createDelivery(body, { key })).expectStatus(200).body(200);
      attributeTo(clause["IDEM-6"]);
      expectThat("the id in the response to the repeated request", again.id).is(first.id);
      // Compares only fields that the integrator sets, because the body may show the delivery's first or current
      // state (OPEN-117).
      expectSameFields(
        integratorFields(again),
        integratorFields(first),
        "the delivery in the response to the repeated request",
      );
    });
    attributeTo(clause["IDEM-7"]);
    for (const { first } of [urgent, unlocated, scheduled])
      await expectOnlyDelivery(api, first, clause["IDEM-7"]);
  },
});

const otherBody = check({
  id: "idempotency.same-key-other-body",
  title:
    "an Idempotency-Key that is reused for another order is refused, nothing is created or changed, and the key still belongs to the first order",
  clauses: [clause["IDEM-5"], clause["IDEM-11"], clause["IDEM-12"], clause["ERR-17"]],
  async run({ api, attributeTo, order }) {
    const key = newIdempotencyKey();
    const firstBody = await order({ notes: "first" });
    const first = (await api.createDelivery(firstBody, { key })).body(201);
    const other = await order({ notes: "second" });
    attributeTo(clause["IDEM-11"], clause["ERR-17"]);
    const refused = await api.sendInvalid(
      "createDelivery",
      "the key of another order",
      { body: other },
      { key },
    );
    refused.expectError(409, "IDEMPOTENCY_CAKISMA");
    // The key must still belong to the first order.
    attributeTo(clause["IDEM-5"]);
    const again = (await api.createDelivery(firstBody, { key })).expectStatus(200).body(200);
    expectThat("the id in the response to the first order, repeated after the refusal", again.id).is(
      first.id,
    );
    attributeTo(clause["IDEM-12"]);
    expectThat("the first delivery's notes", (await api.getDelivery(first.id)).body(200).notes).is("first");
    await expectOnlyDelivery(api, first);
    // Positive control: the same order is created with its own key, so it didn't exist before.
    await expectOnlyDelivery(api, (await api.createDelivery(other)).body(201));
  },
});

const afterCancellation = check({
  id: "idempotency.repeat-after-cancellation",
  title:
    "repeating a creation after its delivery was cancelled creates nothing, and the key refuses another order",
  clauses: [clause["IDEM-5"], clause["IDEM-6"], clause["IDEM-7"], clause["IDEM-11"]],
  async run({ api, attributeTo, order }) {
    const [key, body] = [newIdempotencyKey(), await order()];
    const first = (await api.createDelivery(body, { key })).body(201);
    (await api.cancelDelivery(first.id)).expectSuccess();
    attributeTo(clause["IDEM-5"]);
    const again = (await api.createDelivery(body, { key })).expectStatus(200).body(200);
    attributeTo(clause["IDEM-6"]);
    expectThat("the id in the response to the repeated request", again.id).is(first.id);
    attributeTo(clause["IDEM-7"]);
    await expectOnlyDelivery(api, first, clause["IDEM-7"]);
    attributeTo(clause["IDEM-11"]);
    const other = await api.sendInvalid(
      "createDelivery",
      "the key of another, cancelled order",
      { body: await order() },
      { key },
    );
    other.expectError(409, "IDEMPOTENCY_CAKISMA");
  },
});

const whileSuspended = check({
  id: "idempotency.repeat-while-suspended",
  title: "repeating a creation after its store was suspended creates nothing",
  clauses: [clause["IDEM-15"]],
  needs: ["pairing", "store-settings"],
  async run({ api, configureStore, linkStore, order }) {
    const { id, external_store_id } = await linkStore();
    const newOrder = () => order({ store: { external_store_id } });
    const [key, body] = [newIdempotencyKey(), await newOrder()];
    const first = (await api.createDelivery(body, { key })).body(201);
    await configureStore(id, { status: "suspended" });
    // Shows that the store is suspended: it refuses a new order.
    (await api.createDelivery(await newOrder())).expectError(409, "MAGAZA_PASIF");
    const again = (await api.createDelivery(body, { key })).expectStatus(200).body(200);
    expectThat("the id in the response to the repeated request", again.id).is(first.id);
    await expectOnlyDelivery(api, first);
  },
});

/** How far ahead an order is scheduled: not long, because the lifetime of a key is unspecified (OPEN-120). */
const AHEAD_S = 15 * 60;

const afterItsTime = check({
  id: "idempotency.repeat-after-its-time",
  title: "repeating a creation after its scheduled_for has passed creates nothing",
  clauses: [clause["IDEM-16"]],
  needs: ["clock"],
  virtualSeconds: AHEAD_S + MINUTE_S,
  async run(context) {
    const { advanceClock, api, now, order } = context;
    const scheduled_for = isoInstant(now() + AHEAD_S * 1000);
    const [key, body] = [newIdempotencyKey(), await order({ scheduled_for })];
    const first = (await api.createDelivery(body, { key })).body(201);
    await advanceClock(AHEAD_S + MINUTE_S);
    await expectTimePassed(context, first, AHEAD_S + MINUTE_S);
    const again = (await api.createDelivery(body, { key })).expectStatus(200).body(200);
    expectThat("the id in the response to the repeated request", again.id).is(first.id);
    await expectOnlyDelivery(api, first);
  },
});

/** A change of each changeable field to a value that no order has. */
const changesOf = (now: number, point: Point) =>
  ({
    dropoff: { dropoff: { text: "Başka Sokak 3, Fatih, İstanbul", ...near(point, 3) } },
    ready_at: { ready_at: isoInstant(now + 50 * MINUTE_S * 1000) },
    notes: { notes: "Zile basmayın" },
    "customer.name": { customer: { name: "Zeynep Kaya" } },
    "customer.phone": { customer: { phone: "+905339998877" } },
    "customer.phone_extension": { customer: { phone_extension: "12" } },
    scheduled_for: { scheduled_for: isoInstant(now + 5 * AHEAD_S * 1000) },
  }) satisfies Record<ElementOf<"changeable-fields">, Schemas["DeliveryChange"]>;

const afterChange = check({
  id: "idempotency.repeat-after-a-change",
  title: "repeating a creation after any field of its delivery was changed creates nothing",
  clauses: [clause["IDEM-5"], clause["IDEM-6"]],
  async run({ api, each, now, order, point }) {
    const repeat = async (change: Schemas["DeliveryChange"]) => {
      // Changes the schedule only of a scheduled order, because a first schedule during a search has other
      // effects.
      const scheduled_for = isoInstant(now() + 2 * AHEAD_S * 1000);
      const [key, body] = [newIdempotencyKey(), await order(change.scheduled_for ? { scheduled_for } : {})];
      const first = (await api.createDelivery(body, { key })).body(201);
      const changed = await api.updateDelivery(first.id, change);
      // A fixed price may count as a quote, after which the schedule can't be changed (OPEN-70).
      if (change.scheduled_for === undefined || changed.status !== 409) changed.expectSuccess();
      const again = await api.createDelivery(body, { key });
      attributeFailures([clause["IDEM-5"]], () => again.expectStatus(200));
      attributeFailures([clause["IDEM-6"]], () =>
        expectThat("the id in the response to the repeated request", again.body(200).id).is(first.id),
      );
      await expectOnlyDelivery(api, first);
    };
    await each(casesFrom("changed fields", changesOf(now(), point)), ([, change]) => repeat(change), {
      concurrency: 4,
    });
  },
});

const concurrentRepeats = check({
  id: "idempotency.concurrent-repeats",
  title: "concurrent requests with one key and body create one delivery, and at most one gets 201",
  clauses: [clause["IDEM-10"]],
  async run({ api, order, property }) {
    await property(
      fc.integer({ min: 2, max: MAX_CONCURRENT_REQUESTS }),
      async (requests) => {
        const [key, body] = [newIdempotencyKey(), await order()];
        const responses = await Promise.all(
          Array.from({ length: requests }, () => api.createDelivery(body, { key })),
        );
        const created = responses.filter(({ status }) => status === 201);
        attributeFailures([clause["IDEM-10"]], () =>
          expectAtMostOneCreated(created, "with one key and body that got 201"),
        );
        // After the concurrent requests, the key is known, whatever their responses were (OPEN-119).
        const delivery = (await api.createDelivery(body, { key })).body(200);
        await expectOnlyDelivery(api, delivery, clause["IDEM-10"]);
      },
      { runs: 5, describe: (requests) => `${requests} concurrent requests with one key and body` },
    );
  },
});

const concurrentOtherBodies = check({
  id: "idempotency.concurrent-other-bodies",
  title:
    "concurrent creations of different orders with one key create one delivery, and the others are refused",
  clauses: [clause["IDEM-11"], clause["IDEM-12"]],
  async run({ api, attributeTo, order, property }) {
    await property(
      fc.integer({ min: 2, max: 3 }),
      async (requests) => {
        const key = newIdempotencyKey();
        const bodies = await Promise.all(Array.from({ length: requests }, () => order()));
        attributeTo(clause["IDEM-11"]);
        const responses = await Promise.all(
          bodies.map(async (body) => ({ body, response: await api.createDelivery(body, { key }) })),
        );
        const successes = responses.filter(({ response }) => isSuccess(response));
        expectAtMostOneCreated(
          successes.map(({ response }) => response),
          "of different orders with one key that got 2xx",
        );
        const accepted = successes.map(({ body }) => body);
        // After the concurrent requests, the key belongs to one order, whatever their responses were
        // (OPEN-119).
        const [first] = [...accepted, ...bodies];
        if (!first) throw new Error("no order was sent");
        const delivery = (await api.createDelivery(first, { key })).body(201);
        const others = bodies.filter((body) => body !== first);
        for (const body of others) {
          const refused = await api.sendInvalid(
            "createDelivery",
            "the key of another order",
            { body },
            { key },
          );
          refused.expectError(409, "IDEMPOTENCY_CAKISMA");
        }
        attributeTo(clause["IDEM-12"]);
        expectThat(
          { field: "external_ref", where: "of the delivery with the key" },
          delivery.external_ref,
        ).is(first.external_ref);
        await expectOnlyDelivery(api, delivery);
        // Positive control: every other order is created with its own key, so no such order existed before.
        for (const body of others) await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
      },
      { runs: 3, describe: (requests) => `${requests} concurrent, different orders with one key` },
    );
  },
});

const repeatUnderAnotherToken = check({
  id: "idempotency.another-token",
  title: "a repeated creation with another token of the same integrator is recognised",
  clauses: [clause["IDEM-9"]],
  // A target may revoke the older token when it issues a new one (OPEN-100).
  isolation: "own-integrator",
  async run({ api, order, anotherToken }) {
    const [key, body] = [newIdempotencyKey(), await order()];
    const first = (await api.createDelivery(body, { key })).body(201);
    const again = (await api.createDelivery(body, { key, token: await anotherToken() })).body(200);
    expectThat("the id in the response to the repeated request", again.id).is(first.id);
  },
});

const keyBounds = check({
  id: "idempotency.key-bounds",
  title: "a creation without a key, or with one of 7 or 129 characters, is refused and creates nothing",
  clauses: [clause["IDEM-1"], clause["IDEM-2"], clause["IDEM-3"]],
  async run({ api, attributeTo, each, order }) {
    await each(
      cases(
        "invalid keys",
        [
          ["no Idempotency-Key", null, clause["IDEM-1"]],
          ["an Idempotency-Key of 7 characters", newKeyOfLength(7), clause["IDEM-2"]],
          ["an Idempotency-Key of 129 characters", newKeyOfLength(129), clause["IDEM-3"]],
        ] as const,
        ([rule]) => rule,
      ),
      async ([rule, key, boundClause]) => {
        attributeTo(boundClause);
        const body = await order();
        const refused = await api.sendInvalid("createDelivery", rule, { body }, { key });
        expectRefused(refused);
        await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
      },
    );
  },
});

const keyRefusal = check({
  id: "idempotency.key-refusal-is-400",
  title: "a creation with an invalid key is refused with 400",
  clauses: [clause["IDEM-4"]],
  async run({ api, order }) {
    const refused = await api.sendInvalid(
      "createDelivery",
      "no Idempotency-Key",
      { body: await order() },
      { key: null },
    );
    refused.expectStatus(400);
  },
});

const keyLengths = check({
  id: "idempotency.key-lengths",
  title: "keys of 8 and of 128 characters are accepted",
  clauses: [clause["LIMIT-19"], clause["LIMIT-20"]],
  async run({ api, attributeTo, each, order }) {
    await each(
      cases("keys", [8, 128], (length) => `of ${length} characters`),
      async (length) => {
        attributeTo(length === 8 ? clause["LIMIT-19"] : clause["LIMIT-20"]);
        (await api.createDelivery(await order(), { key: newKeyOfLength(length) })).body(201);
      },
    );
  },
});

const differentKeys = check({
  id: "idempotency.different-keys",
  title:
    "different keys with different orders create different deliveries, also if the keys are long and only their last characters differ",
  clauses: [clause["IDEM-13"]],
  async run({ api, order }) {
    // The keys have the maximum length and differ only in their last character, so a server that shortens long keys
    // confuses them.
    const stem = newKeyOfLength(MAX_KEY_LENGTH - 1);
    const first = (await api.createDelivery(await order(), { key: `${stem}1` })).body(201);
    const response = await api.createDelivery(await order(), { key: `${stem}2` });
    const keys = `its Idempotency-Key of ${MAX_KEY_LENGTH} characters differs only in the last character from the key of an earlier order`;
    if (!response.hasContentOf(201)) throw response.failureOfStatus(201, keys);
    expectThat("the second delivery's id", response.body(201).id, { note: keys }).isNot(first.id);
  },
});

export const idempotencyChecks: readonly Check[] = [
  sameKeySameBody,
  otherBody,
  ...otherBodiesChecks,
  afterCancellation,
  whileSuspended,
  afterItsTime,
  afterChange,
  ...idempotencyCourierChecks,
  concurrentRepeats,
  concurrentOtherBodies,
  repeatUnderAnotherToken,
  keyBounds,
  keyRefusal,
  keyLengths,
  differentKeys,
];
