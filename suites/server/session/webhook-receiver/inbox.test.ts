import { expect, test } from "vitest";
import { described } from "../../../core/text/shown-value.ts";
import type { Attempt } from "./attempt.ts";
import { Inbox } from "./inbox.ts";

const attemptOf = (id: string): Attempt => ({
  receivedAt: 0,
  method: "POST",
  url: "/",
  headers: { "webhook-id": id },
  bytes: new TextEncoder().encode("{}"),
  json: { type: "webhook.test" },
});

test("a missing event is reported with one line for each event that arrived, however often it was sent", async () => {
  const inbox = new Inbox("https://receiver.example/a");
  for (const id of ["e1", "e1", "e2", "e1"]) inbox.receive(attemptOf(id));
  await expect(inbox.waitUntil(() => false, "an event", 0)).rejects.toMatchObject({
    mismatch: {
      actual: [
        "3 attempts (answered 204, 204, 204) of webhook.test, webhook-id e1",
        "1 attempt (answered 204) of webhook.test, webhook-id e2",
      ],
    },
  });
});

const [D1, D2, D3] = [1, 2, 3].map((digit) => `${digit}c6d2f6e-8b0f-4b55-a8a7-7e1d5c0b4f21`);
const of = (delivery = "") => ({ ...attemptOf(delivery), json: { data: { id: delivery } } });

async function failureOfMissing(what: string, ...arrived: readonly Attempt[]): Promise<unknown> {
  const inbox = new Inbox("https://receiver.example/a");
  for (const attempt of arrived) inbox.receive(attempt);
  const missing = inbox.waitUntil(() => false, what, 0);
  const failure: unknown = await missing.catch((error: unknown) => error);
  inbox.receive(of("later"));
  return failure;
}

test("a missing event of a delivery is shown with this delivery's events, and those without a delivery, as far as they had arrived", async () => {
  const withoutData = attemptOf("e4");
  const failure = await failureOfMissing(
    `attempt 2 of delivery.created of ${D2}, to an endpoint that fails,`,
    ...[of(D1), of(D2), of(D3), of(D1), { ...withoutData, json: { type: "delivery.created" } }, withoutData],
  );
  expect(failure).toMatchObject({
    attempts: [of(D2), { headers: { "webhook-id": "e4" } }],
    mismatch: {
      actual: [
        `1 attempt (answered 204) of (no type) of ${D2}, webhook-id ${D2}`,
        "1 attempt (answered 204) of delivery.created, webhook-id e4",
        described("3 other events"),
      ],
    },
  });
});

test("without an event of the delivery nothing is shown but the number of others", async () => {
  const what = `delivery.queued of ${D2}, scheduled for 2026-11-30T17:20:22Z,`;
  expect(await failureOfMissing(what, of(D1), of(D3))).toMatchObject({
    attempts: [],
    message: `expected ${what} to arrive within 0 s, got nothing (2 other events arrived)`,
  });
  expect(await failureOfMissing(what)).toMatchObject({ message: expect.stringMatching(/got nothing$/) });
});
