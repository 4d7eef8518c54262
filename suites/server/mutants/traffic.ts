import type { Check } from "../check.ts";
import { newIdempotencyKey } from "../session/http/api.ts";
import { newStoreRegistration } from "../session/stores/stores.ts";
import { photo } from "../support/courier/photos.ts";
import { near, withoutCoordinates } from "../support/orders/orders.ts";
import { newStoreWithPrices, quoteRequest, storeAndDropoff } from "../support/service-area.ts";

/**
 * Calls all operations with successes and refusals, as traffic for passive checks. It asserts nothing and
 * isn't part of a run.
 */
export const traffic: Check = {
  kind: "active",
  id: "traffic",
  title: "calls of all operations",
  clauses: ["VER-1"],
  needs: ["pairing", "second-integrator", "company-codes", "store-settings", "courier", "proofs"],
  isolation: "none",
  virtualSeconds: 0,
  async run(context) {
    const {
      api,
      other,
      anonymous,
      order,
      store,
      linkStore,
      configureStore,
      companyPairingCode,
      obtainToken,
      point,
      pairingCode,
    } = context;
    const { performCourierActionsUpTo, addProof, registerWebhook } = context;
    const { external_store_id } = await store();
    const { pairing_code } = await pairingCode();
    await anonymous.call("getHealth");
    await obtainToken();
    await anonymous.sendInvalid("listStores", "no token", {}, { token: null });
    // A mutant may limit this request. Its 429 is returned.
    await anonymous.call("getTracking", { path: { key: "nobodys" } }, { honourLimits: false });
    await api.sendInvalid("registerStore", "no name", {
      body: { external_store_id, pairing_code, address: { text: "…" } },
    });
    await api.call("listStores");
    await api.getStore(external_store_id);
    await api.getStore("conform-nobody");
    await api.call("listPaymentTypes");
    await api.call("listDeliveryAreas");
    await api.createQuote({ store: { external_store_id }, dropoff: { ...point } });
    await api.createQuote({ store: { external_store_id }, dropoff: { lat: 0, lng: 0 } });
    const body = await order({ require_pin: true });
    const created = (await api.createDelivery(body)).body(201);
    await api.createDelivery(withoutCoordinates(await order()));
    await api.createDelivery(await order({ payment: { type: "HAVALE", amount_due: 45 } }));
    await api.sendInvalid(
      "createDelivery",
      "a repeated external_ref",
      { body },
      { key: `traffic-${created.id}` },
    );
    await api.sendInvalid("createDelivery", "not JSON", { rawBody: "{" }, { key: `json-${created.id}` });
    await api.sendInvalid("createDelivery", "plain text", { rawBody: "x" }, { contentType: "text/plain" });
    await api.getDelivery(created.id);
    await other.api.getDelivery(created.id);
    await api.updateDelivery(created.id, { notes: "new" });
    await api.listDeliveries({ external_ref: body.external_ref });
    await api.sendInvalid("listDeliveries", "no cursor", { query: { since: "?" } });
    await api.cancelDelivery(created.id);
    await api.getDelivery(created.id);
    await api.cancelDelivery(created.id);
    const carried = (await api.createDelivery(await order())).body(201);
    await performCourierActionsUpTo(carried.id, "arrived");
    await addProof(carried.id, photo("image/png"));
    await api.getDelivery(carried.id);
    await api.call("listProofs", { path: { id: carried.id } });
    await api.cancelDelivery(carried.id);
    const webhook = (await registerWebhook()).body(201);
    await api.call("listWebhooks");
    await api.call("testWebhook", { path: { id: webhook.id } });
    await api.call("rotateWebhookSecret", { path: { id: webhook.id } });
    await api.call("deleteWebhook", { path: { id: webhook.id } });
    const restaurant = `traffic-${created.id}`;
    await api.registerStore(
      newStoreRegistration(point, (await companyPairingCode({ restaurant })).pairing_code),
    );
    await other.api.registerStore(
      newStoreRegistration(point, (await companyPairingCode({ restaurant })).pairing_code),
    );
    await api.sendInvalid("registerStore", "no code", { body: newStoreRegistration(point, undefined) });
    await api.sendInvalid("registerStore", "a code of nobody's", {
      body: newStoreRegistration(point, "not-a-code"),
    });
    const priced = await newStoreWithPrices(context);
    await api.createQuote(quoteRequest(priced, near(point)));
    await api.createDelivery(await order(storeAndDropoff(priced, near(point))));
    const suspended = await linkStore();
    await configureStore(suspended.id, { status: "suspended" });
    const elsewhere = await order({ store: { external_store_id: suspended.external_store_id } });
    await api.sendInvalid(
      "createDelivery",
      "a suspended store",
      { body: elsewhere },
      { key: newIdempotencyKey() },
    );
  },
};
