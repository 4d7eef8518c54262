import { expect, test } from "vitest";
import type { ClauseId } from "../openapi/generated/clauses.ts";
import { readClauseList } from "./core/contract/clause-list.ts";
import { mutationMatrices } from "./mutation-matrices.ts";

/** One side of a number: the mutant that is on its wrong side, or why none can be. */
type Side = string | { readonly none: string };

/** A number of the specification. The mutation gate shows that each mutant is caught by the checks that name it. */
interface SpecifiedNumber {
  readonly number: string;
  /** The clauses that contain it; each mutant is caught by a check of one of them. */
  readonly clauses: readonly ClauseId[];
  /** Where the target's number is too small. */
  readonly less: Side;
  /** Where it is too large. */
  readonly more: Side;
}

/** Every number of the specification, from its beginning to its end. */
const NUMBERS: readonly SpecifiedNumber[] = [
  // Resources and their fields
  {
    number: "external_store_id: 80 characters",
    clauses: ["LIMIT-17", "REG-13"],
    less: "store-id-of-80-refused",
    more: "external-store-id-of-81",
  },
  {
    number: "external_ref: 40 characters",
    clauses: ["NEW-3", "LIMIT-18"],
    less: "reference-of-40-refused",
    more: "reference-of-41-accepted",
  },
  { number: "version starts at 1", clauses: ["DLV-7"], less: "version-from-0", more: "version-from-2" },
  {
    number: "description of a subscription: 200 characters",
    clauses: ["HOOK-18", "LIMIT-25"],
    less: "webhook-description-of-200-refused",
    more: "webhook-description-of-201-accepted",
  },
  // Endpoints
  { number: "expires_in: 1800", clauses: ["TOKEN-3"], less: "expires-in-1799", more: "expires-in-1801" },
  {
    number: "Idempotency-Key: 8 characters at least",
    clauses: ["IDEM-2", "LIMIT-19"],
    less: "idempotency-key-of-7",
    more: "idempotency-key-of-8-refused",
  },
  {
    number: "Idempotency-Key: 128 characters at most",
    clauses: ["IDEM-3", "LIMIT-20"],
    less: "idempotency-key-of-128-refused",
    more: "idempotency-key-of-129",
  },
  {
    number: "customer.phone_extension: 20 digits",
    clauses: ["NEW-15", "LIMIT-23"],
    less: "extension-of-20-refused",
    more: "extension-of-21-accepted",
  },
  {
    number: "customer.phone_extension of a change: 20 digits",
    clauses: ["PATCH-19", "LIMIT-23"],
    less: "changed-extension-of-20-refused",
    more: "changed-extension-of-21-accepted",
  },
  {
    number: "customer.note: 500 characters",
    clauses: ["NEW-17", "LIMIT-21"],
    less: "note-of-500-refused",
    more: "note-of-501-accepted",
  },
  {
    number: "items: 200",
    clauses: ["NEW-29", "LIMIT-16"],
    less: "items-200-refused",
    more: "items-201-accepted",
  },
  {
    number: "quantity: 3 decimal places",
    clauses: ["NEW-32", "LIMIT-27"],
    less: "quantity-of-3-decimals-refused",
    more: "quantity-of-4-decimals-accepted",
  },
  {
    number: "package_count: 1 at least",
    clauses: ["NEW-33", "LIMIT-26"],
    less: "packages-0-accepted",
    more: "packages-1-refused",
  },
  {
    number: "package_count: 20 at most",
    clauses: ["NEW-34", "LIMIT-26"],
    less: "packages-20-refused",
    more: "packages-21-accepted",
  },
  {
    number: "package_count: 1 by default",
    clauses: ["NEW-36"],
    less: "package-count-0-by-default",
    more: "package-count-2-by-default",
  },
  {
    number: "scheduled_for: 7 days ahead",
    clauses: ["NEW-39", "LIMIT-28"],
    less: "schedule-of-6-days-and-22-hours-refused",
    more: "schedule-of-8-days-and-an-hour-accepted",
  },
  {
    number: "notes: 500 characters",
    clauses: ["NEW-43", "LIMIT-22"],
    less: "notes-of-500-refused",
    more: "notes-of-501-accepted",
  },
  {
    number: "notes of a change: 500 characters",
    clauses: ["PATCH-19", "LIMIT-22"],
    less: "changed-notes-of-500-refused",
    more: "changed-notes-of-501-accepted",
  },
  {
    number: "origin_channel: 20 characters",
    clauses: ["NEW-44"],
    less: { none: "OPEN-48: whether any value of 20 characters is in the vocabulary" },
    more: "channel-of-21-accepted",
  },
  {
    number: "limit: 1 at least",
    clauses: ["LIST-10"],
    less: { none: "OPEN-135: a limit of 0 may be cut to 1" },
    more: "limit-of-1-is-refused",
  },
  {
    number: "limit: 200 at most",
    clauses: ["LIMIT-15"],
    less: "limit-of-200-is-refused",
    more: "limit-of-201-is-accepted",
  },
  {
    number: "limit: 100 by default",
    clauses: ["LIST-11", "LIST-12"],
    less: "page-of-99-by-default",
    more: "page-of-101-by-default",
  },
  {
    number: "active addresses: 5",
    clauses: ["HOOK-19", "LIMIT-14"],
    less: "fifth-webhook-refused",
    more: "sixth-webhook-accepted",
  },
  {
    number: "tracking of what is delivered: 2 hours",
    clauses: ["TRACK-10", "TRACK-11"],
    less: "tracking-of-delivered-ends-90-seconds-early",
    more: "tracking-of-delivered-ends-90-seconds-late",
  },
  {
    number: "tracking of what is cancelled: 2 hours",
    clauses: ["TRACK-12", "TRACK-13"],
    less: "tracking-of-cancelled-ends-90-seconds-early",
    more: "tracking-of-cancelled-ends-90-seconds-late",
  },
  // Authentication
  {
    number: "a token's validity: 30 minutes",
    clauses: ["AUTH-1", "AUTH-2"],
    less: "token-ends-15-seconds-early",
    more: "token-ends-130-seconds-late",
  },
  // Events
  {
    number: "between two positions: 30 seconds",
    clauses: ["LIMIT-33", "LIMIT-42"],
    less: "positions-every-28-seconds",
    more: "position-once-in-45-seconds",
  },
  {
    number: "age of webhook-timestamp: 300 seconds",
    clauses: ["EVENT-37"],
    less: "webhook-timestamp-305-seconds-behind",
    more: "webhook-timestamp-305-seconds-ahead",
  },
  {
    number: "age that a receiver takes: 300 seconds",
    clauses: ["RECV-7", "RECV-9"],
    less: "accepts-timestamps-of-285-seconds",
    more: "accepts-timestamps-of-315-seconds",
  },
  {
    number: "time ahead that a receiver takes: 300 seconds",
    clauses: ["RECV-8", "RECV-10"],
    less: "accepts-timestamps-of-285-seconds",
    more: "accepts-timestamps-of-315-seconds",
  },
  {
    number: "an answer's time: 15 seconds",
    clauses: ["RETRY-5", "RETRY-6"],
    less: "gives-up-after-13-seconds",
    more: "waits-17-seconds",
  },
  { number: "attempts: 8", clauses: ["RETRY-16", "LIMIT-31"], less: "seven-attempts", more: "nine-attempts" },
  {
    number: "attempt 1: immediately",
    clauses: ["RETRY-9"],
    less: { none: "nothing is sooner" },
    more: "first-attempt-waits-20-seconds",
  },
  {
    number: "attempt 2: 5 seconds later",
    clauses: ["RETRY-10"],
    less: "attempt-2-too-early",
    more: "attempt-2-too-late",
  },
  {
    number: "attempt 3: 5 minutes later",
    clauses: ["RETRY-11"],
    less: "attempt-3-too-early",
    more: "attempt-3-too-late",
  },
  {
    number: "attempt 4: 30 minutes later",
    clauses: ["RETRY-12"],
    less: "attempt-4-too-early",
    more: "attempt-4-too-late",
  },
  {
    number: "attempt 5: 2 hours later",
    clauses: ["RETRY-13"],
    less: "attempt-5-too-early",
    more: "attempt-5-too-late",
  },
  {
    number: "attempt 6: 5 hours later",
    clauses: ["RETRY-14"],
    less: "attempt-6-too-early",
    more: "attempt-6-too-late",
  },
  {
    number: "attempt 7: 10 hours later",
    clauses: ["RETRY-15"],
    less: "attempt-7-too-early",
    more: "attempt-7-too-late",
  },
  {
    number: "attempt 8: 10 hours later",
    clauses: ["RETRY-16"],
    less: "attempt-8-too-early",
    more: "attempt-8-too-late",
  },
  {
    number: "failures until an address is closed: 5 days",
    clauses: ["RETRY-22", "RETRY-23"],
    less: "closed-after-118-hours",
    more: "closed-after-156-hours",
  },
  // Errors
  {
    number: "a client's first wait: 1 second",
    clauses: ["CLIENT-22"],
    less: "retries-once-at-once",
    more: {
      none: "a client may wait longer: exponential backoff with jitter is all that is said (OPEN-217)",
    },
  },
  {
    number: "a client's longest wait: 1 minute",
    clauses: ["CLIENT-23"],
    less: { none: "OPEN-217: a wait may be a random part of the backoff" },
    more: "uncapped-backoff",
  },
  // Limits
  {
    number: "requests with a token: 1,200 a minute",
    clauses: ["LIMIT-1", "LIMIT-2"],
    less: "integrator-limit-of-1130",
    more: "integrator-limit-of-4200",
  },
  {
    number: "requests without a token: 300 a minute",
    clauses: ["LIMIT-6", "LIMIT-7"],
    less: "ip-limit-of-280",
    more: "ip-limit-of-1050",
  },
  {
    number: "requests for tokens: 30 a minute",
    clauses: ["LIMIT-9", "LIMIT-10"],
    less: "token-limit-of-28",
    more: "token-limit-of-105",
  },
  {
    number: "requests for tracking: 60 a minute",
    clauses: ["LIMIT-12", "LIMIT-13"],
    less: "tracking-limit-of-55",
    more: "tracking-limit-of-210",
  },
  {
    number: "photos of a delivery: 3",
    clauses: ["LIMIT-29"],
    less: "third-photo-refused",
    more: "fourth-photo-accepted",
  },
  {
    number: "a photo: 1.5 MB",
    clauses: ["LIMIT-30"],
    less: "photos-of-1500000-bytes-refused",
    more: "photos-of-1572865-bytes-accepted",
  },
];

const checks = mutationMatrices.flatMap((matrix) => matrix.checks);
const mutants = new Map(mutationMatrices.flatMap((matrix) => Object.entries(matrix.mutants)));
const known = new Set<string>(readClauseList().clauses.map(({ id }) => id));

const sidesOf = ({ less, more }: SpecifiedNumber) => [less, more].filter((side) => typeof side === "string");

test("each number has a mutant on either side, or a reason why it has none, and one at least", () => {
  const bare = NUMBERS.filter((one) => sidesOf(one).length === 0);
  expect(bare.map(({ number }) => number)).toEqual([]);
  const numbers = NUMBERS.map(({ number }) => number);
  expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([]);
});

test.for(NUMBERS)("$number", (one) => {
  expect(one.clauses.filter((id) => !known.has(id))).toEqual([]);
  const verifying = checks.filter(({ clauses }) =>
    clauses.some((id) => one.clauses.some((own) => own === id)),
  );
  const caught = new Set(verifying.flatMap((check) => check.mutants));
  expect(sidesOf(one).filter((id) => !mutants.has(id) || !caught.has(id))).toEqual([]);
});
