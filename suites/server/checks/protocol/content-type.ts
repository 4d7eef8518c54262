import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import type { ElementOf } from "../../../core/contract/element-sets.ts";
import { newIdempotencyKey } from "../../session/api.ts";
import { newStoreRegistration } from "../../session/stores.ts";
import { expectOnlyDelivery } from "../../support/assertions.ts";
import { listSubscriptions } from "../../support/subscriptions.ts";
import { type Check, check } from "../define.ts";

/** Content types that a body in JSON isn't taken with; null declares none (General rules). */
const WRONG_TYPES = [
  ["a body declared as plain text", "text/plain"],
  ["a body declared as a form", "application/x-www-form-urlencoded"],
  ["a body without a Content-Type", null],
  ["a body declared as text/json", "text/json"],
] as const;

type WithBody = ElementOf<"operations-with-a-body">;

/** Operations with a body, besides the creation and the token endpoint. */
const OTHERS = ["registerStore", "createQuote", "updateDelivery", "cancelDelivery", "createWebhook"] as const;
const CHANGING = OTHERS.filter((operation) => operation !== "createQuote");

/** Servers that take one operation's body as what it isn't declared as. */
const takenAs = <Operation extends WithBody>(operation: Operation) =>
  [
    `${operation}-takes-plain-text`,
    `${operation}-takes-a-form`,
    `${operation}-takes-what-has-no-type`,
  ] as const;

const creation = check({
  id: "content-type.creation",
  title: "an order that is declared as text, as a form or as nothing answers 415, and creates nothing",
  clauses: [clause["GEN-2"], clause["GEN-3"], clause["GEN-4"], clause["GEN-6"]],
  mutants: [
    "any-json-is-read-as-json",
    "wrong-type-answers-400",
    "createDelivery-done-before-415",
    ...takenAs("createDelivery"),
  ],
  async run({ api, order, cover }) {
    cover("operations-with-a-body", ["createDelivery"]);
    cover("operations-with-a-body-that-change", ["createDelivery"]);
    for (const [rule, contentType] of WRONG_TYPES) {
      const body = await order();
      const refused = await api.violate(
        "createDelivery",
        rule,
        { body },
        { contentType, key: newIdempotencyKey() },
      );
      refused.hasStatus(415);
      // The twin: as JSON the same order is taken, and wasn't there yet.
      await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
    }
  },
});

const otherEndpoints = check({
  id: "content-type.other-endpoints",
  title: "stores, quotes, changes, cancellations and subscriptions keep to the content type too",
  clauses: [clause["GEN-2"], clause["GEN-3"], clause["GEN-4"], clause["GEN-6"]],
  mutants: [
    "wrong-type-answers-400",
    ...OTHERS.flatMap(takenAs),
    ...CHANGING.map((operation) => `${operation}-done-before-415` as const),
  ],
  alone: "identity",
  async run({ api, cover, order, store, point, registerWebhook, webhookUrl }) {
    cover("operations-with-a-body", OTHERS);
    cover("operations-with-a-body-that-change", CHANGING);
    const { external_store_id } = await store();
    const { name } = (await api.getStore(external_store_id)).body(200);
    const { id } = (await api.createDelivery(await order({ notes: "first" }))).body(201);
    const path = { id };
    const registration = newStoreRegistration(point, undefined, { external_store_id, name: "Tür Lokantası" });
    const quote = { store: { external_store_id }, dropoff: { ...point } };
    const reason = "Müşteri vazgeçti";
    const url = webhookUrl();
    for (const [rule, contentType] of WRONG_TYPES) {
      const refusals = [
        await api.violate("registerStore", rule, { body: registration }, { contentType }),
        await api.violate("createQuote", rule, { body: quote }, { contentType }),
        await api.violate("updateDelivery", rule, { path, body: { notes: "second" } }, { contentType }),
        await api.violate("cancelDelivery", rule, { path, body: { reason } }, { contentType }),
        await api.violate("createWebhook", rule, { body: { url } }, { contentType }),
      ];
      for (const refused of refusals) refused.hasStatus(415);
    }
    const delivery = (await api.getDelivery(id)).body(200);
    expect(delivery.notes, "the notes after a change that was answered 415").toBe("first");
    expect(delivery.cancelled_at ?? null, "cancelled_at after a 415").toBeNull();
    expect((await api.getStore(external_store_id)).body(200).name, "the store's name after a 415").toBe(name);
    const urls = (await listSubscriptions(api)).map((subscription) => subscription.url);
    expect(urls, "the subscribed addresses after a 415").not.toContain(url);
    (await api.registerStore(registration)).hasStatus(200);
    (await api.registerStore({ ...registration, name })).hasStatus(200);
    (await api.createQuote(quote)).succeeded();
    (await api.updateDelivery(id, { notes: "second" })).succeeded();
    (await api.cancelDelivery(id, reason)).succeeded();
    (await registerWebhook({ url })).hasStatus(201);
  },
});

const tokenEndpoint = check({
  id: "content-type.token-endpoint",
  title: "a token request that is declared as a form, as text or as nothing answers 415",
  clauses: [clause["GEN-2"], clause["GEN-3"], clause["GEN-4"], clause["GEN-5"]],
  mutants: ["wrong-type-answers-400", ...takenAs("obtainToken")],
  async run({ anonymous, cover, credentials, token }) {
    cover("operations-with-a-body", ["obtainToken"]);
    // The twin: as JSON this very request has been answered with a token, and tokens are scarce.
    await token();
    const body = { grant_type: "client_credentials", ...credentials };
    const [text, form, nothing] = WRONG_TYPES;
    for (const [rule, contentType] of [text, form, nothing]) {
      (await anonymous.violate("obtainToken", rule, { body }, { contentType })).hasStatus(415);
    }
  },
});

const charset = check({
  id: "content-type.charset",
  title: "application/json with a charset parameter is taken like application/json",
  clauses: [clause["GEN-7"]],
  mutants: ["charset-answers-415"],
  async run({ api, order }) {
    const contentType = "application/json; charset=utf-8";
    (await api.createDelivery(await order(), { contentType })).body(201);
  },
});

export const contentTypeChecks: readonly Check[] = [creation, otherEndpoints, tokenEndpoint, charset];
