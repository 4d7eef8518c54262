import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { OperationId, Schemas } from "../../../core/contract/document.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { someOf } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { expectFields } from "../../support/assertions.ts";
import { withLastCharacterChanged } from "../../support/look-alikes.ts";
import {
  CLOCK_TOLERANCE_MS,
  createUnlocatedDelivery,
  expectSameFields,
  integratorFields,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { expectNoEarlier, expectNoLater, expectSameInstant, instantIn } from "../../support/shown-values.ts";

/** Two notations of one time may have fractions of different lengths (OPEN-8). */
const ROUNDING_MS = 1000;

/** The fields that a PATCH may change even after a quote. */
const PATCHED_FIELDS = elementsOf("changeable-fields").filter((field) => field !== "scheduled_for");
const READY_IN_MS = 50 * 60_000;

const idField = check({
  id: "delivery-fields.id",
  title: "a delivery's id is a UUID, and the delivery can be read by it",
  clauses: [clause["DLV-3"]],
  async run({ api, order }) {
    const created = (await api.createDelivery(await order())).body(201);
    expectThat("id", created.id).isUuid();
    expectThat("the id of the delivery that is read", (await readDelivery(api, created.id)).id).is(
      created.id,
    );
  },
});

const storeId = check({
  id: "delivery-fields.store-id",
  title: "store_id is the id of the store in the order",
  clauses: [clause["DLV-5"]],
  async run({ api, order, store }) {
    const created = (await api.createDelivery(await order())).body(201);
    expectThat("store_id", (await readDelivery(api, created.id)).store_id).is((await store()).id);
  },
});

const version = check({
  id: "delivery-fields.version",
  title: "version is an integer of at least 1, and increases with each PATCH and the cancellation",
  clauses: [clause["DLV-6"], clause["DLV-8"]],
  async run(context) {
    const { api, now, point } = context;
    const { id } = await createUnlocatedDelivery(context);
    const patches: Readonly<Record<(typeof PATCHED_FIELDS)[number], Schemas["DeliveryChange"]>> = {
      notes: { notes: "new" },
      ready_at: { ready_at: isoInstant(now() + READY_IN_MS) },
      "customer.name": { customer: { name: "Fatma Demir" } },
      "customer.phone": { customer: { phone: "+905339998877" } },
      "customer.phone_extension": { customer: { phone_extension: "12" } },
      dropoff: { dropoff: { text: "Deneme Sokak 2, Fatih, İstanbul", ...near(point) } },
    };
    let { version } = await readDelivery(api, id);
    context.attributeTo(clause["DLV-6"]);
    expectThat("version", version).isInteger();
    expectThat("version", version).isAtLeast(1);
    context.attributeTo(clause["DLV-8"]);
    const expectVersionRaised = async (change: string, response: ApiResponse<OperationId>) => {
      response.expectSuccess();
      const before = version;
      ({ version } = await readDelivery(api, id));
      expectThat({ field: "version", where: `after ${change}` }, version).isMoreThan(before);
    };
    await context.each(someOf("changeable-fields", PATCHED_FIELDS), async (field) =>
      expectVersionRaised(`a change of ${field}`, await api.updateDelivery(id, patches[field])),
    );
    await expectVersionRaised("the cancellation", await api.cancelDelivery(id));
  },
});

const firstVersion = check({
  id: "delivery-fields.first-version",
  title: "a delivery created without coordinates has version 1",
  clauses: [clause["DLV-7"]],
  async run(context) {
    const created = await createUnlocatedDelivery(context);
    expectThat("version", created.version).is(1);
  },
});

const times = check({
  id: "delivery-fields.times",
  title:
    "created_at is the time of creation and doesn't change, and updated_at is never before it and never decreases",
  clauses: [clause["DLV-45"], clause["DLV-46"]],
  async run({ api, attributeTo, order, now }) {
    const { id } = (await api.createDelivery(await order())).body(201);
    const first = await readDelivery(api, id);
    attributeTo(clause["DLV-45"]);
    const created = instantIn(first.created_at, "created_at");
    expectNoEarlier(first.created_at, now() - CLOCK_TOLERANCE_MS, "created_at");
    expectNoLater(first.created_at, now() + CLOCK_TOLERANCE_MS, "created_at");
    attributeTo(clause["DLV-46"]);
    expectNoEarlier(first.updated_at, created - ROUNDING_MS, "updated_at");
    let lastUpdate = instantIn(first.updated_at, "updated_at");
    for (const change of [() => api.updateDelivery(id, { notes: "new" }), () => api.cancelDelivery(id)]) {
      (await change()).expectSuccess();
      const shown = await readDelivery(api, id);
      attributeTo(clause["DLV-45"]);
      expectSameInstant(shown.created_at, first.created_at, "created_at", { toleranceMs: 0 });
      attributeTo(clause["DLV-46"]);
      expectNoEarlier(shown.updated_at, lastUpdate, "updated_at");
      lastUpdate = instantIn(shown.updated_at, "updated_at");
    }
  },
});

const readBack = check({
  id: "delivery-fields.read",
  smokeTestOf: "getDelivery",
  title: "reading a delivery by its id returns 200 and the same values as its creation",
  clauses: [clause["DLV-57"]],
  async run({ api, order }) {
    const created = (await api.createDelivery(await order({ require_pin: true, notes: "as created" }))).body(
      201,
    );
    const shown = await readDelivery(api, created.id);
    expectSameFields(integratorFields(shown), integratorFields(created), "the delivery that is read");
    const { store_id, created_at, delivery_pin } = created;
    expectFields(shown, { store_id, created_at, delivery_pin }, "delivery");
  },
});

const unknownId = check({
  id: "delivery-fields.unknown-id",
  title: "reading an unknown id returns 404, and a known id 200",
  clauses: [clause["DLV-58"]],
  async run({ api, order }) {
    const { id } = (await api.createDelivery(await order())).body(201);
    (await api.getDelivery(withLastCharacterChanged(id))).expectError(404);
    await readDelivery(api, id);
  },
});

export const deliveryFieldsIdentityChecks: readonly Check[] = [
  idField,
  storeId,
  version,
  firstVersion,
  times,
  readBack,
  unknownId,
];
