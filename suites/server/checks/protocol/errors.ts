import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { newIdempotencyKey } from "../../session/api.ts";
import { expectOnlyDelivery } from "../../support/assertions.ts";
import { changeDelivery, openUnlocatedDelivery } from "../../support/deliveries.ts";
import { near } from "../../support/orders.ts";
import { type Check, check } from "../define.ts";

/** A fault in one member of an order, with the name by which the refusal has to call it. */
const FAULTS = [
  ["no external_ref", "external_ref", { external_ref: undefined }],
  ["a package_count of 21", "package_count", { package_count: 21 }],
  ["notes of 501 characters", "notes", { notes: "n".repeat(501) }],
] as const;

/** Every text and number in a value that isn't the member's name, alone or at the end of a path. */
function besides(name: string, value: unknown): readonly unknown[] {
  if (typeof value === "object" && value !== null) {
    return Object.values(value).flatMap((member) => besides(name, member));
  }
  const isPath = typeof value === "string" && /^[\w.$/[\]-]*$/.test(value) && value.endsWith(name);
  return isPath || value === null || value === "" || value === "body" || value === false ? [] : [value];
}

/** The same elsewhere: an operation, what is wrong with its body, and the field's name. */
const fieldElsewhere = check({
  id: "errors.validation-names-the-field-elsewhere",
  title:
    "a change or a subscription that is refused with DOGRULAMA has the rejected field in the details too",
  clauses: [clause["ERR-4"]],
  mutants: ["validation-without-details-elsewhere"],
  async run(context) {
    const path = { id: (await openUnlocatedDelivery(context)).id };
    // The twins first: what else they say is taken, so that the length is the one fault.
    await changeDelivery(context.api, path.id, { notes: "n".repeat(500) });
    (await context.registerWebhook({ description: "d".repeat(200) })).hasStatus(201);
    const subscription = { url: context.webhookUrl(), description: "d".repeat(201) };
    for (const [operation, name, input] of [
      ["updateDelivery", "notes", { path, body: { notes: "n".repeat(501) } }],
      ["createWebhook", "description", { body: subscription }],
    ] as const) {
      const refused = await context.api.violate(operation, `${name} is too long`, input);
      const { details } = refused.refused(400, "DOGRULAMA");
      expect(JSON.stringify(details) ?? "none", `details of ${operation}`).toContain(name);
    }
  },
});

const field = check({
  id: "errors.validation-names-the-field",
  title: "a refusal with DOGRULAMA names the rejected field in its details",
  clauses: [clause["ERR-4"]],
  mutants: ["validation-without-details", "validation-names-the-parent"],
  async run({ api, order }) {
    for (const [rule, name, fault] of FAULTS) {
      const body = await order();
      const wrong = { ...body, ...fault };
      const refused = await api.violate(
        "createDelivery",
        rule,
        { body: wrong },
        { key: newIdempotencyKey() },
      );
      const { details } = refused.refused(400, "DOGRULAMA");
      expect(JSON.stringify(details) ?? "none", `details for ${rule}`).toContain(name);
      await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
    }
  },
});

const reason = check({
  id: "errors.validation-gives-a-reason",
  title: "a refusal with DOGRULAMA gives a reason besides the field's name",
  clauses: [clause["ERR-5"]],
  mutants: ["validation-without-reason"],
  async run({ api, order }) {
    const body = await order();
    for (const [rule, name, fault] of FAULTS) {
      const wrong = { ...body, ...fault };
      const refused = await api.violate(
        "createDelivery",
        rule,
        { body: wrong },
        { key: newIdempotencyKey() },
      );
      const { details } = refused.refused(400, "DOGRULAMA");
      expect(besides(name, details), `what details say besides ${name}`).not.toEqual([]);
    }
    (await api.createDelivery(body)).body(201);
  },
});

const notJson = check({
  id: "errors.not-json",
  title: "a body that isn't JSON is refused with 400, and creates nothing",
  clauses: [clause["ERR-9"]],
  mutants: ["validation-answers-422"],
  async run({ api, order }) {
    const body = await order();
    const text = JSON.stringify(body);
    for (const [rule, rawBody] of [
      ["a body that is cut off", text.slice(0, -1)],
      ["a body with single quotes", text.replaceAll('"', "'")],
    ] as const) {
      (await api.violate("createDelivery", rule, { rawBody }, { key: newIdempotencyKey() })).hasStatus(400);
    }
    await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
  },
});

const takenReference = check({
  id: "errors.taken-reference",
  title:
    "EXTERNAL_REF_TEKRAR comes with 409, and its details hold the id of the delivery that has the number",
  clauses: [clause["ERR-6"], clause["ERR-18"]],
  mutants: ["taken-reference-without-id", "taken-reference-answers-422", "taken-reference-names-another"],
  async run({ api, order }) {
    const first = (await api.createDelivery(await order({ notes: "first" }))).body(201);
    const { external_ref } = first;
    const body = await order({ external_ref, notes: "second" });
    const again = await api.violate(
      "createDelivery",
      "an external_ref that is taken",
      { body },
      { key: newIdempotencyKey() },
    );
    expect(again.refused(409, "EXTERNAL_REF_TEKRAR").details, "details").toMatchObject({
      delivery_id: first.id,
    });
    expect((await api.getDelivery(first.id)).body(200).notes, "the first delivery's notes").toBe("first");
    (await api.createDelivery(await order({ notes: "second" }))).body(201);
  },
});

const absent = check({
  id: "errors.absent-records",
  title: "a delivery or store that isn't there answers 404 with BULUNAMADI or MAGAZA_YOK",
  clauses: [clause["ERR-16"]],
  mutants: ["absent-delivery-answers-410", "absent-store-answers-400", "absent-record-with-another-code"],
  async run({ api, order, store, point }) {
    const codes = ["BULUNAMADI", "MAGAZA_YOK"] as const;
    const rule = "a record that isn't there";
    const nobody = `nobody-${randomUUID()}`;
    const path = { id: randomUUID(), external_store_id: nobody };
    const body = await order();
    const elsewhere = { ...body, store: { external_store_id: nobody } };
    const dropoff = { ...point };
    const quote = { store: { external_store_id: nobody }, dropoff };
    for (const refused of [
      await api.violate("getDelivery", rule, { path }),
      await api.violate("updateDelivery", rule, { path, body: { notes: "new" } }),
      await api.violate("cancelDelivery", rule, { path, body: { reason: "yok" } }),
      await api.violate("getStore", rule, { path }),
      await api.violate("createDelivery", rule, { body: elsewhere }, { key: newIdempotencyKey() }),
      await api.violate("createQuote", rule, { body: quote }),
    ]) {
      refused.refused(404, ...codes);
    }
    const { external_store_id } = await store();
    const { id } = (await api.createDelivery(body)).body(201);
    (await api.getDelivery(id)).hasStatus(200);
    (await api.getStore(external_store_id)).hasStatus(200);
    (await api.createQuote({ store: { external_store_id }, dropoff })).succeeded();
    (await api.updateDelivery(id, { notes: "new" })).succeeded();
    (await api.cancelDelivery(id)).succeeded();
  },
});

/** Far beyond a radius of 1 km, near enough to any point to lie in the same country: about 7 km. */
const FAR_STEPS = 50;

const outsideArea = check({
  id: "errors.outside-area",
  title: "HIZMET_DISI comes with 422, and its details hold road_km and max_km",
  clauses: [clause["ERR-7"], clause["ERR-26"]],
  needs: ["pairing", "store-settings"],
  mutants: ["outside-area-without-details", "outside-area-answers-400"],
  async run({ api, order, linkStore, configureStore, point }) {
    const { id, external_store_id } = await linkStore();
    await configureStore(id, { radius_m: 1000, max_road_km: 2 });
    const body = await order({ store: { external_store_id } });
    const far = { ...body, dropoff: { ...body.dropoff, ...near(point, FAR_STEPS) } };
    const refused = await api.violate(
      "createDelivery",
      "a drop-off outside the area",
      { body: far },
      { key: newIdempotencyKey() },
    );
    const { details } = refused.refused(422, "HIZMET_DISI");
    expect(Object.keys(Object(details)), "the members of details").toEqual(
      expect.arrayContaining(["road_km", "max_km"]),
    );
    await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
  },
});

export const errorsChecks: readonly Check[] = [
  field,
  fieldElsewhere,
  reason,
  notJson,
  takenReference,
  absent,
  outsideArea,
];
