import { clause } from "../../../../openapi/generated/clauses.ts";
import type { Schemas } from "../../../core/contract/document.ts";
import type { Check } from "../../check.ts";
import { cancelDelivery, createDelivery, expectDeliveryUnchanged } from "../../support/orders/deliveries.ts";
import { type FieldTable, groupedCheck, type Subject } from "../bounds/checks.ts";

/**
 * All fields of a cancellation. Whether a reason is required, and how long it may be, is unspecified
 * (OPEN-157).
 */
export const cancellationFields: FieldTable = {
  reason: { rules: { type: "in-grouped-check" } },
};

const cancellation: Subject<Schemas["Cancellation"]> = {
  operation: "cancelDelivery",
  table: cancellationFields,
  async start(context) {
    const { api } = context;
    const before = await createDelivery(context);
    const { id } = before;
    return {
      body: { reason: "Müşteri vazgeçti" },
      refuse: (rule, body) => api.sendInvalid("cancelDelivery", rule, { path: { id }, body }),
      expectUnchanged: () => expectDeliveryUnchanged(api, before, "the refused cancellation"),
      accept: ({ reason }) => cancelDelivery(api, id, reason),
    };
  },
};

const types = groupedCheck(
  cancellation,
  {
    id: "cancellation-bounds.types",
    title: "a cancellation whose reason isn't a string is refused with 400, and the delivery isn't cancelled",
    clauses: [clause["CANCEL-7"]],
    violates: "bounds without their own check",
  },
  (response) => response.expectError(400),
);

export const cancellationBoundsChecks: readonly Check[] = [types];
