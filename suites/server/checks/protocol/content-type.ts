import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { newIdempotencyKey } from "../../session/api.ts";
import { newStoreRegistration } from "../../session/stores.ts";
import { expectOnlyDelivery } from "../../support/assertions.ts";
import { type Check, check } from "../define.ts";

/** Content types that a body in JSON isn't taken with; null declares none (General rules). */
const WRONG_TYPES = [
  ["a body declared as plain text", "text/plain"],
  ["a body declared as a form", "application/x-www-form-urlencoded"],
  ["a body without a Content-Type", null],
  ["a body declared as text/json", "text/json"],
] as const;

const creation = check({
  id: "content-type.creation",
  title: "an order that is declared as text, as a form or as nothing answers 415, and creates nothing",
  clauses: [clause["GEN-2"], clause["GEN-3"], clause["GEN-4"], clause["GEN-6"]],
  mutants: [
    "plain-text-is-read-as-json",
    "any-json-is-read-as-json",
    "forms-are-read-as-json",
    "no-type-is-read-as-json",
    "wrong-type-answers-400",
    "wrong-type-is-refused-too-late",
  ],
  async run({ api, order }) {
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
  title: "stores, quotes, changes and cancellations keep to the content type too",
  clauses: [clause["GEN-2"], clause["GEN-4"], clause["GEN-6"]],
  mutants: ["cancel-takes-any-type", "wrong-type-answers-400"],
  async run({ api, order, store, point }) {
    const { external_store_id } = await store();
    const { id } = (await api.createDelivery(await order({ notes: "first" }))).body(201);
    const path = { id };
    const registration = newStoreRegistration(point, undefined, { external_store_id });
    const quote = { store: { external_store_id }, dropoff: { ...point } };
    const reason = "Müşteri vazgeçti";
    for (const contentType of ["text/plain", null]) {
      const rule = contentType ? "a body declared as plain text" : "a body without a Content-Type";
      const refusals = [
        await api.violate("registerStore", rule, { body: registration }, { contentType }),
        await api.violate("createQuote", rule, { body: quote }, { contentType }),
        await api.violate("updateDelivery", rule, { path, body: { notes: "second" } }, { contentType }),
        await api.violate("cancelDelivery", rule, { path, body: { reason } }, { contentType }),
      ];
      for (const refused of refusals) refused.hasStatus(415);
    }
    const delivery = (await api.getDelivery(id)).body(200);
    expect(delivery.notes, "the notes after a change that was answered 415").toBe("first");
    expect(delivery.cancelled_at ?? null, "cancelled_at after a 415").toBeNull();
    (await api.registerStore(registration)).hasStatus(200);
    (await api.createQuote(quote)).succeeded();
    (await api.updateDelivery(id, { notes: "second" })).succeeded();
    (await api.cancelDelivery(id, reason)).succeeded();
  },
});

const tokenEndpoint = check({
  id: "content-type.token-endpoint",
  title: "a token request that is declared as a form or as text answers 415",
  clauses: [clause["GEN-5"]],
  mutants: ["token-request-may-be-a-form", "wrong-type-answers-400"],
  async run({ anonymous, credentials, token }) {
    // The twin: as JSON this very request has been answered with a token, and tokens are scarce.
    await token();
    const body = { grant_type: "client_credentials", ...credentials };
    const [text, form] = WRONG_TYPES;
    for (const [rule, contentType] of [text, form]) {
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
