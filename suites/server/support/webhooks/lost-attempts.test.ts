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

test("a first attempt that is dated seconds after its event was probably not the first", () => {
  expect(lostAttemptAmong([attempt("one", 0), attempt("other", 5)])).toBe(
    "a delivery attempt was probably lost: the first received one of delivery.created, webhook-id other has a timestamp 5 seconds after the event",
  );
});

test("repeats of what came at once show nothing, and neither do a second or two", () => {
  expect(lostAttemptAmong([attempt("one", 0), attempt("one", 5), attempt("other", 2)])).toBe(undefined);
});

test("an event without a time of its own shows nothing", () => {
  expect(lostAttemptAmong([{ ...attempt("one", 9), json: undefined }])).toBe(undefined);
});

/** The server whose first attempts of so many openings never arrive. */
function losing(count: number): (deps: Dependencies) => Dependencies {
  const known = new Set<string>();
  let lost = 0;
  return alterPost((post) => (deps, outgoing, signal) => {
    const event = parseJson(outgoing.body);
    const isOpening = isObject(event) && event.type === "delivery.created";
    const attempted = `${outgoing.headers["webhook-id"]} ${outgoing.url}`;
    if (!isOpening || known.has(attempted) || lost >= count) return post(deps, outgoing, signal);
    known.add(attempted);
    lost += 1;
    throw new Error("the connection was closed as the request went out");
  });
}

/** The server that looks every so often, from its first event of a delivery on, what there is to send. */
function looking(everyMs: number): (deps: Dependencies) => Dependencies {
  let first: number | undefined;
  return alterFirstDue((kind, dueAt) => {
    if (kind !== "delivery.created") return dueAt;
    first ??= dueAt;
    return first + everyMs * (1 + Math.floor((dueAt - first) / everyMs));
  });
}

/** Waits are shorter, and longer than the five seconds to a second attempt. */
const hastily = (url: string, controlToken: string) => ({
  ...target(url, controlToken),
  receiver: { ...LOOPBACK_RECEIVER, speedup: 2 },
});

const ABOUT_RETRIES = [
  "endpoints.server-errors",
  "endpoints.client-errors",
  "endpoints.redirects",
  "retries.schedule",
  "subscriptions.rotation-signs-retries",
];

test.concurrent("a server whose first attempts are lost on their way here and there is at no fault", async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken, mutate: losing(12) });
  try {
    const chosen = checks.filter(({ id }) => ABOUT_RETRIES.includes(id));
    expect(chosen).toHaveLength(ABOUT_RETRIES.length);
    const { trouble, outcomes } = await certify(hastily(server.url, controlToken), chosen, { jobs: 8 });
    expect(trouble).toEqual({});
    const told = [...outcomes.values()].flatMap(({ confirmation = [] }) => confirmation);
    expect(told).toContainEqual(
      expect.stringMatching(/^ran again, since a delivery attempt was probably lost/),
    );
  } finally {
    await server.close();
  }
});

test.concurrent("one whose first attempts always come late fails where they are expected at once", async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken, mutate: losing(Number.POSITIVE_INFINITY) });
  try {
    const chosen = checks.filter(({ id }) => id === "endpoints.broken-connections");
    const { trouble } = await certify(hastily(server.url, controlToken), chosen, {});
    expect(trouble["endpoints.broken-connections"]).toMatch(
      /^failed: expected attempt 2 of delivery\.created/,
    );
  } finally {
    await server.close();
  }
});

test.concurrent("one that looks every five seconds what there is to send has made first attempts", async () => {
  const controlToken = randomBytes(24).toString("base64url");
  const server = await startReferenceServer({ controlToken, mutate: looking(5_000) });
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
