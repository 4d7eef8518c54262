import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import { startReferenceServer } from "../../../../reference-server/embedded.ts";
import { isoInstant } from "../../../core/clock.ts";
import { isObject, parseJson } from "../../../core/json.ts";
import { certify } from "../../certify.ts";
import { checks } from "../../checks/index.ts";
import { alterFirstDue, alterPost } from "../../mutants/operators/webhooks.ts";
import { LOOPBACK_RECEIVER } from "../../session/sample-data/settings.ts";
import type { Attempt } from "../../session/webhook-receiver/attempt.ts";
import { target } from "../../variants/legal-servers.ts";
import { lostAttemptAmong } from "./attempt-times.ts";

const SECOND = 1_800_000_000;

const attempt = (id: string, sentAfter: number): Attempt => ({
  receivedAt: 0,
  method: "POST",
  url: "/",
  headers: { "webhook-id": id, "webhook-timestamp": String(SECOND + sentAfter) },
  bytes: new Uint8Array(),
  json: { id, type: "delivery.created", timestamp: isoInstant(SECOND * 1000), data: {} },
});

test("a first received attempt with a timestamp seconds after the event was probably not the first one", () => {
  expect(lostAttemptAmong([attempt("one", 0), attempt("other", 5)])).toBe(
    "a delivery attempt was probably lost: the first received one of delivery.created, webhook-id other has a timestamp 5 seconds after the event",
  );
});

test("repetitions after an immediate attempt, and attempts up to two seconds late, show no loss", () => {
  expect(lostAttemptAmong([attempt("one", 0), attempt("one", 5), attempt("other", 2)])).toBe(undefined);
});

test("a retry with a new webhook-id shows no loss", () => {
  const data = { id: "d1", version: 1 };
  const ofDelivery = (id: string, sentAfter: number): Attempt => {
    const sent = attempt(id, sentAfter);
    return { ...sent, receivedAt: sentAfter, json: { ...Object(sent.json), data } };
  };
  expect(lostAttemptAmong([ofDelivery("one", 0), ofDelivery("other", 5)])).toBe(undefined);
});

test("a retry whose data is null shows no loss", () => {
  const first = attempt("one", 0);
  const retry = attempt("one", 305);
  const ofDelivery = { ...first, json: { ...Object(first.json), data: { id: "d1", version: 1 } } };
  const withoutData = { ...retry, json: { ...Object(retry.json), data: null } };
  expect(lostAttemptAmong([ofDelivery, withoutData])).toBe(undefined);
});

test("an event without a timestamp shows no loss", () => {
  expect(lostAttemptAmong([{ ...attempt("one", 9), json: undefined }])).toBe(undefined);
});

/** The reference server, with this many lost first attempts of delivery.created. */
function losingAttempts(count: number): (deps: Dependencies) => Dependencies {
  const known = new Set<string>();
  let lost = 0;
  return alterPost((post) => (deps, outgoing, signal) => {
    const event = parseJson(outgoing.body);
    const isCreation = isObject(event) && event.type === "delivery.created";
    const attemptKey = `${outgoing.headers["webhook-id"]} ${outgoing.url}`;
    if (!isCreation || known.has(attemptKey) || lost >= count) return post(deps, outgoing, signal);
    known.add(attemptKey);
    lost += 1;
    throw new Error("the connection was closed as the request went out");
  });
}

/** The reference server, which sends pending events of new deliveries only at this interval. */
function checkingEvery(everyMs: number): (deps: Dependencies) => Dependencies {
  let first: number | undefined;
  return alterFirstDue((kind, dueAt) => {
    if (kind !== "delivery.created") return dueAt;
    first ??= dueAt;
    return first + everyMs * (1 + Math.floor((dueAt - first) / everyMs));
  });
}

/** Shortens waits by half. They stay longer than the five seconds to a second attempt. */
const quickSettings = (url: string, controlToken: string) => ({
  ...target(url, controlToken),
  receiver: { ...LOOPBACK_RECEIVER, speedup: 2 },
});

const RETRY_CHECKS = [
  "endpoints.server-errors",
  "endpoints.client-errors",
  "endpoints.redirects",
  "retries.schedule",
  "subscriptions.rotation-signs-retries",
];

test.concurrent("a server passes if a few of its first attempts are lost", async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken, mutate: losingAttempts(12) });
  try {
    const chosen = checks.filter(({ id }) => RETRY_CHECKS.includes(id));
    expect(chosen).toHaveLength(RETRY_CHECKS.length);
    const { trouble, outcomes } = await certify(quickSettings(server.url, controlToken), chosen, { jobs: 8 });
    expect(trouble).toEqual({});
    const confirmations = [...outcomes.values()].flatMap(({ confirmation = [] }) => confirmation);
    expect(confirmations).toContainEqual(
      expect.stringMatching(/^ran again, since a delivery attempt was probably lost/),
    );
  } finally {
    await server.close();
  }
});

test.concurrent("a server whose first attempts are always lost fails", async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({
    controlToken,
    mutate: losingAttempts(Number.POSITIVE_INFINITY),
  });
  try {
    const chosen = checks.filter(({ id }) => id === "endpoints.broken-connections");
    const { trouble } = await certify(quickSettings(server.url, controlToken), chosen, {});
    expect(trouble["endpoints.broken-connections"]).toMatch(
      /^failed: expected attempt 2 of delivery\.created/,
    );
  } finally {
    await server.close();
  }
});

test.concurrent("a server that sends pending events every five seconds passes", async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken, mutate: checkingEvery(5_000) });
  try {
    const chosen = checks.filter(({ id }) => id === "retries.first-immediately");
    const { trouble, outcomes } = await certify(target(server.url, controlToken), chosen, {});
    expect(trouble).toEqual({});
    // The first of them looked like a second attempt, so the check examined others.
    expect(outcomes.get("retries.first-immediately")?.requests).toBeGreaterThan(5);
  } finally {
    await server.close();
  }
});
