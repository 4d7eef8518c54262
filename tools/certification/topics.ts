import { allOperations } from "../../suites/core/contract/document.ts";
import { operationName } from "../../suites/core/contract/operation-names.ts";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";

/** Prefixes of clauses about the registration, signing and delivery of webhooks. */
const WEBHOOK_FAMILIES = ["HOOK", "EVENT", "SIGN", "RETRY", "EMIT", "RECV"];

/** The prefixes of clauses about an operation, such as TOKEN in TOKEN-3. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  webhooks: WEBHOOK_FAMILIES,
  "POST /oauth/token": ["TOKEN", "AUTH"],
  "POST /v1/stores": ["REG", "STORE"],
  "GET /v1/stores": ["STORE"],
  "GET /v1/stores/{external_store_id}": ["STORE"],
  "POST /v1/quotes": ["QUOTE"],
  "GET /v1/delivery-areas": ["AREA"],
  "POST /v1/deliveries": ["NEW", "IDEM", "TESTD", "CREDIT"],
  "GET /v1/deliveries": ["LIST"],
  "GET /v1/deliveries/{id}": ["DLV", "STATE"],
  "PATCH /v1/deliveries/{id}": ["PATCH"],
  "POST /v1/deliveries/{id}/cancel": ["CANCEL"],
  "GET /v1/deliveries/{id}/proofs": ["PROOF"],
  "GET /v1/deliveries/{id}/proofs/{proofId}": ["PROOF"],
  "GET /v1/payment-types": ["PAY"],
  "POST /v1/webhooks": ["HOOK"],
  "GET /v1/webhooks": ["HOOK"],
  "DELETE /v1/webhooks/{id}": ["HOOK"],
  "POST /v1/webhooks/{id}/rotate": ["HOOK", "SIGN"],
  "POST /v1/webhooks/{id}/test": ["HOOK"],
  "GET /v1/public/tracking/{key}": ["TRACK"],
  "GET /healthz": ["HEALTH"],
};

const normalizedName = (operation: string): string =>
  operation
    .trim()
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\{[^}]*\}|:\w+/g, "{}")
    .toLowerCase();

const BY_NAME = new Map(Object.entries(FAMILIES).map(([name, families]) => [normalizedName(name), families]));

/** True if a pattern is an operation, or webhooks, and the check verifies a clause about it. */
export function isAbout(pattern: string, { clauses }: Pick<SuiteCheck, "clauses">): boolean {
  const families = BY_NAME.get(normalizedName(pattern)) ?? [];
  return clauses.some((id) => families.includes(id.replace(/-\d+$/, "")));
}

export const TOPICS: readonly string[] = ["webhooks", ...allOperations.map(({ id }) => operationName(id))];
