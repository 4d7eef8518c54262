import { matchesGlob } from "node:path";
import { allOperations } from "../../suites/core/contract/document.ts";
import { operationName } from "../../suites/core/contract/operation-names.ts";
import type { SuiteCheck } from "../../suites/core/grading/suite.ts";
import { nearest } from "../nearest.ts";
import { FLAGS } from "../settings/common.ts";
import { UsageError } from "../usage-error.ts";

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
function isAbout(pattern: string, { clauses }: Pick<SuiteCheck, "clauses">): boolean {
  const families = BY_NAME.get(normalizedName(pattern)) ?? [];
  return clauses.some((id) => families.includes(id.replace(/-\d+$/, "")));
}

export const TOPICS: readonly string[] = ["webhooks", ...allOperations.map(({ id }) => operationName(id))];

export const groupOf = ({ id }: SuiteCheck): string => id.split(".")[0] ?? id;

/**
 * True if the pattern is the check's id, group or severity, the id of a clause of the check, a glob that matches an id,
 * or an operation or topic of a clause of the check.
 */
const matches = (pattern: string, check: SuiteCheck): boolean =>
  pattern === groupOf(check) ||
  pattern === check.severity ||
  isAbout(pattern, check) ||
  [check.id, ...check.clauses].some((id) => id === pattern || matchesGlob(id, pattern));

/** An error message that names a pattern, and the flag or file that contains the pattern. */
const messageAbout = (place: string, value: string, what: string): string =>
  place.startsWith("--") ? `${place} ${value} ${what}` : `${place} ${what}: ${value}`;

/**
 * The checks that --only and --skip select.
 * @param skipPlace the flag or file that the patterns in `skip` come from
 * @throws UsageError for a pattern that matches no check
 */
export function select(
  checks: readonly SuiteCheck[],
  only: readonly string[],
  skip: readonly string[],
  skipPlace: string = FLAGS.skip,
): readonly SuiteCheck[] {
  for (const [place, patterns] of [
    ["--only", only],
    [skipPlace, skip],
  ] as const) {
    const unknown = patterns.find((pattern) => !checks.some((check) => matches(pattern, check)));
    if (unknown === undefined) continue;
    const meant = nearest(unknown, [
      ...checks.flatMap((check) => [groupOf(check), check.id]),
      ...checks.flatMap(({ clauses }) => clauses),
      ...TOPICS,
    ]);
    throw new UsageError(
      `${messageAbout(place, unknown || "(nothing)", "matches no check and no clause with a check")}${meant ? `; did you mean ${meant}?` : ""} (--list shows all)`,
    );
  }
  const remaining = checks.filter(
    (check) =>
      (only.length === 0 || only.some((pattern) => matches(pattern, check))) &&
      !skip.some((pattern) => matches(pattern, check)),
  );
  if (remaining.length > 0) return remaining;
  throw new UsageError(
    only.length === 0
      ? `${skipPlace} leaves no check to run`
      : `--only and ${skipPlace} together leave no check to run`,
  );
}
