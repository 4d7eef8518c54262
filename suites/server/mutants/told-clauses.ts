import type { ClauseId } from "../../../openapi/generated/clauses.ts";
import type { MutantId } from "./index.ts";

/** To how many clauses a failure is laid at most where nothing else is said: to one that is told, and one that says it again. */
export const MOST_FAILED_CLAUSES = 2;

type FailedClauses = Readonly<Partial<Record<MutantId, readonly ClauseId[]>>>;

const ATTEMPTS_LATE_AND_EARLY: FailedClauses = {
  "attempt-2-too-early": ["RETRY-10"],
  "attempt-3-too-early": ["RETRY-11"],
  "attempt-4-too-early": ["RETRY-12"],
  "attempt-5-too-early": ["RETRY-13"],
  "attempt-6-too-early": ["RETRY-14"],
  "attempt-7-too-early": ["RETRY-15"],
  "attempt-8-too-early": ["RETRY-16"],
  "attempt-2-too-late": ["RETRY-10"],
  "attempt-3-too-late": ["RETRY-11"],
  "attempt-4-too-late": ["RETRY-12"],
  "attempt-5-too-late": ["RETRY-13"],
  "attempt-6-too-late": ["RETRY-14"],
  "attempt-7-too-late": ["RETRY-15"],
  "attempt-8-too-late": ["RETRY-16"],
};

/** The clauses that a mutant breaks, by the checks that stand for most of them and by those where it breaks several. */
export const FAILED_CLAUSES: Readonly<Record<string, FailedClauses>> = {
  "closing.five-days": {
    "failing-addresses-stay-open": ["RETRY-22"],
    "closed-after-118-hours": ["RETRY-23"],
    "success-is-not-noted": ["RETRY-24"],
    "reopened-address-stays-closed": ["RETRY-25"],
    "new-subscription-has-failed-before": ["HOOK-8"],
  },
  "models.life-with-a-courier": {
    "cancelled-delivery-is-assigned": ["STATE-49"],
    "change-drops-the-courier": ["STATE-13"],
    "arrival-keeps-the-version": ["DLV-9"],
  },
  "content-type.creation": {
    "createDelivery-done-before-415": ["GEN-6"],
    "createDelivery-takes-a-form": ["GEN-3"],
    "wrong-type-answers-400": ["GEN-2", "GEN-3", "GEN-4"],
  },
  "content-type.other-endpoints": {
    // What is cancelled or subscribed already is refused for that when it is sent as something else.
    "cancelDelivery-done-before-415": ["GEN-2", "GEN-3", "GEN-4"],
    "createWebhook-done-before-415": ["GEN-6"],
    "updateDelivery-done-before-415": ["GEN-6"],
    "updateDelivery-takes-what-has-no-type": ["GEN-4"],
    "wrong-type-answers-400": ["GEN-2", "GEN-3", "GEN-4"],
  },
  "content-type.token-endpoint": {
    "wrong-type-answers-400": ["GEN-2", "GEN-3", "GEN-4", "GEN-5"],
  },
  "creation.repeated-reference": {
    "reference-repeats-in-received": ["NEW-4", "ERR-18"],
    "repeat-names-no-delivery": ["NEW-5", "ERR-6"],
    "repeat-updates-the-first": ["NEW-6"],
  },
  "delivery-fields.nothing-happened": {
    "courier-is-empty-object": ["DLV-10"],
    "collected-type-is-the-payment-type": ["DLV-21"],
    "picked-up-at-from-the-start": ["DLV-48"],
    "failure-reason-from-the-start": ["DLV-60"],
  },
  "emission.changes": {
    "schedule-change-unreported": ["EVENT-29", "EMIT-5"],
    "ready-time-change-unreported": ["EVENT-27", "EMIT-5"],
    "note-change-unreported": ["EVENT-28", "EMIT-5"],
    "note-taken-away-unreported": ["EVENT-28", "EMIT-5"],
    "address-change-unreported": ["EVENT-26", "EMIT-5"],
  },
  "emission.opening-with-coordinates": {
    "opening-unreported": ["EMIT-1"],
    "search-unreported": ["EMIT-2", "EVENT-13"],
    "opening-reported-twice": ["EVENT-12"],
    "search-reported-twice": ["EVENT-45"],
  },
  "emission.test-delivery": {
    "test-delivery-queued": ["EMIT-4"],
    "test-delivery-offered": ["EMIT-4", "TESTD-4"],
    "test-delivery-opening-unreported": ["TESTD-2"],
    "test-delivery-cancellation-unreported": ["TESTD-3"],
  },
  "event-kinds.way-to-the-door": {
    "assignment-reported-as-an-offer": ["EVENT-16", "STATE-14", "EMIT-9"],
    "pick-up-reported-as-two-moves": ["EMIT-9"],
    "move-assigned-unreported": ["EVENT-16", "STATE-14", "EMIT-9"],
    "move-at_pickup-unreported": ["EVENT-17", "EMIT-9"],
    "move-picked_up-unreported": ["EVENT-18", "EMIT-9"],
    "move-en_route-unreported": ["EVENT-19", "EMIT-9"],
    "move-arrived-unreported": ["EVENT-20", "EMIT-9"],
    "move-delivered-unreported": ["EVENT-21", "EMIT-9"],
  },
  // One answer shows all three: that it is there, at this path, and for whom.
  "health.ok": {
    "health-needs-a-token": ["HEALTH-1", "AUTH-9", "VER-3"],
    "health-under-v1": ["HEALTH-1", "AUTH-9", "VER-3"],
    "health-ok-is-text": ["HEALTH-2"],
  },
  "isolation.anothers-store": {
    "foreign-store-takes-orders": ["ISO-5"],
    "getStore-tells-of-anothers": ["ISO-18"],
  },
  "isolation.changing-a-delivery": {
    "foreign-delivery-can-be-changed": ["ISO-2"],
    "cancelDelivery-tells-of-anothers": ["ISO-7"],
    "foreign-cancelled-delivery-is-final": ["ISO-3"],
    "foreign-delivery-cancelled-though-refused": ["ISO-8"],
  },
  "limits.identity": {
    "identity-limit-of-1130": ["LIMIT-1"],
    "identity-unlimited": ["LIMIT-2"],
    "reading-has-a-limit-of-its-own": ["LIMIT-2"],
    "requests-about-webhooks-are-not-counted": ["LIMIT-2"],
    "limit-counted-by-token": ["LIMIT-3"],
    "integrator-limit-without-retry-after": ["LIMIT-41"],
  },
  "retries.schedule": {
    ...ATTEMPTS_LATE_AND_EARLY,
    "third-attempt-left-out": ["RETRY-11"],
    "seven-attempts": ["RETRY-16"],
    "nine-attempts": ["LIMIT-31"],
  },
  "stores.first-registration": {
    "registration-answers-200": ["REG-1"],
    "pairing-code-works-twice": ["REG-8"],
    "store-list-omits-the-newest": ["REG-24"],
    "store-id-is-no-uuid": ["STORE-3"],
    "store-address-in-ascii": ["STORE-7"],
    "store-coordinates-in-hundredths": ["STORE-8"],
    "store-company-without-id": ["STORE-10"],
  },
  "stores.refused-registration": {
    "missing-pairing-code-is-a-wrong-one": ["REG-6"],
    "wrong-pairing-code-answers-422": ["REG-7"],
    "wrong-pairing-code-links-anyway": ["REG-11"],
    "external-store-id-optional": ["REG-12"],
    "external-store-id-of-81": ["REG-13"],
    "store-name-optional": ["REG-14"],
    "store-address-text-optional": ["REG-15"],
  },
  "stores.repeat": {
    "repeat-keeps-the-old-address": ["REG-4"],
    "repeat-is-not-listed": ["REG-4"],
    "repeat-makes-another-store": ["REG-5"],
    "repeat-resets-created-at": ["STORE-11"],
  },
  "subscriptions.creation": {
    "webhook-url-loses-its-path": ["HOOK-3"],
    "webhook-description-in-capitals": ["HOOK-4"],
    "webhook-kinds-are-not-asked": ["HOOK-5"],
    "webhook-fails-from-the-start": ["HOOK-7"],
    "webhook-secret-without-prefix": ["HOOK-10"],
    "webhook-creation-answers-200": ["HOOK-12"],
    "webhook-creation-without-secret": ["HOOK-13"],
  },
  "subscriptions.five-active": {
    "fifth-webhook-refused": ["LIMIT-14"],
    "sixth-webhook-taken": ["HOOK-19", "ERR-24"],
    "sixth-webhook-refused-but-kept": ["HOOK-20", "HOOK-21"],
    "deleted-webhooks-count": ["HOOK-20", "HOOK-21"],
  },
  // One answer shows all three: that it is there, at this path, and for whom.
  "tokens.issued": { "token-endpoint-under-v1": ["TOKEN-1", "AUTH-8", "VER-2"] },
  "tokens.wrong-credentials": {
    "any-secret-is-right": ["TOKEN-5"],
    "unknown-client-answers-404": ["TOKEN-6"],
    "token-refusal-as-in-oauth": ["TOKEN-7"],
  },
  "tracking.end": {
    "tracking-of-delivered-ends-90-seconds-early": ["TRACK-10"],
    "tracking-of-delivered-ends-90-seconds-late": ["TRACK-11", "ERR-25"],
    "tracking-of-cancelled-ends-90-seconds-early": ["TRACK-12"],
    "tracking-of-cancelled-ends-90-seconds-late": ["TRACK-13", "ERR-25"],
    "ended-tracking-answers-404": ["TRACK-11", "TRACK-13", "ERR-25"],
  },
};

/** What a check's failure by a mutant is laid to; undefined where it is enough that it's no more than a few. */
export const failedClausesOf = (
  mutant: string,
  { id }: { readonly id: string },
): readonly ClauseId[] | undefined =>
  Object.entries(FAILED_CLAUSES[id] ?? {}).find(([known]) => known === mutant)?.[1];
