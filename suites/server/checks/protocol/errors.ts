import { clause } from "../../../../openapi/generated/clauses.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import { cases, casesFrom, someOf } from "../../../core/grading/expectations/each-element.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { type Check, check } from "../../check.ts";
import { type Api, newIdempotencyKey } from "../../session/http/api.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { drawnUuid } from "../../session/sample-data/drawn.ts";
import { expectOnlyDelivery } from "../../support/assertions.ts";
import { findByReference } from "../../support/lists/delivery-list.ts";
import { changeDelivery, createUnlocatedDelivery } from "../../support/orders/deliveries.ts";
import { near } from "../../support/orders/orders.ts";
import {
  CHANGING,
  OPERATIONS_WITH_A_BODY,
  requestsWithABody,
} from "../../support/protocol/requests-with-a-body.ts";
import { expectReason } from "../../support/protocol/validation-details.ts";

/** Faults of an order: a description, the name that the response must contain, and the invalid member. */
const FAULTS = [
  ["no external_ref", "external_ref", { external_ref: undefined }],
  ["a package_count of 21", "package_count", { package_count: 21 }],
  ["notes of 501 characters", "notes", { notes: "n".repeat(501) }],
  // A value that has a valid type and length, but isn't in the list of payment types.
  [
    "a payment.type that isn't listed",
    "type",
    { payment: { type: `YOK-${drawnUuid()}`, amount_due: 249.9 } },
  ],
] as const;

const fieldElsewhere = check({
  id: "errors.validation-names-the-field-elsewhere",
  title: "error.details of a change or subscription refused with DOGRULAMA contains the rejected field",
  clauses: [clause["ERR-4"]],
  async run(context) {
    const path = { id: (await createUnlocatedDelivery(context)).id };
    // Positive controls: values of the maximum length are accepted, so the length is the only fault of each
    // refused body.
    await changeDelivery(context.api, path.id, { notes: "n".repeat(500) });
    (await context.registerWebhook({ description: "d".repeat(200) })).body(201);
    const subscription = { url: context.webhookUrl(), description: "d".repeat(201) };
    const faults = [
      ["updateDelivery", "notes", { path, body: { notes: "n".repeat(501) } }],
      ["createWebhook", "description", { body: subscription }],
    ] as const;
    await context.each(
      cases("operations", faults, ([operation]) => operation),
      async ([operation, name, input]) => {
        const refused = await context.api.sendInvalid(operation, `${name} is too long`, input);
        const { details } = refused.expectError(400, "DOGRULAMA");
        expectThat(
          { field: "details", where: `of ${operation}` },
          JSON.stringify(details) ?? "none",
        ).includes(name);
      },
    );
  },
});

async function detailsOf(api: Api, rule: string, body: unknown): Promise<unknown> {
  const refused = await api.sendInvalid("createDelivery", rule, { body }, { key: newIdempotencyKey() });
  return refused.expectError(400, "DOGRULAMA").details;
}

const field = check({
  id: "errors.validation-names-the-field",
  title: "error.details of a DOGRULAMA error contains the rejected field",
  clauses: [clause["ERR-4"]],
  async run({ api, each, order }) {
    await each(
      cases("invalid orders", FAULTS, ([rule]) => rule),
      async ([rule, name, fault]) => {
        const body = await order();
        const details = await detailsOf(api, rule, { ...body, ...fault });
        expectThat(
          { field: "error.details", where: `for ${rule}` },
          JSON.stringify(details) ?? "none",
        ).includes(name);
        await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
      },
    );
  },
});

const reason = check({
  id: "errors.validation-gives-a-reason",
  title: "error.details of a DOGRULAMA error contains a reason in addition to the field",
  clauses: [clause["ERR-5"]],
  async run({ api, each, order }) {
    const body = await order();
    await each(
      cases("invalid orders", FAULTS, ([rule]) => rule),
      async ([rule, name, fault]) => {
        expectReason(await detailsOf(api, rule, { ...body, ...fault }), name);
      },
    );
    (await api.createDelivery(body)).body(201);
  },
});

const withoutLastCharacter = (body: object): string => JSON.stringify(body).slice(0, -1);

/** A JSON text with an additional brace, which a parser that stops after the first value ignores. */
const withExtraBrace = (body: object): string => `${JSON.stringify(body)}}`;

const notJson = check({
  id: "errors.not-json",
  title: "a body that isn't JSON is refused with 400, and nothing is created or changed",
  clauses: [clause["ERR-9"]],
  isolation: "own-integrator",
  async run(context) {
    const { api, recordCoverage, each, order } = context;
    const body = await order();
    await each(
      cases(
        "bodies that aren't JSON",
        [
          ["a truncated body", withoutLastCharacter(body)],
          ["a body followed by a brace", withExtraBrace(body)],
          ["two bodies, one after the other", JSON.stringify(body).repeat(2)],
          ["a body with single quotes", JSON.stringify(body).replaceAll('"', "'")],
        ] as const,
        ([rule]) => rule,
      ),
      async ([rule, rawBody]) => {
        recordCoverage("operations-with-a-body-and-a-token", ["createDelivery"]);
        (
          await api.sendInvalid("createDelivery", rule, { rawBody }, { key: newIdempotencyKey() })
        ).expectStatus(400);
      },
    );
    await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
    const { inputs, effects, expectAccepted } = await requestsWithABody(context);
    await each(someOf("operations-with-a-body-and-a-token", OPERATIONS_WITH_A_BODY), async (operation) => {
      const { path, body: validBody } = inputs[operation];
      const rules = {
        "a truncated body": withoutLastCharacter(validBody),
        "a body followed by a brace": withExtraBrace(validBody),
      };
      for (const [rule, rawBody] of Object.entries(rules))
        (await api.sendInvalid(operation, rule, { ...(path && { path }), rawBody })).expectStatus(400);
    });
    await each(
      cases("changes", CHANGING, (operation) => operation),
      (operation) => effects[operation](`after the refused ${operation}`),
    );
    await expectAccepted();
  },
});

/** JSON values on which a handler that expects an object may crash. */
const NON_OBJECTS = ["null", "[]", '"sipariş"', "7"];
/** Null is omitted, because it may mean an empty change. */
const NON_CHANGES = NON_OBJECTS.filter((json) => json !== "null");

const notAnObject = check({
  id: "errors.not-an-object",
  title: "a JSON body, or an entry of items, that isn't an object is refused with 400, and creates nothing",
  clauses: [clause["ERR-30"]],
  async run(context) {
    const { api, each, order } = context;
    const key = newIdempotencyKey();
    const operations = ["createDelivery", "registerStore", "createQuote", "createWebhook"] as const;
    const requests = NON_OBJECTS.flatMap((rawBody) =>
      operations.map((operation) => ({ operation, rawBody })),
    );
    await each(
      cases("requests", requests, ({ operation, rawBody }) => `${operation} with ${rawBody}`),
      async ({ operation, rawBody }) => {
        const rule = `a body that is ${rawBody}`;
        (await api.sendInvalid(operation, rule, { rawBody }, { key })).expectStatus(400);
      },
    );
    const path = { id: (await createUnlocatedDelivery(context)).id };
    await each(
      cases("changes", NON_CHANGES, (rawBody) => rawBody),
      async (rawBody) => {
        const rule = `a change that is ${rawBody}`;
        (await api.sendInvalid("updateDelivery", rule, { path, rawBody })).expectStatus(400);
      },
    );
    const body = await order();
    await each(
      cases("last items", NON_OBJECTS, (json) => json),
      async (json) => {
        const items: readonly unknown[] = [...(body.items ?? []), JSON.parse(json)];
        const rule = `an item that is ${json}`;
        const request = { rawBody: JSON.stringify({ ...body, items }) };
        const itemKey = newIdempotencyKey();
        (await api.sendInvalid("createDelivery", rule, request, { key: itemKey })).expectStatus(400);
      },
    );
    await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
  },
});

const takenReference = check({
  id: "errors.taken-reference",
  title:
    "EXTERNAL_REF_TEKRAR is returned with 409, and error.details contains the id of the existing delivery",
  clauses: [clause["ERR-6"], clause["ERR-18"]],
  async run({ api, attributeTo, order }) {
    const first = (await api.createDelivery(await order({ notes: "first" }))).body(201);
    // Positive control. Then the first delivery isn't the store's latest when the external_ref is repeated.
    const body = await order({ notes: "second" });
    (await api.createDelivery(body)).body(201);
    const again = await api.sendInvalid(
      "createDelivery",
      "an external_ref that exists",
      { body: { ...body, external_ref: first.external_ref } },
      { key: newIdempotencyKey() },
    );
    attributeTo(clause["ERR-18"]);
    const { details } = again.expectError(409, "EXTERNAL_REF_TEKRAR");
    attributeTo(clause["ERR-6"]);
    expectThat("details", details).hasFields({ delivery_id: first.id });
    attributeTo(clause["ERR-6"], clause["ERR-18"]);
    expectThat("the first delivery's notes", (await api.getDelivery(first.id)).body(200).notes).is("first");
  },
});

const absent = check({
  id: "errors.absent-records",
  title: "a request for an unknown delivery or store gets 404 with BULUNAMADI or MAGAZA_YOK",
  clauses: [clause["ERR-16"]],
  async run({ api, each, order, store, point }) {
    const codes = ["BULUNAMADI", "MAGAZA_YOK"] as const;
    const rule = "an unknown id";
    const unknownId = `nobody-${drawnUuid()}`;
    const path = { id: drawnUuid(), external_store_id: unknownId };
    const body = await order();
    const orderAtUnknownStore = { ...body, store: { external_store_id: unknownId } };
    const dropoff = { ...point };
    const quote = { store: { external_store_id: unknownId }, dropoff };
    const requests: Readonly<Record<string, () => Promise<ApiResponse<OperationId>>>> = {
      getDelivery: () => api.sendInvalid("getDelivery", rule, { path }),
      updateDelivery: () => api.sendInvalid("updateDelivery", rule, { path, body: { notes: "new" } }),
      cancelDelivery: () => api.sendInvalid("cancelDelivery", rule, { path, body: { reason: "yok" } }),
      getStore: () => api.sendInvalid("getStore", rule, { path }),
      createDelivery: () =>
        api.sendInvalid("createDelivery", rule, { body: orderAtUnknownStore }, { key: newIdempotencyKey() }),
      createQuote: () => api.sendInvalid("createQuote", rule, { body: quote }),
    };
    await each(casesFrom("operations", requests), async ([, send]) => {
      (await send()).expectError(404, ...codes);
    });
    const { external_store_id } = await store();
    const { id } = (await api.createDelivery(body)).body(201);
    (await api.getDelivery(id)).expectStatus(200);
    (await api.getStore(external_store_id)).expectStatus(200);
    (await api.createQuote({ store: { external_store_id }, dropoff })).expectSuccess();
    (await api.updateDelivery(id, { notes: "new" })).expectSuccess();
    (await api.cancelDelivery(id)).expectSuccess();
  },
});

/** A distance in steps of `near`: about 7 km, outside a radius of 1 km but in the same country. */
const FAR_STEPS = 50;

const outsideArea = check({
  id: "errors.outside-area",
  title: "HIZMET_DISI is returned with 422, and error.details contains road_km and max_km",
  clauses: [clause["ERR-7"], clause["ERR-26"]],
  needs: ["pairing", "store-settings"],
  async run({ api, attributeTo, order, linkStore, configureStore, point }) {
    const { id, external_store_id } = await linkStore();
    await configureStore(id, { radius_m: 1000, max_road_km: 2 });
    // Positive control: an equal order to a close drop-off is accepted.
    const close = await order({ store: { external_store_id } });
    (await api.createDelivery(close)).body(201);
    const far = await order({
      store: { external_store_id },
      dropoff: { ...close.dropoff, ...near(point, FAR_STEPS) },
    });
    const refused = await api.sendInvalid(
      "createDelivery",
      "a drop-off outside the area",
      { body: far },
      { key: newIdempotencyKey() },
    );
    attributeTo(clause["ERR-26"]);
    const { details } = refused.expectError(422, "HIZMET_DISI");
    attributeTo(clause["ERR-7"]);
    for (const name of ["road_km", "max_km"]) expectThat("details", details).hasField(name);
    attributeTo(clause["ERR-7"], clause["ERR-26"]);
    expectThat("the refused order's deliveries", await findByReference(api, far.external_ref)).isEmpty();
  },
});

export const errorsChecks: readonly Check[] = [
  field,
  fieldElsewhere,
  reason,
  notJson,
  notAnObject,
  takenReference,
  absent,
  outsideArea,
];
