import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type BaseContext, type Check, check } from "../../check.ts";
import { listOnceShown } from "../../support/lists/delivery-list.ts";
import { withLastCharacterChanged } from "../../support/look-alikes.ts";
import {
  cancelDelivery,
  createDelivery,
  createUnlocatedDelivery,
  expectDeliveryUnchanged,
  expectSameFields,
  expectTimeSet,
  integratorFields,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { createPrepaidDelivery } from "../../support/orders/prepaid.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const createOpenDeliveries = async (context: BaseContext, fields: Partial<Schemas["NewDelivery"]> = {}) => ({
  "with coordinates": await createDelivery(context, fields),
  "without coordinates": await createUnlocatedDelivery(context, fields),
});

/** The fields of the order. Whether a cancelled delivery still needs its PIN is unspecified. */
function orderedFields(delivery: Schemas["Delivery"]) {
  const {
    cancelled_at: _time,
    cancel_reason: _reason,
    delivery_pin: _pin,
    ...fields
  } = integratorFields(delivery);
  return fields;
}

const withReason = check({
  id: "cancellation.with-a-reason",
  smokeTestOf: "cancelDelivery",
  title:
    "a cancellation with a reason succeeds, and sets cancelled_at and cancel_reason and no other field, also if the delivery is scheduled and prepaid",
  clauses: [clause["CANCEL-1"], clause["CANCEL-2"], clause["CANCEL-3"], clause["CANCEL-9"]],
  async run(context) {
    const { api } = context;
    const scheduled_for = isoInstant(context.now() + DAY_MS);
    const ready_at = isoInstant(context.now() + HOUR_MS);
    const deliveries = {
      ...(await createOpenDeliveries(context, { notes: "Ön kapı", package_count: 3, ready_at })),
      "scheduled for tomorrow, prepaid": await createPrepaidDelivery(context, { scheduled_for }),
    };
    await context.each(casesFrom("deliveries", deliveries), async ([, before]) => {
      context.attributeTo(clause["CANCEL-2"]);
      expectThat("cancelled_at before the cancellation", before.cancelled_at ?? null).is(null);
      context.attributeTo(clause["CANCEL-1"]);
      const after = await cancelDelivery(api, before.id, "Restoran kapandı");
      context.attributeTo(clause["CANCEL-2"]);
      expectTimeSet(after.cancelled_at, before, "cancelled_at", context.now());
      context.attributeTo(clause["CANCEL-3"]);
      expectThat("cancel_reason", after.cancel_reason).isText();
      context.attributeTo(clause["CANCEL-9"]);
      expectSameFields(orderedFields(after), orderedFields(before), "the delivery after its cancellation");
    });
  },
});

const reason = check({
  id: "cancellation.keeps-the-reason",
  title: "cancel_reason is the reason that was sent",
  clauses: [clause["CANCEL-4"]],
  async run(context) {
    const sentReason = "Müşteri iki kez sipariş vermiş";
    const after = await cancelDelivery(context.api, (await createDelivery(context)).id, sentReason);
    expectThat("cancel_reason", after.cancel_reason).includes(sentReason);
  },
});

const repeat = check({
  id: "cancellation.twice",
  title: "cancelling a cancelled delivery is refused with SON_DURUM and changes nothing",
  clauses: [clause["STATE-27"], clause["CANCEL-5"]],
  async run(context) {
    const { api } = context;
    await context.each(casesFrom("deliveries", await createOpenDeliveries(context)), async ([, { id }]) => {
      const before = await cancelDelivery(api, id, "Müşteri vazgeçti");
      context.attributeTo(clause["STATE-27"]);
      const again = await api.sendInvalid("cancelDelivery", "a cancelled delivery", {
        path: { id },
        body: { reason: "Restoran kapandı" },
      });
      again.expectError(409, "SON_DURUM");
      context.attributeTo(clause["CANCEL-5"]);
      await expectDeliveryUnchanged(api, before, "the second cancellation");
      expectThat("status", (await readDelivery(api, id)).status).is(before.status);
    });
  },
});

const unknownId = check({
  id: "cancellation.unknown-id",
  title: "cancelling an unknown id returns 404",
  clauses: [clause["CANCEL-6"]],
  async run(context) {
    const { api } = context;
    const { id } = await createDelivery(context);
    (await api.cancelDelivery(withLastCharacterChanged(id))).expectError(404);
    (await api.cancelDelivery(id)).expectSuccess();
  },
});

const whileSuspended = check({
  id: "cancellation.while-suspended",
  title:
    "a delivery is read, listed and can be cancelled after its store was suspended, and is read after it was closed",
  clauses: [clause["CANCEL-8"], clause["DLV-99"]],
  needs: ["pairing", "store-settings"],
  async run(context) {
    const { id: storeId, external_store_id } = await context.linkStore();
    const store = { external_store_id };
    const { id, external_ref } = await createDelivery(context, { store });
    const expectVisible = async (status: "suspended" | "closed") => {
      context.attributeTo(clause["DLV-99"]);
      const delivery = await readDelivery(context.api, id);
      expectThat({ field: "id", where: `of a delivery of a ${status} store` }, delivery.id).is(id);
      const listed = await listOnceShown(context.api, { external_ref }, [delivery]);
      expectThat(
        `the listed deliveries with the external_ref of a ${status} store's delivery`,
        listed.map((delivery) => delivery.id),
      ).is([id]);
    };
    await context.configureStore(storeId, { status: "suspended" });
    context.attributeTo(clause["CANCEL-8"]);
    // Shows that the store is suspended: it refuses a new order.
    (await context.api.createDelivery(await context.order({ store }))).expectError(409, "MAGAZA_PASIF");
    await context.each(cases("stores", ["suspended"] as const), expectVisible);
    context.attributeTo(clause["CANCEL-8"]);
    const response = await context.api.cancelDelivery(id, "Restoran kapandı");
    response.expectSuccess("its store was suspended after its creation");
    const cancelled = await readDelivery(context.api, id);
    expectTimeSet(cancelled.cancelled_at, cancelled, "cancelled_at", context.now());
    await context.configureStore(storeId, { status: "closed" });
    await context.each(cases("stores", ["closed"] as const), expectVisible);
  },
});

export const cancellationChecks: readonly Check[] = [withReason, reason, repeat, whileSuspended, unknownId];
