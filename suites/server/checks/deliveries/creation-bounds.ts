import * as fc from "fast-check";
import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { expectThat } from "../../../core/grading/expectations/expect.ts";
import { textMember } from "../../../core/json.ts";
import { type Check, check } from "../../check.ts";
import { newIdempotencyKey } from "../../session/http/api.ts";
import { newReference } from "../../session/sample-data/sample-data.ts";
import { expectOnlyDelivery } from "../../support/assertions.ts";
import { orders } from "../../support/orders/generated-orders.ts";
import { withoutCoordinates } from "../../support/orders/orders.ts";
import { expectReason } from "../../support/protocol/validation-details.ts";
import { boundChecks, groupedBounds, groupedCheck, illegalBody, type Subject } from "../bounds/checks.ts";
import { creationFields } from "./creation-bounds-fields.ts";

const HOUR_MS = 3_600_000;

/**
 * Refused and accepted requests have the same external_ref, so `expectOnlyDelivery` finds deliveries that
 * refused requests created.
 */
const creation: Subject<Schemas["NewDelivery"]> = {
  operation: "createDelivery",
  table: creationFields,
  async start({ api, now, order }) {
    const send = (rule: string, body: object) =>
      api.sendInvalid("createDelivery", rule, { body }, { key: newIdempotencyKey() });
    const body = await order();
    const scheduled_for = isoInstant(now() + 24 * HOUR_MS);
    return {
      body,
      unusualBody: { ...withoutCoordinates(body), scheduled_for, require_pin: true },
      async refuse(rule, body) {
        const response = await send(rule, body);
        // Another invalid request was accepted, and its delivery has the reference.
        return textMember(response.json, "error", "code") === "EXTERNAL_REF_TEKRAR"
          ? send(rule, { ...body, external_ref: newReference() })
          : response;
      },
      // `accept` finds deliveries that refused requests created.
      expectUnchanged: async () => {},
      async accept(body, note) {
        const { id } = (await api.createDelivery(body)).body(201, note);
        const shown = (await api.getDelivery(id)).body(200);
        await expectOnlyDelivery(api, shown);
        return shown;
      },
    };
  },
};

const everyField = groupedCheck(
  creation,
  {
    id: "creation-bounds.every-field",
    title:
      "a body with any field of a wrong type, out of bounds or missing is refused with 400 DOGRULAMA and details that contain the field and a reason, also without coordinates",
    clauses: [clause["ERR-8"], clause["ERR-4"], clause["ERR-5"]],
    violates: "all bounds",
  },
  (response, { field }, { attributeTo }) => {
    attributeTo(clause["ERR-8"]);
    const { details } = response.expectError(400, "DOGRULAMA");
    // Except for the last part, the notation of the path is unspecified (OPEN-214).
    const key = field.path.findLast((part) => typeof part === "string");
    attributeTo(clause["ERR-4"]);
    expectThat(
      { field: "error.details", where: `for an invalid ${field.name}` },
      JSON.stringify(details ?? null),
    ).includes(key);
    attributeTo(clause["ERR-5"]);
    expectReason(details, String(key));
  },
);

const anyViolation = check({
  id: "creation-bounds.any-violation",
  title: "any order that violates a single bound is refused with DOGRULAMA, and creates nothing",
  clauses: [clause["NEW-51"]],
  async run({ api, order, point, now, property }) {
    const { store, payment } = await order();
    const orderContext = { externalStoreId: store.external_store_id, paymentType: payment.type, point };
    await property(
      fc.record({
        drawn: orders(orderContext, now()),
        bound: fc.constantFrom(...groupedBounds(creation, "all bounds")),
      }),
      async ({ drawn, bound }) => {
        const body = { ...drawn, external_ref: newReference() };
        const invalidBody = illegalBody(creation, bound, body, now());
        const key = newIdempotencyKey();
        const refused = await api.sendInvalid(
          "createDelivery",
          bound.field.name,
          { body: invalidBody },
          { key },
        );
        refused.expectError(400, "DOGRULAMA");
        await expectOnlyDelivery(api, (await api.createDelivery(body)).body(201));
      },
      {
        runs: 12,
        concurrency: 12,
        describe: ({ drawn, bound }) =>
          `${JSON.stringify(drawn)}, with ${bound.field.name} ${bound.illegal?.words}`,
      },
    );
  },
});

const scheduleRefusal = check({
  id: "creation-bounds.schedule-refusal",
  title: "a scheduled_for too far ahead is refused with 400 DOGRULAMA",
  clauses: [clause["NEW-40"]],
  async run({ api, order, now }) {
    const body = await order({ scheduled_for: isoInstant(now() + 8 * 24 * HOUR_MS) });
    const key = newIdempotencyKey();
    const refused = await api.sendInvalid("createDelivery", "8 days ahead", { body }, { key });
    refused.expectError(400, "DOGRULAMA");
  },
});

export const creationBoundsChecks: readonly Check[] = [
  ...boundChecks(creation),
  everyField,
  anyViolation,
  scheduleRefusal,
];
