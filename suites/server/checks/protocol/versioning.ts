import { clause } from "../../../../openapi/generated/clauses.ts";
import { cases } from "../../../core/grading/expectations/each-element.ts";
import { type Check, check } from "../../check.ts";
import { newStoreRegistration } from "../../session/stores/stores.ts";

const documentedPaths = check({
  id: "versioning.documented-paths",
  title: "the business endpoints are served under /v1, each at its documented path",
  clauses: [clause["VER-1"]],
  async run({ api, each, order, store, point }) {
    const { external_store_id } = await store();
    const body = await order();
    const { id } = (await api.createDelivery(body)).body(201);
    const responses = [
      await api.registerStore(newStoreRegistration(point, undefined, { external_store_id })),
      await api.call("listStores"),
      await api.getStore(external_store_id),
      await api.createQuote({ store: { external_store_id }, dropoff: { ...point } }),
      await api.call("listDeliveryAreas"),
      await api.getDelivery(id),
      await api.listDeliveries({ external_ref: body.external_ref }),
      await api.call("listProofs", { path: { id } }),
      await api.updateDelivery(id, { notes: "new" }),
      await api.cancelDelivery(id),
      await api.call("listPaymentTypes"),
      await api.call("listWebhooks"),
    ];
    await each(
      cases("operations", responses, ({ exchange }) => exchange.operation),
      (response) => response.expectSuccess(),
    );
  },
});

export const versioningChecks: readonly Check[] = [documentedPaths];
