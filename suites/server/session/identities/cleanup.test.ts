import { afterEach, describe, expect, test } from "vitest";
import { startReferenceServer } from "../../../../reference-server/embedded.ts";
import type { ControlClient } from "../../../core/control.ts";
import { newOrder } from "../../support/orders/orders.ts";
import { target } from "../../variants/legal-servers.ts";
import { DEFAULT_POINT } from "../sample-data/settings.ts";
import { Session } from "../session.ts";
import { type Fate, type Refusal, startProxy } from "./testing/proxy.ts";

const TOKEN = "control-token-of-the-test";
const CANCELLATION = /^\/v1\/deliveries\/[^/]+\/cancel$/;
const LIMITS_STAND = "the target's rate limits would require a wait";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

type FateByPath = (path: string) => Fate;

/** Creates credentials to configure, for a target without a control interface. */
async function credentialsBy(control: ControlClient) {
  const credentials = [await control.createIntegrator("integrator")];
  return { credentials, pairingCodes: [(await control.issuePairingCode({})).pairing_code] };
}

/** Creates a run that has placed orders and is at its end. */
async function aRun(fate: FateByPath, { hasControl = false, orders = 3, cleansUp = true } = {}) {
  const server = await startReferenceServer({ controlToken: TOKEN });
  open.push(() => server.close());
  const notices: string[] = [];
  const stopper = new AbortController();
  const proxy = await startProxy(server.url, ({ url = "/" }) => fate(url));
  open.push(() => proxy.close());
  const base = {
    ...target(proxy.url, TOKEN),
    control: { url: server.controlUrl, token: TOKEN },
    answerMs: 10_000,
  };
  const laboratory = await Session.open({ ...base, url: server.url });
  open.push(() => laboratory.close());
  const { control } = laboratory;
  if (!control) throw new Error("no control interface");
  const settings = hasControl ? base : { ...base, control: undefined, ...(await credentialsBy(control)) };
  const session = await Session.open(settings, {
    cleansUp,
    notice: (text) => {
      notices.push(text);
      if (stopsAt?.test(text)) stopper.abort();
    },
  });
  open.push(() => session.close());
  const [grant] = await session.identities.acquire(1, { alone: false });
  if (!grant) throw new Error("no identity");
  const { identity } = grant;
  const api = identity.api(() => {});
  const { external_store_id: externalStoreId } = await session.stores.of(identity);
  const anotherOrder = async () =>
    (
      await api.createDelivery(newOrder({ externalStoreId, paymentType: "NAKIT", point: DEFAULT_POINT }))
    ).body(201).id;
  for (let i = 0; i < orders; i += 1) await anotherOrder();
  let stopsAt: RegExp | undefined;
  return {
    session,
    identity,
    api,
    notices,
    anotherOrder,
    /** Cleans up. If a notice matches `interruptedAt`, the run is interrupted at that notice. */
    cleanUp: async (interruptedAt?: RegExp) => {
      stopsAt = interruptedAt;
      const { cleaned_up, left_behind } = await session.cleanUp({ stopped: stopper.signal });
      const deliveries = left_behind.filter(({ kind }) => kind === "delivery");
      return { cancelled: cleaned_up.deliveries, left: deliveries.map(({ count, why }) => ({ count, why })) };
    },
  };
}

/** Applies the fate to the first cancellations, and forwards later ones. */
function toCancellations(many: number, refusal: Fate): FateByPath {
  let met = 0;
  return (path) => (CANCELLATION.test(path) && met++ < many ? refusal : undefined);
}

const limitOf = (seconds: number): Refusal => ({
  status: 429,
  headers: { "retry-after": String(seconds), "x-ratelimit-limit": "1200" },
});

describe("before a check uses up an integrator's limit", () => {
  test("its orders are cancelled, so that the end of the run doesn't wait for that limit", async () => {
    let isUsedUp = false;
    const { cleanUp, session, identity, notices } = await aRun((path) =>
      isUsedUp && CANCELLATION.test(path) ? limitOf(59) : undefined,
    );
    await session.cleanUpAhead(identity);
    isUsedUp = true;
    expect(await cleanUp()).toEqual({ cancelled: 3, left: [] });
    expect(notices.filter((line) => line.startsWith("cleaning up"))).toEqual([]);
  });

  test("requests that a limit blocks are left for the end", async () => {
    const { cleanUp, session, identity, notices } = await aRun(toCancellations(1, limitOf(2)));
    await session.cleanUpAhead(identity);
    expect(identity.created.deliveries.size).toBeGreaterThan(0);
    expect(await cleanUp()).toEqual({ cancelled: 3, left: [] });
    expect(notices.filter((line) => line.startsWith("cleaning up"))).toEqual([]);
  });

  test.each([
    ["on a target with a control interface, whose cleanup doesn't wait for limits", { hasControl: true }],
    ["in a run without cleanup", { cleansUp: false }],
  ])("nothing is cancelled %s", async (_, how) => {
    const { session, identity } = await aRun(() => undefined, how);
    await session.cleanUpAhead(identity);
    expect(identity.created.deliveries.size).toBe(3);
  });
});

describe("a limit of the target", () => {
  test("is waited for each time, if real couriers may set out", async () => {
    const { cleanUp, notices } = await aRun(toCancellations(5, limitOf(1)));
    expect(await cleanUp()).toEqual({ cancelled: 3, left: [] });
    expect(notices).toContain(
      "cleaning up: waiting 1 s for the target's limit of 1,200 requests a minute (Ctrl-C skips the rest)",
    );
  });

  test("is not waited for once the user ends the cleanup", async () => {
    const { cleanUp, notices } = await aRun(toCancellations(100, limitOf(59)));
    expect(await cleanUp(/cleaning up: waiting 59 s/)).toEqual({
      cancelled: 0,
      left: [{ count: 3, why: "cleaning up was interrupted" }],
    });
    expect(notices.filter((line) => line.startsWith("cleaning up"))).toHaveLength(1);
  });

  test("leaves the orders on a target with a control interface, which has no real couriers", async () => {
    const { cleanUp } = await aRun(toCancellations(100, limitOf(59)), { hasControl: true });
    expect(await cleanUp()).toEqual({ cancelled: 0, left: [{ count: 3, why: LIMITS_STAND }] });
  });

  test("with a longer retry-after than the cleanup waits leaves them too", async () => {
    const { cleanUp } = await aRun(toCancellations(100, limitOf(3_600)));
    expect(await cleanUp()).toEqual({ cancelled: 0, left: [{ count: 3, why: LIMITS_STAND }] });
  });

  test("that only the suite's own budget reached isn't waited for", async () => {
    const { cleanUp, identity } = await aRun(() => undefined, { hasControl: true });
    for (let i = 0; i < 1_200; i += 1) identity.budget.spend();
    expect(await cleanUp()).toEqual({ cancelled: 3, left: [] });
  });

  test("for new tokens doesn't affect an integrator that holds a token", async () => {
    let isUsedUp = false;
    const fate: FateByPath = (path) => (isUsedUp && path.endsWith("/token") ? limitOf(59) : undefined);
    const { cleanUp, session, identity } = await aRun(fate, { hasControl: true });
    session.addresses.useSingle();
    for (let i = 0; i < 30; i += 1) identity.address.tokens.spend();
    isUsedUp = true;
    expect(await cleanUp()).toEqual({ cancelled: 3, left: [] });
  });

  test("for new tokens leaves the orders of an integrator that needs one", async () => {
    let isUsedUp = false;
    const fate: FateByPath = (path) => (isUsedUp && path.endsWith("/token") ? limitOf(59) : undefined);
    const { cleanUp, identity } = await aRun(fate, { hasControl: true });
    identity.useTokenEndpoint();
    const byMs = 3_600_000;
    identity.clock.wasMoved({ byMs, tookMs: 0, shows: identity.now() + byMs });
    isUsedUp = true;
    expect(await cleanUp()).toEqual({ cancelled: 0, left: [{ count: 3, why: LIMITS_STAND }] });
  });
});

describe("a temporarily unavailable target gets the request again", () => {
  test.each([502, 503, 504])("it answered %i", async (status) => {
    const { cleanUp } = await aRun(toCancellations(3, { status }), { hasControl: true });
    expect(await cleanUp()).toEqual({ cancelled: 3, left: [] });
  });

  test("the connection was lost after the cancellation", async () => {
    const { cleanUp } = await aRun(toCancellations(3, "response lost"));
    expect(await cleanUp()).toEqual({ cancelled: 3, left: [] });
  });

  test("but not forever", async () => {
    const { cleanUp } = await aRun(toCancellations(100, { status: 503 }), { hasControl: true });
    expect(await cleanUp()).toEqual({
      cancelled: 0,
      left: [{ count: 3, why: "cancelDelivery answered 503" }],
    });
  });
});

describe("a 404 to a cancellation", () => {
  test("means that the operation is missing, if nothing was ever cancelled", async () => {
    const { cleanUp } = await aRun(toCancellations(100, { status: 404 }));
    expect(await cleanUp()).toEqual({
      cancelled: 0,
      left: [{ count: 3, why: "POST /v1/deliveries/{id}/cancel isn't implemented" }],
    });
  });

  test("means that the order is gone, if others were cancelled", async () => {
    let isGone = false;
    const fate: FateByPath = (path) => (isGone && CANCELLATION.test(path) ? { status: 404 } : undefined);
    const { cleanUp, api, anotherOrder } = await aRun(fate);
    (await api.cancelDelivery(await anotherOrder())).expectSuccess();
    isGone = true;
    expect(await cleanUp()).toEqual({ cancelled: 0, left: [] });
  });
});
