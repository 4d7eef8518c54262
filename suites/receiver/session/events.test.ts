import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { namedSchemaError } from "../../core/contract/document.ts";
import { ALL_KINDS, DEFAULT_KINDS } from "../../core/contract/event-kinds.ts";
import { keyOf } from "../../core/signing/webhook-signing.ts";
import { headersOf, newAttempt } from "./attempt.ts";
import {
  deliveryAt,
  eventOf,
  eventsOfAllKinds,
  fullAndSparse,
  largestEvent,
  locationEvent,
  testEvent,
} from "./events.ts";
import { STATES_WITHOUT_STRING, type Statuses } from "./statuses.ts";

const asUsual = { eventTypes: DEFAULT_KINDS, statuses: {} };
const secret = `whsec_${randomBytes(32).toString("base64")}`;

test("there are sixteen event types, fourteen of which are subscribed by default", () => {
  expect(ALL_KINDS).toHaveLength(16);
  expect(DEFAULT_KINDS).toHaveLength(14);
});

describe("sent events match the document", () => {
  test.each(DEFAULT_KINDS)("%s", (kind) => {
    expect(namedSchemaError("DeliveryEvent", eventOf(kind))).toBeUndefined();
  });

  test("webhook.test, a courier's position, the largest delivery and a sparse one", () => {
    expect(namedSchemaError("TestEvent", testEvent())).toBeUndefined();
    expect(namedSchemaError("CourierLocationEvent", locationEvent(asUsual))).toBeUndefined();
    for (const event of [largestEvent(asUsual), ...fullAndSparse(asUsual)]) {
      expect(namedSchemaError("DeliveryEvent", event)).toBeUndefined();
    }
  });
});

test("the largest delivery's body is larger than 64 kB, and smaller than 100 kB, a common limit", () => {
  const { length } = newAttempt(keyOf(secret), largestEvent(asUsual)).body;
  expect(length).toBeGreaterThan(65_536);
  expect(length).toBeLessThan(100_000);
});

test("statuses are the specified or the configured ones", () => {
  const statusesOf = (statuses: Statuses) =>
    [...eventsOfAllKinds({ ...asUsual, statuses }), locationEvent({ ...asUsual, statuses })].map(
      ({ data }) => data?.status,
    );
  expect(new Set(statusesOf({}))).toEqual(new Set(["QUEUED", "ASSIGNED"]));
  const own = Object.fromEntries(STATES_WITHOUT_STRING.map((name) => [name, `own ${name}`]));
  expect(STATES_WITHOUT_STRING).toHaveLength(10);
  expect(new Set(statusesOf(own))).toEqual(new Set(["QUEUED", "ASSIGNED", ...Object.values(own)]));
  expect(fullAndSparse(asUsual)[1].data?.status).toBe("RECEIVED");
});

test("all events of a delivery agree on its constant fields, which belong to no other delivery", () => {
  const [first, ...others] = Array.from({ length: 50 }, () => deliveryAt("delivery.created"));
  const { id, external_ref, tracking_url } = deliveryAt("delivery.delivered", { id: first?.id ?? "" });
  expect({ id, external_ref, tracking_url }).toEqual({
    id: first?.id,
    external_ref: first?.external_ref,
    tracking_url: first?.tracking_url,
  });
  expect(new Set([external_ref, ...others.map((one) => one.external_ref)]).size).toBe(50);
  expect(new Set([tracking_url, ...others.map((one) => one.tracking_url)]).size).toBe(50);
  const largest = Array.from({ length: 3 }, () => largestEvent(asUsual).data?.external_ref ?? "");
  expect(new Set(largest).size).toBe(3);
  expect(largest.map(({ length }) => length)).toEqual([40, 40, 40]);
});

test("a Standard Webhooks library accepts the signatures", () => {
  const library = new Webhook(secret);
  for (const event of [testEvent(), largestEvent(asUsual)]) {
    const attempt = newAttempt(keyOf(secret), event);
    expect(library.verify(attempt.body.toString(), headersOf(attempt))).toEqual(event);
  }
});
