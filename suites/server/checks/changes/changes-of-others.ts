import { clause } from "../../../../openapi/generated/clauses.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { newReference, streetAddress } from "../../session/sample-data/sample-data.ts";
import { changeDelivery, createDelivery, expectDeliveryUnchanged } from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";

const otherDeliveries = check({
  id: "changes.other-deliveries",
  title:
    "a change or cancellation of a delivery changes no other one, of the same customer or with the same external_ref at another store",
  clauses: [clause["DLV-91"]],
  needs: ["pairing"],
  async run(context) {
    const { api, anotherStore, order, point } = context;
    const body = await order();
    const first = await createDelivery(context, body);
    // A server with one record of each customer may know this one from a previous run of the check.
    expectThat({ field: "customer.name", where: "of a new delivery" }, first.customer?.name).is(
      body.customer?.name,
    );
    expectThat({ field: "dropoff.text", where: "of a new delivery" }, first.dropoff.text).startsWith(
      body.dropoff.text,
    );
    const { external_store_id } = await anotherStore();
    const sameReference = await createDelivery(context, { ...body, store: { external_store_id } });
    (await api.cancelDelivery(sameReference.id, "Müşteri vazgeçti")).expectSuccess();
    const what = "a cancellation of another store's delivery with the same external_ref";
    await expectDeliveryUnchanged(api, first, what);
    const sameCustomer = await createDelivery(context, {
      ...body,
      external_ref: newReference(),
      customer: { ...body.customer, name: "Ayşe Yılmaz" },
    });
    await changeDelivery(api, sameCustomer.id, {
      customer: { name: "Zeynep Kaya" },
      dropoff: { text: streetAddress(), ...near(point, 2) },
      notes: "Arka kapı",
    });
    await expectDeliveryUnchanged(
      api,
      first,
      "another order of the same customer, and a PATCH of that order",
    );
  },
});

export const changesOfOthersChecks: readonly Check[] = [otherDeliveries];
