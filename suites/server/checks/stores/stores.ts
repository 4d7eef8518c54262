import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import { elementsOf } from "../../../core/contract/element-sets.ts";
import { cases, casesFrom } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { isObject } from "../../../core/json.ts";
import type { Capabilities } from "../../capabilities.ts";
import { type Check, check } from "../../check.ts";
import { type Api, newIdempotencyKey } from "../../session/http/api.ts";
import { type Entry, storesOf } from "../../session/lists/list-entries.ts";
import { drawnUuid } from "../../session/sample-data/drawn.ts";
import { landlineNumber, streetAddress } from "../../session/sample-data/sample-data.ts";
import { type LinkedStore, newStoreRegistration } from "../../session/stores/stores.ts";
import { expectEveryField, expectFields } from "../../support/assertions.ts";
import { expectStraightLine } from "../../support/distance.ts";
import { idsOf, listDeliveries, listOnceShown } from "../../support/lists/delivery-list.ts";
import { lookAlikesOf } from "../../support/look-alikes.ts";
import { MARKUP } from "../../support/markup.ts";
import { ROUNDING_MS } from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import { expectQuote, quoteRequest } from "../../support/service-area.ts";
import {
  COORDINATE_DECIMALS,
  expectNoEarlier,
  expectSameInstant,
  instantIn,
  lastTenDigits,
  numberIn,
  PRECISE_DECIMALS,
} from "../../support/shown-values.ts";
import { neverIssued, type Registration, repeatRegistration, waitForEntry } from "../../support/stores.ts";
import { storesDistancesChecks } from "./stores-distances.ts";
import { storesReadingChecks } from "./stores-reading.ts";

const DAY_MS = 86_400_000;

const LONG_ADDRESS =
  "Kemal Paşa Mahallesi, Gençtürk Caddesi ile Kıztaşı Caddesi köşesi, Şehzadebaşı İş Merkezi, zemin kat, 14 numaralı dükkân, postanenin karşısı";

const uniqueText = (words: string) => `${words} ${drawnUuid().slice(0, 8)}`;

/** Registers a store, with a new pairing code if refusals have used up the code in `body` (OPEN-106). */
async function registerAfterRefusals(
  api: Api,
  body: Registration,
  { pairingCode, expectLinkedStore }: Pick<Capabilities["pairing"], "pairingCode" | "expectLinkedStore">,
): Promise<LinkedStore> {
  const response = await api.registerStore(body);
  const usedUp = response.status === 400 && response.expectError(400).code === "ESLEME_KODU_GECERSIZ";
  return expectLinkedStore(
    usedUp
      ? await api.registerStore({ ...body, pairing_code: (await pairingCode()).pairing_code })
      : response,
  );
}

const firstRegistration = check({
  id: "stores.first-registration",
  smokeTestOf: "registerStore",
  title:
    "a store is registered with a pairing code, has the values that were sent, and is listed, and the code works only once",
  clauses: [
    clause["REG-1"],
    clause["REG-8"],
    clause["REG-24"],
    clause["STORE-3"],
    clause["STORE-4"],
    clause["STORE-5"],
    clause["STORE-6"],
    clause["STORE-7"],
    clause["STORE-8"],
    clause["STORE-10"],
  ],
  needs: ["pairing"],
  async run({ api, attributeTo, pairingCode, expectLinkedStore, point }) {
    const { pairing_code } = await pairingCode();
    const sent = newStoreRegistration(point, pairing_code, {
      name: uniqueText(`Çiğköfte 🌯 ${MARKUP}`),
    });
    attributeTo(clause["REG-1"]);
    const response = await api.registerStore(sent);
    const store = expectLinkedStore(response);
    attributeTo(clause["STORE-3"]);
    expectThat("the store's id", store.id).isUuid();
    attributeTo(clause["STORE-4"]);
    expectThat("external_store_id", store.external_store_id).is(sent.external_store_id);
    attributeTo(clause["STORE-5"]);
    expectThat("name", store.name).is(sent.name);
    attributeTo(clause["STORE-6"]);
    expectThat("the phone number's last ten digits", lastTenDigits(store.phone)).is(
      lastTenDigits(sent.phone),
    );
    attributeTo(clause["STORE-7"]);
    expectThat("address_text", store.address_text).is(sent.address.text);
    attributeTo(clause["STORE-8"]);
    expectThat("lat", numberIn(store.lat, "lat")).isNear(point.lat, COORDINATE_DECIMALS);
    expectThat("lng", numberIn(store.lng, "lng")).isNear(point.lng, COORDINATE_DECIMALS);
    attributeTo(clause["STORE-10"]);
    expectThat("courier_company.id", store.courier_company?.id).isUuid();
    expectThat("courier_company.name", store.courier_company?.name).isText();
    attributeTo(clause["REG-24"]);
    const stores = storesOf(await api.call("listStores"));
    expectThat(
      "the listed stores",
      stores.map(({ id }) => id),
    ).includes(store.id);
    const listed = stores.find(({ id }) => id === store.id) ?? {};
    attributeTo(clause["STORE-4"]);
    expectThat({ field: "external_store_id", where: "of the listed store" }, listed.external_store_id).is(
      sent.external_store_id,
    );
    attributeTo(clause["STORE-5"]);
    expectThat({ field: "name", where: "of the listed store" }, listed.name).is(sent.name);
    attributeTo(clause["STORE-6"]);
    expectThat("the last ten digits of the listed store's phone", lastTenDigits(listed.phone)).is(
      lastTenDigits(sent.phone),
    );
    attributeTo(clause["STORE-7"]);
    expectThat({ field: "address_text", where: "of the listed store" }, listed.address_text).is(
      sent.address.text,
    );
    attributeTo(clause["REG-8"]);
    const second = newStoreRegistration(point, pairing_code);
    const refused = await api.sendInvalid("registerStore", "a code that the integrator has used", {
      body: second,
    });
    refused.expectError(400, "ESLEME_KODU_GECERSIZ");
    (await api.getStore(second.external_store_id)).expectError(404);
    // Asserted last, so that a wrong 2xx status doesn't hide another failure.
    attributeTo(clause["REG-1"]);
    response.expectStatus(201);
  },
});

const refusedRegistration = check({
  id: "stores.refused-registration",
  title:
    "a registration links no store if its pairing code, external_store_id, name or address is missing, or if its code or external_store_id is invalid",
  clauses: [
    clause["REG-6"],
    clause["REG-7"],
    clause["REG-11"],
    clause["REG-12"],
    clause["REG-13"],
    clause["REG-14"],
    clause["REG-15"],
  ],
  needs: ["pairing"],
  async run({ api, attributeTo, pairingCode, expectLinkedStore, point }) {
    const { pairing_code } = await pairingCode();
    const body = newStoreRegistration(point, undefined);
    const { external_store_id } = body;
    const refusal = (rule: string, sent: object) => api.sendInvalid("registerStore", rule, { body: sent });
    attributeTo(clause["REG-6"]);
    (await refusal("no pairing_code", body)).expectError(400, "ESLEME_KODU_GEREKLI");
    attributeTo(clause["REG-7"]);
    const unknown = { ...body, pairing_code: neverIssued(pairing_code) };
    (await refusal("a code that was never issued", unknown)).expectError(400, "ESLEME_KODU_GECERSIZ");
    attributeTo(clause["REG-11"]);
    (await api.getStore(external_store_id)).expectError(404);
    attributeTo(clause["REG-7"]);
    // A code of another length may be refused as invalid input (DOGRULAMA) or as a wrong code
    // (ESLEME_KODU_GECERSIZ), so the error code isn't tested.
    const firstHalf = { ...body, pairing_code: pairing_code.slice(0, pairing_code.length / 2) };
    (await refusal("a code's first half", firstHalf)).expectError(400);
    const longer = { ...body, pairing_code: pairing_code + pairing_code };
    (await refusal("a code with an additional suffix", longer)).expectError(400);
    const complete = { ...body, pairing_code };
    const tooLong = external_store_id.padEnd(81, "0");
    attributeTo(clause["REG-12"]);
    (await refusal("no external_store_id", { ...complete, external_store_id: undefined })).expectError(400);
    attributeTo(clause["REG-13"]);
    (await refusal("an id of 81 characters", { ...complete, external_store_id: tooLong })).expectError(400);
    attributeTo(clause["REG-14"]);
    (await refusal("no name", { ...complete, name: undefined })).expectError(400);
    attributeTo(clause["REG-15"]);
    (await refusal("no address.text", { ...complete, address: { ...point } })).expectError(400);
    attributeTo(clause["REG-11"]);
    (await api.getStore(external_store_id)).expectError(404);
    attributeTo(clause["REG-13"]);
    // The service may refuse a too long id in a path (400), or find no store (404).
    const tooLongPath = { path: { external_store_id: tooLong } };
    (await api.sendInvalid("getStore", "an external_store_id of 81 characters", tooLongPath)).expectError([
      400, 404,
    ]);
    // Positive control: a complete body whose id has one character less is accepted.
    const id80 = external_store_id.padEnd(80, "0");
    await registerAfterRefusals(
      api,
      { ...complete, external_store_id: id80 },
      { pairingCode, expectLinkedStore },
    );
  },
});

const onlyNameAndAddress = check({
  id: "stores.only-name-and-address",
  title:
    "a store can be registered without phone and coordinates, and isn't serviceable until a repeat adds coordinates",
  clauses: [clause["REG-18"], clause["REG-19"], clause["QUOTE-7"], clause["REG-4"]],
  needs: ["pairing"],
  async run({ api, attributeTo, now, order, pairingCode, expectLinkedStore, point }) {
    const { pairing_code } = await pairingCode();
    // Geocoders normally don't find this address, so the store gets no location.
    const body = newStoreRegistration(point, pairing_code, {
      external_store_id: `bare-${drawnUuid()}`,
      address: { text: "Adresi sonra bildirilecek" },
    });
    const { phone: _phone, ...bare } = body;
    attributeTo(clause["REG-18"], clause["REG-19"]);
    const store = await registerAfterRefusals(api, bare, { pairingCode, expectLinkedStore });
    attributeTo(clause["QUOTE-7"]);
    const quote = expectQuote(await api.createQuote(quoteRequest(store, point)));
    const located = (await api.getStore(store.external_store_id)).body(200).lat != null;
    if (!located)
      expectThat({ field: "serviceable", where: "for a store without a location" }, quote.serviceable).is(
        false,
      );
    // A target may have located the store by its name or address (OPEN-24), so both cases are judged.
    const reason = expectThat("reason", quote.reason);
    if (located) reason.isNot("MAGAZA_KONUMSUZ");
    else reason.is("MAGAZA_KONUMSUZ");
    const scheduled_for = isoInstant(now() + DAY_MS);
    const forTomorrow = expectQuote(
      await api.createQuote({ ...quoteRequest(store, point), scheduled_for }),
    ).reason;
    expectThat({ field: "reason", where: "for tomorrow" }, forTomorrow).is(quote.reason);
    attributeTo(clause["REG-19"]);
    // A service may accept or refuse orders for a store without coordinates (OPEN-131), but must not return a
    // 5xx.
    const { external_store_id } = store;
    const placed = await api.createDelivery(await order({ store: { external_store_id } }));
    expectThat("the status of an order for a store without coordinates", placed.status).isLessThan(500);
    attributeTo(clause["REG-4"]);
    const address = { text: body.address.text, ...point };
    (await api.registerStore(repeatRegistration(store, { address }))).body(200);
    const { reason: later } = expectQuote(await api.createQuote(quoteRequest(store, near(point))));
    expectThat({ field: "reason", where: "once the store has coordinates" }, later).isNot("MAGAZA_KONUMSUZ");
    const { distance_m } = (
      await api.createDelivery(
        await order({ store: { external_store_id }, dropoff: { text: streetAddress(), ...near(point, 2) } }),
      )
    ).body(201);
    expectStraightLine(distance_m, point, near(point, 2));
  },
});

const missingField = check({
  id: "stores.missing-field-code",
  title: "a registration without a name is refused with the code DOGRULAMA",
  clauses: [clause["REG-16"]],
  needs: ["pairing"],
  async run({ api, pairingCode, expectLinkedStore, point }) {
    const { pairing_code } = await pairingCode();
    const body = newStoreRegistration(point, pairing_code);
    const { name: _name, ...nameless } = body;
    (await api.sendInvalid("registerStore", "no name", { body: nameless })).expectError(400, "DOGRULAMA");
    await registerAfterRefusals(api, body, { pairingCode, expectLinkedStore });
  },
});

const repeat = check({
  id: "stores.repeat",
  title:
    "each repeated registration needs no code, returns 200, updates only the same store, and keeps its deliveries and their keys",
  clauses: [
    clause["REG-2"],
    clause["REG-3"],
    clause["REG-4"],
    clause["REG-5"],
    clause["REG-6"],
    clause["STORE-11"],
    clause["LIST-20"],
    clause["IDEM-5"],
    clause["NEW-4"],
  ],
  isolation: "own-integrator",
  async run({ api, attributeTo, each, order, point, store }) {
    const before = (await api.getStore((await store()).external_store_id)).body(200);
    const { external_store_id } = before;
    const [key, created] = [newIdempotencyKey(), await order()];
    const delivery = (await api.createDelivery(created, { key })).body(201);
    const ownDelivery = { external_ref: delivery.external_ref, external_store_id };
    attributeTo(clause["LIST-20"]);
    await listOnceShown(api, ownDelivery, [delivery]);
    const sent = repeatRegistration(before, {
      name: uniqueText("Iğdır Sofrası ve Ağrı Dağı Ev Yemekleri"),
      address: { text: uniqueText(LONG_ADDRESS), ...near(point, -1) },
    });
    attributeTo(clause["REG-2"], clause["REG-3"]);
    const response = await api.registerStore(sent);
    const updated = response.body(200);
    const read = (await api.getStore(before.external_store_id)).body(200);
    const listed = await waitForEntry(api, read.id, ({ name }) => name === sent.name);
    const shown = { "in the response": updated, "when it is read": read, "when it is listed": listed };
    await each(casesFrom("responses that contain the store", shown), ([, after]) => {
      attributeTo(clause["REG-5"]);
      expectThat("the store's id", after.id).is(before.id);
      const { courier_company: company } = { ...after };
      expectThat("courier_company.id", isObject(company) ? company.id : undefined).is(
        before.courier_company?.id,
      );
      attributeTo(clause["REG-4"]);
      expectThat("name", after.name).is(sent.name);
      expectThat("address_text", after.address_text).is(sent.address.text);
      expectThat("lat", numberIn(after.lat, "lat")).isNear(near(point, -1).lat, PRECISE_DECIMALS);
      expectThat("lng", numberIn(after.lng, "lng")).isNear(near(point, -1).lng, PRECISE_DECIMALS);
      attributeTo(clause["STORE-11"]);
      // expectFields ignores fractions of a second, which may differ between responses (OPEN-8).
      expectFields(after.created_at, before.created_at, "created_at");
      const earliest =
        instantIn(before.updated_at, { field: "updated_at", where: "before the repeated registration" }) -
        ROUNDING_MS;
      expectNoEarlier(after.updated_at, earliest, "updated_at");
    });
    // Two responses of one operation show the same fraction.
    expectSameInstant(read.created_at, before.created_at, "created_at, read again", { toleranceMs: 0 });
    attributeTo(clause["REG-4"]);
    await each(cases("later repeats", ["the second", "the third"]), async () => {
      const phone = landlineNumber();
      const address = { ...sent.address, text: uniqueText("Kıztaşı Caddesi") };
      const again = { ...sent, name: uniqueText("Iğdır Sofrası"), phone, address };
      (await api.registerStore(again)).body(200);
      const expectUpdated = (after: Entry) => {
        expectThat("name", after.name).is(again.name);
        expectThat("the phone number's last ten digits", lastTenDigits(after.phone)).is(lastTenDigits(phone));
        expectThat("address_text", after.address_text).is(address.text);
      };
      expectUpdated({ ...(await api.getStore(before.external_store_id)).body(200) });
      expectUpdated(await waitForEntry(api, read.id, ({ name }) => name === again.name));
    });
    attributeTo(clause["LIST-20"]);
    expectThat("the store's deliveries", idsOf(await listDeliveries(api, ownDelivery))).is([delivery.id]);
    attributeTo(clause["IDEM-5"]);
    (await api.createDelivery(created, { key })).expectStatus(200);
    attributeTo(clause["NEW-4"]);
    const duplicate = await order({ external_ref: created.external_ref });
    const rule = "an external_ref that the store had before it was registered again";
    const options = { key: newIdempotencyKey() };
    const refused = await api.sendInvalid("createDelivery", rule, { body: duplicate }, options);
    refused.expectError(409, "EXTERNAL_REF_TEKRAR");
    attributeTo(clause["REG-6"]);
    await each(lookAlikesOf(external_store_id), async ([, lookAlike]) => {
      const body = { ...sent, external_store_id: lookAlike };
      const rule = "an unlinked external_store_id without a pairing_code";
      (await api.sendInvalid("registerStore", rule, { body })).expectError(400, "ESLEME_KODU_GEREKLI");
    });
    attributeTo(clause["REG-2"]);
    response.expectStatus(200);
  },
});

const allFields = check({
  id: "stores.all-fields",
  title: "a store has every field of the specification's table",
  clauses: [clause["STORE-2"]],
  isolation: "own-integrator",
  async run({ api, recordCoverage, store }) {
    recordCoverage("fields-of-a-store", elementsOf("fields-of-a-store"));
    // Another number at each run, because the store may have one of an earlier run.
    const phone = landlineNumber();
    (await api.registerStore(repeatRegistration(await store(), { phone }))).body(200);
    const read = (await api.getStore((await store()).external_store_id)).body(200);
    expectEveryField(read, "Store", "the store");
  },
});

const phoneNumber = check({
  id: "stores.phone",
  title: "a store's phone number is the one that was sent, and its notation may differ",
  clauses: [clause["STORE-6"]],
  isolation: "own-integrator",
  async run({ api, store }) {
    // Another number at each run, because the store may have one of an earlier run.
    const phone = landlineNumber();
    (await api.registerStore(repeatRegistration(await store(), { phone }))).body(200);
    const read = (await api.getStore((await store()).external_store_id)).body(200);
    expectThat("the phone number's last ten digits", lastTenDigits(read.phone)).is(lastTenDigits(phone));
  },
});

export const storesChecks: readonly Check[] = [
  firstRegistration,
  refusedRegistration,
  onlyNameAndAddress,
  missingField,
  repeat,
  allFields,
  phoneNumber,
  ...storesReadingChecks,
  ...storesDistancesChecks,
];
