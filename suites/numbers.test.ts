import { expect, test } from "vitest";
import { readClauseList } from "./core/contract/clause-list.ts";
import { mutantsCaughtBy } from "./core/mutation/catching.ts";
import { mutationMatrices } from "./mutation-matrices.ts";

/**
 * Every number of the specification, from its beginning to its end, with the clauses that contain it, the mutant whose
 * number is too small and the one whose number is too large, or why there can be none. The mutation gate shows that
 * each mutant is caught by the checks that name it.
 */
const TABLE = `
external_store_id: 80 characters | LIMIT-17 REG-13 | store-id-of-80-refused | external-store-id-of-81
external_ref: 40 characters | NEW-3 LIMIT-18 | reference-of-40-refused | reference-of-41-accepted
version starts at 1 | DLV-7 | version-from-0 | version-from-2
description of a subscription: 200 characters | HOOK-18 LIMIT-25 | webhook-description-of-200-refused | webhook-description-of-201-accepted
expires_in: 1800 | TOKEN-3 | expires-in-1799 | expires-in-1801
Idempotency-Key: 8 characters at least | IDEM-2 LIMIT-19 | idempotency-key-of-7 | idempotency-key-of-8-refused
Idempotency-Key: 128 characters at most | IDEM-3 LIMIT-20 | idempotency-key-of-128-refused | idempotency-key-of-129
customer.phone_extension: 20 digits | NEW-15 LIMIT-23 | extension-of-20-refused | extension-of-21-accepted
customer.phone_extension of a change: 20 digits | PATCH-19 LIMIT-23 | changed-extension-of-20-refused | changed-extension-of-21-accepted
customer.note: 500 characters | NEW-17 LIMIT-21 | note-of-500-refused | note-of-501-accepted
items: 200 | NEW-29 LIMIT-16 | items-200-refused | items-201-accepted
quantity: 3 decimal places | NEW-32 LIMIT-27 | quantity-of-3-decimals-refused | quantity-of-4-decimals-accepted
package_count: 1 at least | NEW-33 LIMIT-26 | packages-0-accepted | packages-1-refused
package_count: 20 at most | NEW-34 LIMIT-26 | packages-20-refused | packages-21-accepted
package_count: 1 by default | NEW-36 | package-count-0-by-default | package-count-2-by-default
scheduled_for: 7 days ahead | NEW-39 LIMIT-28 | schedule-of-6-days-and-22-hours-refused | schedule-of-8-days-and-an-hour-accepted
notes: 500 characters | NEW-43 LIMIT-22 | notes-of-500-refused | notes-of-501-accepted
notes of a change: 500 characters | PATCH-19 LIMIT-22 | changed-notes-of-500-refused | changed-notes-of-501-accepted
origin_channel: 20 characters | NEW-44 | none: OPEN-48: whether any value of 20 characters is in the vocabulary | channel-of-21-accepted
limit: 1 at least | LIST-10 | none: OPEN-135: a limit of 0 may be cut to 1 | limit-of-1-is-refused
limit: 200 at most | LIMIT-15 | limit-of-200-is-refused | limit-of-201-is-accepted
limit: 100 by default | LIST-11 LIST-12 | page-of-99-by-default | page-of-101-by-default
active addresses: 5 | HOOK-19 LIMIT-14 | fifth-webhook-refused | sixth-webhook-accepted
tracking of what is delivered: 2 hours | TRACK-10 TRACK-11 | tracking-of-delivered-ends-90-seconds-early | tracking-of-delivered-ends-90-seconds-late
tracking of what is cancelled: 2 hours | TRACK-12 TRACK-13 | tracking-of-cancelled-ends-90-seconds-early | tracking-of-cancelled-ends-90-seconds-late
a token's validity: 30 minutes | AUTH-1 AUTH-2 | token-ends-15-seconds-early | token-ends-130-seconds-late
between two positions: 30 seconds | LIMIT-33 LIMIT-42 | positions-every-26-seconds | position-once-in-10-minutes
age of webhook-timestamp: 300 seconds | EVENT-37 | webhook-timestamp-305-seconds-behind | webhook-timestamp-305-seconds-ahead
age that a receiver takes: 300 seconds | RECV-7 RECV-9 | accepts-timestamps-of-285-seconds | accepts-timestamps-of-315-seconds
time ahead that a receiver takes: 300 seconds | RECV-8 RECV-10 | accepts-timestamps-of-285-seconds | accepts-timestamps-of-315-seconds
an answer's time: 15 seconds | RETRY-5 RETRY-6 | gives-up-after-13-seconds | waits-17-seconds
attempts: 8 | RETRY-16 LIMIT-31 | seven-attempts | nine-attempts
attempt 1: immediately | RETRY-9 | none: nothing is sooner | first-attempt-waits-20-seconds
attempt 2: 5 seconds later | RETRY-10 | attempt-2-too-early | attempt-2-too-late
attempt 3: 5 minutes later | RETRY-11 | attempt-3-too-early | attempt-3-too-late
attempt 4: 30 minutes later | RETRY-12 | attempt-4-too-early | attempt-4-too-late
attempt 5: 2 hours later | RETRY-13 | attempt-5-too-early | attempt-5-too-late
attempt 6: 5 hours later | RETRY-14 | attempt-6-too-early | attempt-6-too-late
attempt 7: 10 hours later | RETRY-15 | attempt-7-too-early | attempt-7-too-late
attempt 8: 10 hours later | RETRY-16 | attempt-8-too-early | attempt-8-too-late
failures until an address is closed: 5 days | RETRY-22 RETRY-23 | closed-after-118-hours | closed-after-156-hours
a client's first wait: 1 second | CLIENT-22 | retries-once-at-once | none: a client may wait longer: exponential backoff with jitter is all that is said (OPEN-217)
a client's longest wait: 1 minute | CLIENT-23 | none: OPEN-217: a wait may be a random part of the backoff | uncapped-backoff
requests with a token: 1,200 a minute | LIMIT-1 LIMIT-2 | integrator-limit-of-1130 | integrator-limit-of-4200
requests without a token: 300 a minute | LIMIT-6 LIMIT-7 | ip-limit-of-280 | ip-limit-of-1050
requests for tokens: 30 a minute | LIMIT-9 LIMIT-10 | token-limit-of-28 | token-limit-of-105
requests for tracking: 60 a minute | LIMIT-12 LIMIT-13 | tracking-limit-of-55 | tracking-limit-of-210
photos of a delivery: 3 | LIMIT-29 | third-photo-refused | fourth-photo-accepted
a photo: 1.5 MB | LIMIT-30 | photos-of-1500000-bytes-refused | photos-of-1572865-bytes-accepted
`;

const sides = (...all: readonly string[]) => all.filter((side) => !side.startsWith("none: "));
const NUMBERS = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [number = "", clauses = "", less = "", more = ""] = line.split(" | ");
    return { number, clauses: clauses.split(" "), mutants: sides(less, more) };
  });

const checks = mutationMatrices.flatMap((matrix) => matrix.checks);
const mutants = Object.fromEntries(mutationMatrices.flatMap((matrix) => Object.entries(matrix.mutants)));
const known = new Set<string>(readClauseList().clauses.map(({ id }) => id));

test("each number has a mutant on either side, or a reason why it has none, and one at least", () => {
  const bare = NUMBERS.filter((one) => one.mutants.length === 0);
  expect(bare.map(({ number }) => number)).toEqual([]);
  const numbers = NUMBERS.map(({ number }) => number);
  expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([]);
});

test.for(NUMBERS)("$number", (one) => {
  expect(one.clauses.filter((id) => !known.has(id))).toEqual([]);
  const verifying = checks.filter(({ clauses }) => clauses.some((id) => one.clauses.includes(id)));
  const caught = new Set(verifying.flatMap((check) => mutantsCaughtBy(check, mutants)));
  expect(one.mutants.filter((id) => !caught.has(id))).toEqual([]);
});
