import { describe, expect, test } from "vitest";
import type { Outcome } from "../../core/grading/outcome.ts";
import { checks } from "../checks/index.ts";
import { mutantOf } from "../mutants/index.ts";
import { alterDelivery, alterPage, alterRefusal } from "../mutants/operators/answers.ts";
import { runMutant } from "../mutants/run-mutant.ts";
import { OMITTED } from "../support/lists/listed-deliveries.ts";
import { OLD_TIMESTAMP } from "../support/webhooks/attempt-times.ts";

async function outcomesOn(mutant: string, ...ids: readonly string[]): Promise<readonly Outcome[]> {
  const chosen = checks.filter(({ id }) => ids.includes(id));
  expect(chosen).toHaveLength(ids.length);
  return [...(await runMutant(mutantOf(mutant), chosen)).values()];
}

/** The reported failure of a mutant in the check that catches it, which must point to the fix. */
const messagesByMutant: readonly (readonly [mutant: string, check: string, message: RegExp])[] = [
  [
    "closed-credential-still-works",
    "authentication.closed-credential",
    /^\w+: expected status 401, got 20\d \(request was invalid on purpose: a closed credential's token\)$/,
  ],
  [
    "token-handed-out-again-as-new",
    "authentication.lifetime",
    /^listPaymentTypes: expected status 200, got 401 SURESI_DOLDU: the token was returned 179\d seconds ago with expires_in 1800, and also 10 minutes before that$/,
  ],
  [
    "token-ends-130-seconds-late",
    "authentication.lifetime",
    /^\w+: expected status 401, got 20\d \(request was invalid on purpose: an expired token, issued 192\d seconds ago with expires_in 1800, and last used 13\d seconds ago\)$/,
  ],
  [
    "newer-event-of-the-delivery-drops-retries",
    "retries.courier-events",
    /^expected attempt 2 of delivery\.assigned of \S+ to arrive 5 seconds after attempt 1, got .*: it had not come [\d.]+ seconds after attempt 1; the delivery's events that failed were delivery\.assigned, .*, in this order; sent again: (\S+, )*delivery\.delivered; not sent again: delivery\.assigned.*$/,
  ],
  [
    "attempts-are-counted-for-all-endpoints",
    "retries.every-kind-of-failure",
    /^expected attempts of delivery\.created at endpoint 4 to be at least 8, got \d: the 3 endpoints where it fails got \d, \d, \d attempts, \d+ altogether; an event that only this endpoint gets was sent 8 times in the same time$/,
  ],
  [
    "offered-cancelled-without-reason",
    "courier.while-offered",
    /^expected cancel_reason after a cancellation with a reason to be text that isn't blank, got null/,
  ],
  [
    "idempotency-key-cut-short",
    "idempotency.different-keys",
    /^createDelivery: expected status 201, got 409 IDEMPOTENCY_CAKISMA: its Idempotency-Key of 128 characters differs only in the last character from the key of an earlier order$/,
  ],
  [
    "returning-can-be-changed",
    "courier.changes-during-a-return",
    /^updateDelivery: expected status 409 KURYE_ALDI, got 200: the delivery was QUEUED before the courier actions .*, returning \(request was invalid on purpose: a change of notes while the package is being returned\)$/,
  ],
  [
    "new-token-ends-older-ones",
    "authentication.older-token",
    /^listPaymentTypes: expected status 200, got 401 \w+: the second of three tokens, of which none is 30 minutes old$/,
  ],
  [
    "rotation-resets-the-kinds",
    "subscriptions.rotation",
    /^event_types after the rotation, which keeps them: missing 'delivery\.cancelled'$/,
  ],
  [
    "earlier-schedule-keeps-the-old-search-time",
    "scheduled.search-follows-an-earlier-schedule",
    /^expected delivery\.queued of \S+, scheduled for \S+Z, which a PATCH moved to this earlier time, to arrive within /,
  ],
  [
    "only-the-first-status-counts",
    "list-filters.several-statuses",
    /^expected deliveries with status \w+( or \w+)+ that aren't listed to be empty, got \[ '[-\da-f]{36}' \]$/,
  ],
  [
    "retry-keeps-the-first-timestamp",
    "retries.each-is-genuine",
    /^expected webhook-timestamp of a retry to be .*, got \d+: attempt 1 has the same timestamp, [\d.]+ \w+ old$/,
  ],
  [
    "failing-since-moves-with-each-failure",
    "closing.failing-since",
    /^expected failing_since after the eighth failed attempt to be '\d{4}-\d\d-\d\dT[\d:.]+Z', got '\d{4}-.*Z': the second attempt/,
  ],
  [
    "failing-since-is-the-registration",
    "closing.failing-since",
    /^expected failing_since to be from the first failed attempt, \d{4}-.*Z, to the last, \d{4}-.*Z, got '\d{4}-.*Z'$/,
  ],
  [
    "update-event-has-the-previous-delivery",
    "emission.changes",
    /^delivery\.updated arrived after a change of scheduled_for and doesn't show it: .*data\.scheduled_for/,
  ],
  [
    "note-change-unreported",
    "emission.changes",
    /^no delivery\.updated with a version over \d+ arrived after a change of notes: the last has version \d+$/,
  ],
  [
    "ready-time-removal-unreported",
    "emission.changes",
    /^no delivery\.updated with a version over \d+ arrived after a removal of ready_at: the last has version \d+$/,
  ],
  [
    "only-the-first-endpoint-gets-events",
    "envelope.subscribed-kinds",
    /^expected delivery\.created of \S+ at endpoint \d to arrive within 15 s, got nothing: it arrived at (another endpoint|\d other endpoints) of the integrator$/,
  ],
  [
    "test-event-only-for-the-default-kinds",
    "emission.test-event",
    /^expected webhook\.test of a subscription to delivery\.cancelled at endpoint \d to arrive within 15 s, got nothing$/,
  ],
  [
    "deletion-cancels-the-events-of-all-endpoints",
    "subscriptions.deletion-ends-second-attempts",
    /^expected attempt 2 of delivery\.created of \S+, to an endpoint that remains when another is deleted, at endpoint 2 to arrive/,
  ],
  [
    "cancellation-needs-an-active-store",
    "cancellation.while-suspended",
    /^cancelDelivery: expected status 2xx, got 409 MAGAZA_PASIF: its store was suspended after its creation$/,
  ],
  [
    "changed-notes-counted-in-bytes",
    "change-bounds.notes-maxlength",
    /^updateDelivery: expected status 2xx, got 400 DOGRULAMA .*: sent with notes of 500 characters$/,
  ],
  [
    "store-is-forgotten-after-the-first-page",
    "list-filters.store-across-pages",
    /^expected deliveries of the second store in the list for the first to be empty, got \[ .* \]: on page 2, 3 of 3$/,
  ],
  [
    "assigned-delivery-keeps-its-fee",
    "service-area.fee-of-an-assigned-delivery",
    /^expected fee of a delivery with status ASSIGNED, after a PATCH of dropoff to a place farther away to be more than [\d.]+, got [\d.]+: it is still that of the previous address$/,
  ],
  [
    "reference-of-a-cancelled-delivery-finds-nothing",
    "list-filters.pairs",
    /^expected the deliveries that the list shows for an external_ref not to be empty: '\S+', of 38 characters$/,
  ],
  [
    "reference-found-by-its-beginning",
    "list-filters.external-ref",
    /^the deliveries with external_ref \S+: unexpected '[-\da-f]{36}': [-\da-f]{36} has the external_ref \S+-2$/,
  ],
  [
    "tracking-shows-the-couriers-phone",
    "tracking.privacy",
    /^expected members with a phone number in tracking data when the delivery is \w+ to be empty, got \[ 'courier\.phone' \]$/,
  ],
  [
    "collected-type-stays-null",
    "courier.collected-type",
    /^expected payment\.collected_type returned by GET after the delivery to be '\S+', got null$/,
  ],
  [
    "patched-phone-stays-national",
    "changes.customer-phone",
    /^expected customer\.phone sent as 0\d+ to be the number in international format, got '0\d+'$/,
  ],
  [
    "tracking-shows-the-name-when-assigned",
    "tracking.privacy",
    /^expected tracking data when the delivery is assigned not to include '\S+', got \{ .*: the customer's name$/,
  ],
  [
    "note-cut-at-255",
    "creation-bounds.customer-note-maxlength",
    /^customer\.note: cut after 255 of 500 characters$/,
  ],
  [
    "endpoint-closed-by-410-is-listed-as-active",
    "closing.gone",
    /^expected status of the subscription .*, whose endpoint returned 410 to delivery\.created not to be 'ACTIVE'$/,
  ],
  [
    "offset-sign-ignored-for-minutes",
    "times.zones",
    /^expected ready_at to be '\S+Z', got '\S+Z': sent as \S+-09:30$/,
  ],
  [
    "distance-from-the-stores-first-location",
    "stores.measured-after-a-move",
    /^expected distance_m, the 649 m from the restaurant at \S+ to the drop-off at \S+ to be at least \d+, got 557: this fits the restaurant's earlier location [\d.]{1,9},[\d.]{1,9}$/,
  ],
  [
    "patch-stores-fields-before-validating-the-address",
    "changes.all-or-nothing",
    /^expected notes of the delivery after a refused PATCH with an address that isn't a string .* to be '.*', got 'Arka kapı' \(1 more field differs\)$/,
  ],
  [
    "version-stays-on-cancel",
    "envelope.values-equal-get",
    /^expected \w+ of the data of delivery\.cancelled to be .*, got .*: GET returned version \d+ too: one of them is wrong, or the version should have increased between them$/,
  ],
  [
    "updated-event-without-new-distance-and-fee",
    "envelope.values-equal-get",
    /^expected fee of the data of delivery\.updated to be an object, got null: GET returned version \d+ too: /,
  ],
  [
    "updated-event-with-the-distance-before-the-change",
    "envelope.values-equal-get",
    /^expected amount of fee of the data of delivery\.updated to be .*, got .*: the event has the fee, distance_m, road_km from before the change$/,
  ],
  [
    "subscription-lacks-id",
    "subscriptions.all-fields",
    /^expected id in the response to createWebhook to be text that isn't blank, got undefined/,
  ],
  [
    "quote-from-the-stores-first-location",
    "quotes.after-a-move",
    /^expected distance_m of a quote after the store moved to be 100\d, got 200\d: the delivery .* has the expected value, which fits the 1000 m from the restaurant at /,
  ],
  [
    "quote-fee-in-whole-liras",
    "quotes.same-fee",
    /^expected amount of fee of a quote to be .*; the price was set to [\d.]+ \+ [\d.]+ a kilometre before the quote$/,
  ],
  [
    "tracking-window-counts-from-creation",
    "tracking.end",
    /^getTracking: expected status 200, got 410 TAKIP_KAPANDI: a completed delivery, 119 minutes after its end, 219 after its creation$/,
  ],
  [
    "client-errors-are-final",
    "retries.second-attempts",
    /: .*this was the first event at the second endpoint; attempt 2 has arrived of the first event at the first endpoint \(answered 500\)$/,
  ],
  [
    "status-410-closes-every-endpoint",
    "closing.gone-makes-room",
    /^expected status of an endpoint that has returned only 200, after another endpoint of the integrator returned 410 to be 'ACTIVE', got 'CLOSED'$/,
  ],
];

// Each has its own server, and mostly waits for missing events.
describe.concurrent("the message of a failure points to the fix", () => {
  test.for(messagesByMutant)("%s, by %s", async ([mutant, check, message]) => {
    const [outcome] = await outcomesOn(mutant, check);
    expect(outcome).toMatchObject({ status: "failed", message: expect.stringMatching(message) });
    expect(`${outcome?.message}${outcome?.expected}${outcome?.actual}`).not.toMatch(/\b1[5-9]\d{11}\b/);
  });
});

test.concurrent("every check reports a retry with an earlier timestamp as such, not as missing", async () => {
  const outcomes = await outcomesOn(
    "retry-keeps-the-first-timestamp",
    "retries.schedule",
    "retries.each-is-genuine",
    "endpoints.server-errors",
    "closing.gone-later",
    "closing.gone-with-others-pending",
  );
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: "failed", fault: OLD_TIMESTAMP });
  expect(outcomes.filter(({ message = "" }) => message.includes("got nothing"))).toEqual([]);
});

test.concurrent.for([
  ["offered-cannot-be-cancelled", "credit.cancelled-after-an-offer"],
  ["offered-cannot-be-cancelled", "event-kinds.offered"],
  ["missing-response-is-final", "retries.each-is-genuine"],
] as const)("what %s prevents is not verified by %s", async ([mutant, check]) => {
  const [outcome] = await outcomesOn(mutant, check);
  expect(outcome).toMatchObject({
    status: "not_verified",
    message: expect.stringContaining("so it is unknown"),
  });
});

test.concurrent("a missing attempt is reported with the time that the suite waited for it", async () => {
  const [outcome] = await outcomesOn("missing-response-is-final", "retries.late-silence");
  expect(outcome?.message).toMatch(
    /to arrive 30 minutes after attempt 3, got .*: it had not come [\d.]+ days after attempt 3$/,
  );
});

test.concurrent("a change that leaves updated_at as it was, and so isn't listed, is named", async () => {
  const [outcome] = await outcomesOn("en-route-keeps-list-position", "paging.moved-after-the-cursor");
  expect(outcome?.message).toMatch(
    /^1 of \d deliveries .* not listed: those with the courier action en_route \(which didn't change updated_at\)/,
  );
});

test.concurrent("all checks report deliveries missing from pages as the same fault", async () => {
  const outcomes = await outcomesOn(
    "cursor-skips-one-delivery",
    "list-filters.across-pages",
    "list-filters.store-across-pages",
    "models.paging",
  );
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: "failed", fault: OMITTED });
    expect(outcome.message).toMatch(
      / its updated_at(, .*, is ([\d.]+ \w+ after|the same as) that of the previous delivery| is .*)/,
    );
  }
});

test.concurrent("deliveries missing from all pages are reported, without a cursor", async () => {
  const emptyPages = alterPage(({ items }) => ({ items: items.length > 3 ? items : [] }));
  const chosen = checks.filter(({ id }) => id === "paging.changed-after-the-cursor");
  const [outcome] = (await runMutant({ fault: "for this test", mutate: emptyPages }, chosen)).values();
  expect(outcome).toMatchObject({ status: "failed", fault: OMITTED });
  expect(outcome?.message).toMatch(
    /^3 of 3 deliveries expected before the cursor not listed: .* its updated_at .*; reading ended at page \d \(0 entries, limit 3, has_more false\)$/,
  );
});

test.concurrent("a quote that fits the distance between the coordinates shows that the delivery is wrong", async () => {
  const shifted = alterDelivery(({ distance_m }) => ({ distance_m: (distance_m ?? 0) + 1000 }));
  const chosen = checks.filter(({ id }) => id === "quotes.after-a-move");
  const [outcome] = (await runMutant({ fault: "for this test", mutate: shifted }, chosen)).values();
  expect(outcome?.message).toMatch(
    /^expected distance_m of the delivery created immediately after a quote for the same place to be 100\d, got 200\d: the quote has the expected value, which fits the 1000 m from the restaurant at \S+ to the drop-off at \S+$/,
  );
});

test.concurrent("a limit below five endpoints is reported with its code and the number of endpoints", async () => {
  const [outcome] = await outcomesOn("fifth-webhook-refused", "subscriptions.five-active");
  expect(outcome?.message).toBe(
    "createWebhook: expected status 201, got 409 ABONELIK_SINIRI: this run had registered 4 for the integrator and deleted 0; of 5 allowed, 4 exist (closed endpoints and other integrators' endpoints must not count)",
  );
});

test.concurrent("a check of several clauses reports which failed, which passed and which it didn't reach", async () => {
  const found = async (mutant: string) => (await outcomesOn(mutant, "changes.notes"))[0]?.clause_findings;
  expect(await found("notes-not-cleared-by-null")).toEqual({
    failed: ["PATCH-1", "PATCH-13"],
    held: ["PATCH-12"],
    not_reached: ["DLV-94"],
  });
  expect(await found("patch-is-not-stored")).toEqual({
    failed: ["PATCH-1", "PATCH-12"],
    held: [],
    not_reached: ["PATCH-13", "DLV-94"],
  });
});

test.concurrent("the failure of a check of several cases lists failed and passed cases", async () => {
  const casesByMutant = [
    [
      "302-counts-as-success",
      "endpoints.redirects",
      /^1 of 7 redirect statuses: 302; passed: 300, 301, 303, 304, 307, 308$/,
    ],
    [
      "503-counts-as-success",
      "endpoints.server-errors",
      /^1 of 7 server error statuses: 503; passed: 500, 501, 502, 504, 505, 511$/,
    ],
    [
      "createQuote-accepts-a-form",
      "content-type.other-endpoints",
      /^1 of \d+ requests: createQuote with a body declared as a form; passed: /,
    ],
    [
      "old-secret-also-signs-after-rotation",
      "subscriptions.rotation-takes-over",
      /^2 of 2 rotations: the first, the second$/,
    ],
  ] as const;
  for (const [mutant, check, at] of casesByMutant) {
    const [outcome] = await outcomesOn(mutant, check);
    expect(outcome).toMatchObject({ status: "failed", at: expect.stringMatching(at) });
  }
});

test.concurrent("the failure of a property shows the exchanges of its simplest failing run", async () => {
  const [outcome] = await outcomesOn("version-stops-at-three", "models.life-without-a-courier");
  expect(outcome?.message).toMatch(/^expected version of \w after the change to be more than 3, got 3$/);
  const [change, reading] = outcome?.exchanges?.slice(-2) ?? [];
  expect(change?.operation).toMatch(/^(update|cancel)Delivery$/);
  expect(reading?.operation).toBe("getDelivery");
  expect(change?.request.url.startsWith(reading?.request.url ?? "nowhere")).toBe(true);
  expect(reading?.response?.body).toMatch(/"version":3\b/);
});

test.concurrent("a wrong error code fails the check of the code, not the check of events", async () => {
  const ids = ["emission.refused-with-the-courier", "courier.with-the-package"];
  const otherCode = alterRefusal((failure, write) =>
    write(failure.code === "KURYE_ALDI" ? { ...failure, code: "SON_DURUM" } : failure),
  );
  const chosen = checks.filter(({ id }) => ids.includes(id));
  const outcomes = await runMutant({ fault: "for this test", mutate: otherCode }, chosen);
  expect(ids.map((id) => outcomes.get(id)?.status)).toEqual(["passed", "failed"]);
});
