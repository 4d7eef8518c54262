import { clause } from "../../../../openapi/generated/clauses.ts";
import type { OperationId } from "../../../core/contract/document.ts";
import type { Rule } from "./bounds.ts";
import type { CheckPlacement } from "./checks.ts";

/** Why a parameter's bound has no check here: another clause's check tests the bound, or it is an open point. */
type UncheckedReason = Extract<CheckPlacement, { inCheckOf: unknown } | { unspecified: unknown }>;

/** All parameters of an operation by name, each with all its rules. A test ensures that none is missing. */
type ParameterTable = Readonly<
  Record<string, Partial<Readonly<Record<Rule, UncheckedReason | "in the path">>>>
>;

/** Every id is required, and may have any form (OPEN-21). */
const id = { required: "in the path", format: { unspecified: "OPEN-21" } } as const;

const time = { format: { inCheckOf: clause["LIST-23"] }, zone: { inCheckOf: clause["GEN-12"] } } as const;

export const parameterTables: Partial<Readonly<Record<OperationId, ParameterTable>>> = {
  createDelivery: {
    "Idempotency-Key": {
      required: { inCheckOf: clause["IDEM-1"] },
      minLength: { inCheckOf: clause["IDEM-2"] },
      maxLength: { inCheckOf: clause["IDEM-3"] },
    },
  },
  listDeliveries: {
    since: {},
    // Whether a limit out of bounds is refused or clamped is unspecified. Other checks send only limits within
    // bounds.
    limit: {
      type: { unspecified: "OPEN-135" },
      minimum: { inCheckOf: clause["LIST-10"] },
      maximum: { inCheckOf: clause["LIMIT-15"] },
    },
    status: {},
    from: time,
    created_from: time,
    created_to: time,
    external_ref: {},
    external_store_id: { maxLength: { unspecified: "OPEN-236" } },
  },
  getStore: { external_store_id: { required: "in the path", maxLength: { unspecified: "OPEN-236" } } },
  getDelivery: { id },
  updateDelivery: { id },
  cancelDelivery: { id },
  listProofs: { id },
  getProof: { id, proofId: id },
  deleteWebhook: { id },
  rotateWebhookSecret: { id },
  testWebhook: { id },
  getTracking: { key: { required: "in the path" } },
};
