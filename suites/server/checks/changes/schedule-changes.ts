import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { CheckSkipped } from "../../../core/grading/failures/failure.ts";
import { type Check, check } from "../../check.ts";
import { randomBetween } from "../../session/sample-data/sample-data.ts";
import { expectFields, expectRefused } from "../../support/assertions.ts";
import {
  changeDelivery,
  createDelivery,
  createUnlocatedDelivery,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { inIstanbul } from "../../support/orders/orders.ts";

const HOUR_MS = 3_600_000;
/** So early that the search for a courier has usually begun. */
const SOON_HOURS = 1 / 3;

const beforeAnyQuote = check({
  id: "schedule-changes.before-any-quote",
  title: "scheduled_for can be changed and removed until a quote is issued",
  clauses: [clause["PATCH-9"], clause["PATCH-10"], clause["LIMIT-28"], clause["NEW-39"], clause["DLV-8"]],
  needs: ["pairing"],
  async run(context) {
    const { api, now } = context;
    const inHours = (hours: number) => isoInstant(now() + hours * HOUR_MS);
    // The schedule can be changed, because the delivery has had no quote, no fee and no offer (OPEN-70).
    const { external_store_id } = await context.anotherStore();
    const { id, version } = await createUnlocatedDelivery(context, {
      store: { external_store_id },
      scheduled_for: inHours(30),
    });
    const scheduled_for = inIstanbul(now() + randomBetween(100, 166) * HOUR_MS);
    context.attributeTo(clause["PATCH-9"], clause["LIMIT-28"]);
    const changed = await changeDelivery(api, id, { scheduled_for });
    expectFields(changed, { scheduled_for }, "the delivery");
    const annotated = await changeDelivery(api, id, { notes: "Kapıdaki zili iki kez çalın" });
    expectFields(annotated, { scheduled_for }, "the delivery after a change of its notes");
    context.attributeTo(clause["NEW-39"]);
    const tooFar = { path: { id }, body: { scheduled_for: inHours(8 * 24) } };
    expectRefused(await api.sendInvalid("updateDelivery", "a scheduled_for 8 days ahead", tooFar));
    context.attributeTo(clause["PATCH-9"]);
    const unzoned = { path: { id }, body: { scheduled_for: inHours(40).replace("Z", "") } };
    expectRefused(await api.sendInvalid("updateDelivery", "a time without a zone", unzoned));
    expectFields(await readDelivery(api, id), { scheduled_for }, "the delivery after the refused request");
    context.attributeTo(clause["PATCH-10"]);
    const after = await changeDelivery(api, id, { scheduled_for: null });
    expectThat({ field: "scheduled_for", where: "set to null" }, after.scheduled_for ?? null).is(null);
    context.attributeTo(clause["DLV-8"]);
    context.recordCoverage("changeable-fields", ["scheduled_for"]);
    expectThat({ field: "version", where: "after a change of scheduled_for" }, changed.version).isMoreThan(
      version,
    );
  },
});

const otherRefusals = check({
  id: "schedule-changes.refusal-code",
  title: "a valid new scheduled_for is accepted, or refused with PLAN_DEGISEMEZ without effect",
  clauses: [clause["PATCH-11"]],
  async run(context) {
    const { api, now } = context;
    const inHours = (hours: number) => isoInstant(now() + hours * HOUR_MS);
    const { id } = await createDelivery(context, { scheduled_for: inHours(30) });
    let expected = (await readDelivery(api, id)).scheduled_for;
    // Whether this delivery counts as quoted is unspecified (OPEN-70).
    for (const scheduled_for of [inHours(51), inHours(75)]) {
      const response = await api.updateDelivery(id, { scheduled_for });
      const accepted = response.status >= 200 && response.status <= 299;
      if (!accepted) response.expectError(409, "PLAN_DEGISEMEZ");
      expected = accepted ? scheduled_for : expected;
      expectFields(await readDelivery(api, id), { scheduled_for: expected }, "the delivery");
    }
  },
});

const afterAnyQuote = check({
  id: "schedule-changes.after-any-quote",
  title:
    "scheduled_for can't be changed or removed after a quote was issued, a fee was set and the order was offered, nor once a courier is assigned",
  clauses: [clause["STATE-34"], clause["STATE-35"], clause["ERR-22"]],
  needs: ["pairing", "store-settings", "courier"],
  async run(context) {
    const { api, now } = context;
    const inHours = (hours: number) => isoInstant(now() + hours * HOUR_MS);
    const { id: storeId, external_store_id } = await context.linkStore();
    const store = { external_store_id };
    // Positive control: a delivery of the same store that has had no quote, no price and no offer accepts the
    // change.
    const unquoted = await createUnlocatedDelivery(context, { store });
    const scheduled_for = inHours(2);
    expectFields(
      await changeDelivery(api, unquoted.id, { scheduled_for }),
      { scheduled_for },
      "the delivery without a quote",
    );
    const price = { base: 40, per_km: 10, currency: "TRY", vat_included: false };
    await context.configureStore(storeId, { price, radius_m: 20_000, max_road_km: 40, couriers_on_shift: 2 });
    // The delivery has had a quote in every sense: one was requested before and after its creation, a price was set,
    // and a courier got an offer (OPEN-70).
    const order = await context.order({ store });
    const dropoff = {
      lat: order.dropoff.lat ?? context.point.lat,
      lng: order.dropoff.lng ?? context.point.lng,
    };
    (await api.createQuote({ store, dropoff })).expectSuccess();
    const { id } = (await api.createDelivery(order)).body(201);
    (await api.createQuote({ store, dropoff })).expectSuccess();
    await context.performCourierActionsUpTo(id, "offered");
    const before = await readDelivery(api, id);
    expectThat("the fee of a delivery whose store has a price", before.fee ?? null).isNot(null);
    context.attributeTo(clause["STATE-34"], clause["ERR-22"]);
    const change = { path: { id }, body: { scheduled_for: inHours(3) } };
    (await api.sendInvalid("updateDelivery", "a new scheduled_for after a quote", change)).expectError(
      409,
      "PLAN_DEGISEMEZ",
    );
    context.attributeTo(clause["STATE-35"]);
    expectThat(
      { field: "scheduled_for", where: "after the refused request" },
      (await readDelivery(api, id)).scheduled_for ?? null,
    ).is(before.scheduled_for ?? null);
    context.attributeTo(clause["STATE-34"], clause["ERR-22"]);
    if (!(await context.performCourierAction(id, "assigned")))
      throw new CheckSkipped("the control interface refused the courier action assigned after an offer");
    const rule = "a new scheduled_for after a quote, once a courier is assigned";
    (await api.sendInvalid("updateDelivery", rule, change)).expectError(409, "PLAN_DEGISEMEZ");
    const soon = await context.order({ store, scheduled_for: inHours(SOON_HOURS) });
    const { id: scheduledId } = (await api.createDelivery(soon)).body(201);
    (await api.createQuote({ store, dropoff })).expectSuccess();
    // A service that plans the search for a courier itself may refuse this offer.
    if (!(await context.performCourierAction(scheduledId, "offered")))
      return context.note(
        "the control interface refused the offer of a scheduled order, whose removal wasn't tried",
      );
    const removal = { path: { id: scheduledId }, body: { scheduled_for: null } };
    const removed = await api.sendInvalid(
      "updateDelivery",
      "the removal of scheduled_for after a quote",
      removal,
    );
    removed.expectError(409, "PLAN_DEGISEMEZ");
  },
});

export const scheduleChangesChecks: readonly Check[] = [beforeAnyQuote, otherRefusals, afterAnyQuote];
