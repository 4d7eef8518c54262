import { expect, test } from "vitest";
import type { Exchange } from "../../core/exchange.ts";
import { parseJson } from "../../core/json.ts";
import { Redactor } from "../../core/text/redact.ts";
import { Inbox } from "../session/webhook-receiver/inbox.ts";
import type { TraceStep } from "./trace.ts";
import { isSamePoll, transcriptOf } from "./transcript.ts";

const BASE = "http://127.0.0.1:8080";
const transcript = (
  exchanges: readonly Exchange[],
  trace: readonly TraceStep[] = [],
  end = Number.POSITIVE_INFINITY,
) => transcriptOf(exchanges, { inboxes: [], trace }, { baseUrl: BASE, redact: new Redactor(), end });

function exchange(startedAt: number, line: string, status: number, body: string): Exchange {
  const [method = "", path = ""] = line.split(" ");
  return {
    operation: "listDeliveries",
    method,
    url: `${BASE}${path}`,
    requestHeaders: {},
    requestBody: undefined,
    startedAt,
    durationMs: 5,
    response: { status, headers: {}, bytes: Buffer.from(body), text: body, json: parseJson(body) },
    failure: undefined,
    violates: undefined,
  };
}

test("each step has the request and a summary of its response, with any wrapper of a list", () => {
  const lines = transcript([
    exchange(1, "POST /v1/deliveries", 201, '{"id":"d-1","status":"QUEUED"}'),
    exchange(2, "GET /v1/deliveries?limit=200", 200, '{"items":[{"id":"d-1"}],"has_more":false}'),
    exchange(3, "GET /v1/deliveries?limit=3", 200, '[{"id":"d-1"},{"id":"d-2"},{"id":"d-3"}]'),
    exchange(3, "GET /v1/deliveries?limit=1", 200, "[]"),
    { ...exchange(4, "POST /v1/deliveries", 400, '{"error":{"code":"DOGRULAMA"}}'), violates: "no items" },
  ]);
  expect(lines).toEqual([
    "POST /v1/deliveries → 201 QUEUED",
    "GET /v1/deliveries?limit=200 → 200, 1 entry: d-1",
    "GET /v1/deliveries?limit=3 → 200, 3 entries: from d-1 to d-3",
    "GET /v1/deliveries?limit=1 → 200, 0 entries",
    "POST /v1/deliveries → 400 DOGRULAMA (invalid on purpose: no items)",
  ]);
});

test("a step without a readable response has the reason", () => {
  const failure = "its response is longer than 16 MB";
  const lines = transcript([
    exchange(1, "POST /v1/deliveries", 201, '{"id":"d-1"}'),
    { ...exchange(2, "GET /v1/deliveries", 200, ""), response: undefined, failure, isUnreadable: true },
  ]);
  expect(lines.at(-1)).toBe(`GET /v1/deliveries → no readable response (${failure})`);
});

test("control calls before the failure are listed in order", () => {
  const advance = { method: "POST", path: "/clock/advance", body: { seconds: 1790 } } as const;
  const lines = transcript(
    [exchange(1, "POST /oauth/token", 200, "{}"), exchange(9, "GET /v1/payment-types", 401, "{}")],
    [
      { control: advance, at: 5 },
      { control: advance, at: 7, isRefused: true },
      { control: advance, at: 90 },
    ],
    14,
  );
  expect(lines).toEqual([
    "POST /oauth/token → 200",
    'control POST /clock/advance {"seconds":1790} → done',
    'control POST /clock/advance {"seconds":1790} → refused',
    "GET /v1/payment-types → 401",
  ]);
});

test("webhooks of several endpoints name the endpoint's number, up to the failure", () => {
  const event = (at: number) => ({
    receivedAt: at,
    method: "POST",
    url: "",
    headers: { "webhook-id": `e-${at}` },
    bytes: Buffer.from("{}"),
    json: { type: "delivery.created" },
  });
  const inboxes = [5, 6].map(() => new Inbox("https://receiver.test"));
  for (const inbox of inboxes) inbox.isAmong(new Set(inboxes));
  for (const [index, inbox] of inboxes.entries()) for (const at of [5, 90]) inbox.receive(event(at + index));
  const lines = transcriptOf(
    [exchange(1, "POST /v1/deliveries", 201, "{}")],
    { inboxes, trace: [] },
    { baseUrl: BASE, redact: new Redactor(), end: 50 },
  );
  expect(lines.slice(1)).toEqual([
    "webhook delivery.created, webhook-id e-5 at endpoint 1 → 204",
    "webhook delivery.created, webhook-id e-6 at endpoint 2 → 204",
  ]);
});

test("repeated requests with the same response are one line with their duration", () => {
  const polls = [0, 4_000, 10_000].map((at) => exchange(at + 2, "GET /v1/webhooks", 200, "[1]"));
  const created = exchange(1, "POST /v1/webhooks", 201, "{}");
  expect(transcript([created, ...polls])).toEqual([
    "POST /v1/webhooks → 201",
    "GET /v1/webhooks → 200, 1 entry (repeated, for 10 seconds)",
  ]);
});

test("polls with the same summary are equal, other requests aren't", () => {
  const poll = (body: string) => exchange(1, "GET /v1/webhooks", 200, body);
  expect(isSamePoll(poll("[1]"), poll("[2]"))).toBe(true);
  expect(isSamePoll(poll("[1]"), poll("[1,2]"))).toBe(false);
  const post = exchange(1, "POST /v1/deliveries", 201, "{}");
  expect(isSamePoll(post, post)).toBe(false);
});

test("the last of many steps are listed with the number of earlier ones; a single step isn't listed", () => {
  const many = Array.from({ length: 40 }, (_, at) => exchange(at, `GET /v1/deliveries/${at}`, 200, "{}"));
  const lines = transcript(many);
  expect(lines).toHaveLength(17);
  expect(lines[0]).toBe("24 earlier steps");
  expect(lines.at(-1)).toBe("GET /v1/deliveries/39 → 200");
  expect(transcript(many.slice(0, 1))).toEqual([]);
});

test("long parameters are cut in the middle, so that the next ones stay visible and pages can be told apart", () => {
  const query = `external_store_id=${"e".repeat(36)}&created_from=2026-11-23T12%3A56%3A22.336Z&limit=2`;
  const page = (at: number, end: string) =>
    exchange(at, `GET /v1/deliveries?${query}&since=${"c".repeat(300)}${end}&status=QUEUED`, 200, "[]");
  const start = `GET /v1/deliveries?${query}&since=cccccccccccc…`;
  expect(transcript([page(1, "00000001"), page(2, "00000002")])).toEqual([
    `${start}00000001&status=QUEUED → 200, 0 entries`,
    `${start}00000002&status=QUEUED → 200, 0 entries`,
  ]);
});

test("a PATCH is shown with the fields that it sets, long texts cut, with their lengths", () => {
  const change = (at: number, body: unknown) => ({
    ...exchange(at, "PATCH /v1/deliveries/d-1", 202, "{}"),
    requestBody: JSON.stringify(body),
  });
  expect(
    transcript([
      change(1, { notes: "Kapı", ready_at: null }),
      change(2, { customer: { name: "A".repeat(200), phone: "5" } }),
    ]),
  ).toEqual([
    'PATCH /v1/deliveries/d-1 {notes: "Kapı", ready_at: null} → 202',
    `PATCH /v1/deliveries/d-1 {customer.name: "${"A".repeat(32)}…" (200 characters), customer.phone: "5"} → 202`,
  ]);
});

test("a new subscription's step shows its event types, the first four of many", () => {
  const subscription = (at: number, body: unknown) => ({
    ...exchange(at, "POST /v1/webhooks", 201, '{"status":"ACTIVE"}'),
    requestBody: JSON.stringify(body),
  });
  expect(
    transcript([
      subscription(1, { event_types: ["delivery.created", "delivery.queued"] }),
      subscription(2, { url: "https://receiver.test" }),
      subscription(3, { event_types: ["a", "b", "c", "d", "e", "f"] }),
    ]),
  ).toEqual([
    "POST /v1/webhooks {event_types: delivery.created, delivery.queued} → 201 ACTIVE",
    "POST /v1/webhooks → 201 ACTIVE",
    "POST /v1/webhooks {event_types: a, b, c, d and 2 more} → 201 ACTIVE",
  ]);
});

test("long texts are cut, after secrets are redacted", () => {
  const secret = `whsec_${"k".repeat(40)}`;
  const redact = new Redactor();
  redact.add(secret);
  const lines = transcriptOf(
    [
      exchange(1, `GET /v1/deliveries?since=${"c".repeat(120)}${secret}`, 200, "[]"),
      exchange(2, "POST /v1/deliveries", 201, JSON.stringify({ status: "Q".repeat(100_000) })),
    ],
    { inboxes: [], trace: [] },
    { baseUrl: BASE, redact, end: 9 },
  );
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(400);
  expect(lines.join()).not.toContain("whsec_k");
});

test("a step names the integrator that isn't the check's own", () => {
  const [own, other] = [
    exchange(1, "POST /v1/stores", 201, "{}"),
    exchange(2, "POST /v1/stores", 409, '{"error":{"code":"BASKA_POS"}}'),
  ];
  expect(transcript([own, { ...other, sender: "the other integrator" }])).toEqual([
    "POST /v1/stores → 201",
    "POST /v1/stores by the other integrator → 409 BASKA_POS",
  ]);
});
