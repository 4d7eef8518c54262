import { afterEach, expect, test } from "vitest";
import { textMember } from "../../core/json.ts";
import { Redactor } from "../../core/text/redact.ts";
import { startReferenceService } from "../reference-client/service.ts";
import { playStarts } from "./play-starts.ts";
import { scenarioOrder } from "./scenarios/scenarios.ts";
import { type ClientAccess, ClientSession } from "./session.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function aSession(...scenarios: readonly string[]): Promise<ClientSession> {
  const session = await ClientSession.open({
    port: 0,
    scenarios: scenarioOrder(1, scenarios),
    seed: 1,
    timeScale: 0.05,
    redact: new Redactor(),
    notice: () => {},
    startService: startReferenceService,
  });
  open.push(() => session.close());
  return session;
}

/** Obtains a token, and sends an order once. */
async function sendOrder({ baseUrl, clientId, clientSecret }: ClientAccess): Promise<void> {
  const post = (path: string, body: object, headers = {}) =>
    fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const grant = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const token = textMember(await (await post("/oauth/token", grant)).json(), "access_token");
  const headers = { authorization: `Bearer ${token}`, "idempotency-key": clientId };
  await (await post("/v1/deliveries", { external_ref: clientId }, headers)).text();
}

/** The start number and the scenario of each order. */
const played = ({ plan }: ClientSession) =>
  plan.tasks.flatMap(({ kind, startNumber, scenario }) =>
    kind === "order" ? [[startNumber, scenario?.name]] : [],
  );

test("the longest scenario has its own start, at the same time as the others", async () => {
  const session = await aSession("outage", "server-error", "forbidden");
  const outage = Promise.withResolvers<void>();
  await playStarts(session, await session.openStart({ hasBegun: true }), {
    mayOverlap: true,
    start: async (access) => {
      await sendOrder(access);
      if (access.startNumber === 2) outage.resolve();
      // The first start ends only if the second start runs at the same time.
      else await outage.promise;
      return true;
    },
  });
  expect(played(session).toSorted()).toEqual([
    [1, "server-error"],
    [2, "outage"],
    [3, "forbidden"],
  ]);
  expect(session.evidence().hasOverlap).toBe(true);
});

test.each([
  ["may not overlap", false, ["outage", "server-error"]],
  ["have no other scenario", true, ["outage"]],
])("starts that %s follow each other", async (_, mayOverlap, scenarios) => {
  const session = await aSession(...scenarios);
  let running = 0;
  let most = 0;
  await playStarts(session, await session.openStart({ hasBegun: true }), {
    mayOverlap,
    start: async (access) => {
      running += 1;
      most = Math.max(most, running);
      await sendOrder(access);
      running -= 1;
      return true;
    },
  });
  expect(most).toBe(1);
  expect(played(session).map(([, name]) => name)).toEqual(scenarios.toReversed());
  expect(session.evidence().hasOverlap).toBe(false);
});

test("if two instances of the client can't run at the same time, the longest scenario follows the others", async () => {
  const session = await aSession("outage", "server-error", "forbidden");
  let isRunning = false;
  await playStarts(session, await session.openStart({ hasBegun: true }), {
    mayOverlap: true,
    start: async (access) => {
      if (isRunning || access.startNumber === 2) return true;
      isRunning = true;
      await sendOrder(access);
      isRunning = false;
      return true;
    },
  });
  expect(played(session).map(([, name]) => name)).toEqual(["server-error", "forbidden", "outage"]);
});

test("a client that sends nothing starts once", async () => {
  const session = await aSession("outage", "server-error");
  let starts = 0;
  await playStarts(session, await session.openStart({ hasBegun: true }), {
    mayOverlap: true,
    start: async () => {
      starts += 1;
      return true;
    },
  });
  expect(starts).toBe(1);
});
