import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant, poll } from "../../../core/clock.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { attributeFailures } from "../../../core/grading/failures/attributed-to.ts";
import { type Check, check } from "../../check.ts";
import { findOnceListed } from "../../support/lists/delivery-list.ts";
import { withoutCoordinates } from "../../support/orders/orders.ts";
import { instantIn } from "../../support/shown-values.ts";

/** A server may cancel in the background, although the specification says "at once". */
const TIMEOUT_MS = 10_000;
const DAY_MS = 24 * 3_600_000;

const recorded = check({
  id: "test-deliveries.recorded",
  title: "a creation with test: true gets 201, and the delivery can be read",
  clauses: [clause["TESTD-1"]],
  async run({ api, order }) {
    const body = await order({ test: true });
    const { id } = (await api.createDelivery(body)).expectStatus(201).body(201);
    const shown = (await api.getDelivery(id)).body(200);
    expectThat("external_ref", shown.external_ref).is(body.external_ref);
  },
});

const cancelled = check({
  id: "test-deliveries.cancelled",
  title:
    "a test delivery is cancelled immediately, with or without coordinates or scheduled_for, and can't be changed or cancelled again",
  clauses: [clause["TESTD-5"], clause["STATE-27"], clause["STATE-31"]],
  async run({ api, attributeTo, each, now, order }) {
    const scheduled_for = isoInstant(now() + DAY_MS);
    const testOrders = {
      "with coordinates": await order({ test: true }),
      "without coordinates": withoutCoordinates(await order({ test: true })),
      "with a scheduled_for": await order({ test: true, scheduled_for }),
    };
    // Concurrent, so that missing cancellations share one timeout.
    await each(
      casesFrom("test deliveries", testOrders),
      async ([name, body]) => {
        const { id } = (await api.createDelivery(body)).body(201);
        const cancelledAt = await poll(
          async () => (await api.getDelivery(id)).body(200).cancelled_at ?? undefined,
          { within: TIMEOUT_MS, every: 250 },
        );
        const where = `of a test delivery ${name}, within ${TIMEOUT_MS / 1000} s`;
        attributeFailures([clause["TESTD-5"]], () =>
          instantIn(cancelledAt, { field: "cancelled_at", where }),
        );
        const again = await api.cancelDelivery(id);
        attributeFailures([clause["STATE-27"]], () => again.expectError(409, "SON_DURUM"));
        const change = { path: { id }, body: { notes: "Arka kapı" } };
        const changed = await api.sendInvalid("updateDelivery", "a cancelled test delivery", change);
        attributeFailures([clause["STATE-31"]], () => changed.expectError(409));
      },
      { concurrency: 3 },
    );
    attributeTo(clause["TESTD-5"]);
    // Shows that only the test flag cancels: an order without the flag isn't cancelled.
    const real = (await api.createDelivery(await order({ test: false }))).body(201);
    expectThat(
      { field: "cancelled_at", where: "of a real order" },
      (await api.getDelivery(real.id)).body(200).cancelled_at ?? null,
    ).is(null);
  },
});

const flag = check({
  id: "test-deliveries.flag",
  title: "test is true on a test delivery, and false on one created with test: false, in the list too",
  clauses: [clause["DLV-34"]],
  async run({ api, each, order }) {
    await each(
      cases("orders", [true, false], (test) => `test: ${test}`),
      async (test) => {
        const { id, external_ref } = (await api.createDelivery(await order({ test }))).body(201);
        expectThat(
          { field: "test", where: `of an order with test: ${test}` },
          (await api.getDelivery(id)).body(200).test,
        ).is(test);
        const [item] = await findOnceListed(api, external_ref, id);
        expectThat({ field: "test", where: `of an order with test: ${test}, in the list` }, item?.test).is(
          test,
        );
      },
    );
  },
});

export const testDeliveriesChecks: readonly Check[] = [recorded, cancelled, flag];
