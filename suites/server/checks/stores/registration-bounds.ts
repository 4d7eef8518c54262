import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import type { Api } from "../../session/http/api.ts";
import { newStoreId } from "../../session/stores/own-stores.ts";
import { near } from "../../support/orders/orders.ts";
import { expectQuote, quoteRequest } from "../../support/service-area.ts";
import { repeatRegistration } from "../../support/stores.ts";
import { type FieldTable, groupedCheck, type Subject } from "../bounds/checks.ts";

const MAX_STORE_ID_LENGTH = 80;

/**
 * All fields of a store's registration. Each invalid body repeats the shared store's registration with one wrong
 * field, because a refused first registration may use up its pairing code (OPEN-106). Which fields a repeated
 * registration may omit is unspecified (OPEN-104).
 */
export const registrationFields: FieldTable = {
  external_store_id: {
    rules: {
      required: { inCheckOf: clause["REG-12"] },
      "non-null": "in-grouped-check",
      type: "in-grouped-check",
      maxLength: { inCheckOf: clause["REG-13"] },
    },
  },
  pairing_code: { example: () => "none", rules: { type: { unspecified: "OPEN-106" } } },
  name: {
    rules: {
      required: { inCheckOf: clause["REG-14"] },
      "non-null": { unspecified: "OPEN-104" },
      type: "in-grouped-check",
    },
  },
  phone: { rules: { type: "in-grouped-check" } },
  address: {
    rules: {
      required: { unspecified: "OPEN-104" },
      "non-null": { unspecified: "OPEN-104" },
      type: "in-grouped-check",
    },
  },
  "address.text": {
    rules: {
      required: { inCheckOf: clause["REG-15"] },
      "non-null": { unspecified: "OPEN-104" },
      type: "in-grouped-check",
    },
  },
  "address.lat": { rules: { type: "in-grouped-check" } },
  "address.lng": { rules: { type: "in-grouped-check" } },
};

async function storeFields(api: Api, external_store_id: string) {
  const { id, name, phone, address_text, lat, lng } = (await api.getStore(external_store_id)).body(200);
  return { id, name, phone, address_text, lat, lng };
}

const registration: Subject<Schemas["StoreRegistration"]> = {
  operation: "registerStore",
  table: registrationFields,
  isolation: "own-integrator",
  sequential: true,
  async start({ api, store, point }) {
    const { external_store_id } = await store();
    const before = await storeFields(api, external_store_id);
    const validBody = {
      external_store_id,
      name: before.name,
      phone: before.phone ?? "+902125550100",
      address: { text: before.address_text, lat: before.lat ?? point.lat, lng: before.lng ?? point.lng },
    };
    return {
      body: validBody,
      async refuse(rule, body) {
        const response = await api.sendInvalid("registerStore", rule, { body });
        // Restores the shared store, because other checks would fail with the invalid values.
        const mayBeChanged = response.status < 400 || response.status >= 500;
        if (mayBeChanged) await api.registerStore(validBody);
        return response;
      },
      async expectUnchanged() {
        expectThat("the store after the refusals", await storeFields(api, external_store_id)).is(before);
      },
      accept: async (body) => (await api.registerStore(body)).body(200),
    };
  },
};

const types = groupedCheck(
  registration,
  {
    id: "registration-bounds.types",
    title: "a registration with a field of a wrong type is refused with 400, and changes nothing",
    clauses: [clause["REG-17"]],
    violates: "bounds without their own check",
  },
  (response) => response.expectError(400),
);

const longestId = check({
  id: "registration-bounds.external-store-id",
  title: "an external_store_id of 80 characters is accepted, and every operation finds the store by it",
  clauses: [clause["LIMIT-17"]],
  needs: ["pairing"],
  async run({ api, each, linkStore, order, point }) {
    const external_store_id = `${newStoreId()}-`.padEnd(MAX_STORE_ID_LENGTH, "0");
    let { id } = await linkStore({ external_store_id });
    const shown = (await api.getStore(external_store_id)).body(200);
    expectThat("external_store_id", shown.external_store_id).is(external_store_id);
    expectThat("the store's id", shown.id).is(id);
    const store = { external_store_id };
    const uses = {
      // Another check compares the id with that of the first registration.
      registerStore: async () => {
        id = (await api.registerStore(repeatRegistration(shown))).body(200).id;
        return id;
      },
      createDelivery: async () => (await api.createDelivery(await order({ store }))).body(201).store_id,
      createQuote: async () => {
        expectQuote(await api.createQuote(quoteRequest(store, near(point))));
        return id;
      },
      listDeliveries: async () => {
        const { items } = (await api.listDeliveries({ ...store, limit: 1 })).body(200);
        return items[0]?.store_id ?? id;
      },
    };
    await each(casesFrom("operations with the external_store_id", uses), async ([, use]) => {
      expectThat("the store's id", await use()).is(id);
    });
  },
});

export const registrationBoundsChecks: readonly Check[] = [types, longestId];
