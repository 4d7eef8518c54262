import { clause } from "../../../../openapi/generated/clauses.ts";
import { isoInstant } from "../../../core/clock.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import { type Check, check } from "../../check.ts";
import type { ApiResponse } from "../../session/http/api-response.ts";
import { expectFields } from "../../support/assertions.ts";
import {
  changeDelivery,
  createDelivery,
  createUnlocatedDelivery,
  expectDeliveryUnchanged,
  readDelivery,
} from "../../support/orders/deliveries.ts";
import { boundChecks, type FieldTable, groupedCheck, type Subject } from "../bounds/checks.ts";

const HOUR_MS = 3_600_000;

/** All fields of a PATCH, with the check of each bound. */
export const changeFields: FieldTable = {
  dropoff: {
    example: () => ({ text: "Deneme Sokak 2, Fatih, İstanbul" }),
    rules: { type: "in-grouped-check" },
  },
  // Whether a partial address replaces only the parts in the request is unspecified (OPEN-152).
  "dropoff.text": {
    example: () => "Deneme Sokak 2, Fatih, İstanbul",
    rules: { type: "in-grouped-check" },
  },
  "dropoff.directions": { example: () => "3. kat", rules: { type: { unspecified: "OPEN-152" } } },
  "dropoff.neighborhood": { example: () => "Hobyar", rules: { type: { unspecified: "OPEN-152" } } },
  "dropoff.district": { example: () => "Fatih", rules: { type: { unspecified: "OPEN-152" } } },
  "dropoff.city": { example: () => "İstanbul", rules: { type: { unspecified: "OPEN-152" } } },
  "dropoff.lat": { example: () => 41, rules: { type: { unspecified: "OPEN-88" } } },
  "dropoff.lng": { example: () => 29, rules: { type: { unspecified: "OPEN-88" } } },
  ready_at: {
    example: (now) => isoInstant(now + HOUR_MS / 2),
    rules: {
      null: { inCheckOf: clause["PATCH-8"] },
      type: "in-grouped-check",
      format: "in-grouped-check",
      zone: {
        id: "change-bounds.ready-at-zone",
        clauses: [clause["GEN-10"]],
        unchanged: clause["GEN-13"],
        refusal: "4xx",
      },
    },
  },
  // A server may treat any delivery as quoted, and refuse every change of the schedule (OPEN-70).
  scheduled_for: {
    example: (now) => isoInstant(now + 3 * HOUR_MS),
    rules: {
      null: { inCheckOf: clause["PATCH-10"] },
      type: { unspecified: "OPEN-70" },
      zone: { unspecified: "OPEN-70" },
      format: { unspecified: "OPEN-70" },
      ahead: { unspecified: "OPEN-70" },
    },
  },
  notes: {
    example: () => "Dikkatli olun",
    rules: {
      null: { inCheckOf: clause["PATCH-13"] },
      type: "in-grouped-check",
      maxLength: {
        id: "change-bounds.notes-maxlength",
        clauses: [clause["PATCH-19"]],
        accepted: clause["PATCH-12"],
      },
    },
  },
  customer: { example: () => ({ name: "Fatma Demir" }), rules: { type: "in-grouped-check" } },
  "customer.name": { example: () => "Fatma Demir", rules: { type: "in-grouped-check" } },
  "customer.phone": { example: () => "+905321234567", rules: { type: "in-grouped-check" } },
  "customer.phone_extension": {
    example: () => "4021",
    rules: {
      null: { inCheckOf: clause["PATCH-17"] },
      type: "in-grouped-check",
      pattern: {
        id: "change-bounds.customer-phone-extension-pattern",
        clauses: [clause["PATCH-19"]],
      },
      maxLength: {
        id: "change-bounds.customer-phone-extension-maxlength",
        clauses: [clause["PATCH-19"]],
        accepted: clause["PATCH-16"],
      },
    },
  },
};

/**
 * Each test changes its own delivery. The delivery has no coordinates, so that no quote and no courier affects
 * the result.
 */
const change: Subject<Schemas["DeliveryChange"]> = {
  operation: "updateDelivery",
  table: changeFields,
  sequential: true,
  async start(context) {
    const { api } = context;
    const customer = { name: "Ayşe Yılmaz", phone: "+905321234567", phone_extension: "77" };
    const { id } = await createUnlocatedDelivery(context, { customer, notes: "as created" });
    const before = await readDelivery(api, id);
    return {
      body: {},
      positiveControl: { notes: "as changed" },
      refuse: (rule, body) => api.sendInvalid("updateDelivery", rule, { path: { id }, body }),
      expectUnchanged: () => expectDeliveryUnchanged(api, before, "the rejected request"),
      async accept(body, note) {
        (await api.updateDelivery(id, body)).expectSuccess(note);
        return readDelivery(api, id);
      },
    };
  },
};

const otherFields = groupedCheck(
  change,
  {
    id: "change-bounds.other-fields",
    title: "a PATCH with a field of a wrong type is refused with 400 DOGRULAMA, and changes nothing",
    clauses: [clause["ERR-8"]],
    violates: "bounds without their own check",
  },
  (response) => response.expectError(400, "DOGRULAMA"),
);

/** The specified bounds of a PATCH, each with the first refused and the last accepted value. */
const BOUNDS = [
  ["notes of 501 characters", { notes: "n".repeat(501) }, { notes: "n".repeat(500) }],
  [
    "an extension of 21 digits",
    { customer: { phone_extension: "4".repeat(21) } },
    { customer: { phone_extension: "4".repeat(20) } },
  ],
] as const;

const withACourier = check({
  id: "change-bounds.with-a-courier",
  title:
    "notes of 501 characters and an extension of 21 digits are refused without effect, also after a courier is assigned",
  clauses: [clause["PATCH-25"]],
  needs: ["courier"],
  async run(context) {
    const { api } = context;
    const before = await createDelivery(context, { notes: "as created" });
    const { id } = before;
    const violateBounds = async (
      judge: (response: ApiResponse<"updateDelivery">) => unknown,
      state: string,
    ) => {
      for (const [rule, body] of BOUNDS) {
        judge(await api.sendInvalid("updateDelivery", `${rule}, ${state}`, { path: { id }, body }));
        await expectDeliveryUnchanged(api, before, `a PATCH with ${rule}, ${state}`);
      }
    };
    const expectDogrulama = (response: ApiResponse<"updateDelivery">) =>
      response.expectError(400, "DOGRULAMA");
    await violateBounds(expectDogrulama, "during the search for a courier");
    await context.performCourierActionsUpTo(id, "assigned");
    await violateBounds(expectDogrulama, "on the courier's way to the restaurant");
    await context.performCourierAction(id, "at_pickup");
    await violateBounds(expectDogrulama, "with the courier at the restaurant");
    // Positive control: a delivery that can certainly be changed accepts values within the bounds.
    const control = await createDelivery(context);
    await context.performCourierActionsUpTo(control.id, "assigned");
    for (const [, , legal] of BOUNDS)
      expectFields(await changeDelivery(api, control.id, legal), legal, "the delivery");
  },
});

export const changeBoundsChecks: readonly Check[] = [...boundChecks(change), otherFields, withACourier];
