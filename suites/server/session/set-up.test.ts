import { afterEach, describe, expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { checks } from "../checks/index.ts";
import { mutantOf } from "../mutants/index.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { runOnTarget } from "../run-target.ts";
import { newOrder } from "../support/orders/orders.ts";
import { target } from "../variants/legal-servers.ts";
import { type Fate, startProxy } from "./identities/testing/proxy.ts";
import { DEFAULT_POINT, type TargetSettings } from "./sample-data/settings.ts";
import { Session } from "./session.ts";
import { setUp } from "./set-up.ts";
import { learnPaymentType } from "./stores/payment-type.ts";

const TOKEN = "control-token-of-the-test";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** The fates of the requests to one path, in order. Later requests are forwarded. */
interface Line {
  readonly at: string;
  readonly fates: readonly Fate[];
  /** True to keep connections open. The suite repeats a request that is lost on a reused connection. */
  readonly keepsOpen?: boolean;
  readonly mutate?: Mutant["mutate"];
}

/** Starts a server behind a proxy with these fates, and counts the requests to the path. */
async function behind({ at, fates, keepsOpen = true, mutate }: Line) {
  const server = await startReferenceServer({ controlToken: TOKEN, ...(mutate && { mutate }) });
  open.push(() => server.close());
  let asked = 0;
  const fateOf = ({ method, url }: { method?: string | undefined; url?: string | undefined }) => {
    if (`${method} ${url}` !== at) return undefined;
    asked += 1;
    return fates[asked - 1];
  };
  const proxy = await startProxy(server.url, fateOf, keepsOpen);
  open.push(() => proxy.close());
  const settings: TargetSettings = {
    ...target(proxy.url, TOKEN),
    control: { url: server.controlUrl, token: TOKEN },
    answerMs: 10_000,
  };
  return { settings, asked: () => asked };
}

async function sessionOn(settings: TargetSettings, receiver = false) {
  const session = await Session.open(settings, { receiver });
  open.push(() => session.close());
  const [grant] = await session.identities.acquire(1, { alone: false });
  if (!grant) throw new Error("no identity");
  return { session, identity: grant.identity };
}

const REGISTRATION = "POST /v1/stores";
const LOST = "response lost";

describe("the store that an integrator's checks share", () => {
  test("is used if its repeated registration got a 200 after a lost response", async () => {
    const { settings, asked } = await behind({ at: REGISTRATION, fates: [LOST] });
    const { session, identity } = await sessionOn(settings);
    await identity.api(() => {}).call("listStores");
    expect((await session.stores.of(identity)).status).toBe("ACTIVE");
    expect(asked()).toBe(2);
  });

  test("is replaced if the repetition is refused, because the first request may have used the code", async () => {
    const { settings, asked } = await behind({ at: REGISTRATION, fates: [LOST, { status: 400 }] });
    const { session, identity } = await sessionOn(settings);
    // The registration reuses a connection, so the suite repeats the registration.
    await identity.api(() => {}).call("listStores");
    expect((await session.stores.of(identity)).status).toBe("ACTIVE");
    expect(asked()).toBe(3);
  });

  test.for([LOST, { status: 502 }] as const)(
    "is replaced if the registration wasn't repeated: %j",
    async (fate) => {
      const { settings, asked } = await behind({ at: REGISTRATION, fates: [fate], keepsOpen: false });
      const { session, identity } = await sessionOn(settings);
      expect((await session.stores.of(identity)).status).toBe("ACTIVE");
      expect(asked()).toBe(2);
    },
  );

  test("is requested once if no response was lost, and the failure is kept", async () => {
    const { settings, asked } = await behind({ at: REGISTRATION, fates: [{ status: 500 }] });
    const { session, identity } = await sessionOn(settings);
    await expect(session.stores.of(identity)).rejects.toThrow("registerStore: expected status 201, got 500");
    await expect(session.stores.of(identity)).rejects.toThrow("registerStore: expected status 201, got 500");
    expect(asked()).toBe(1);
  });
});

test("a payment type is learned from a trial order whose repetition got a 200", async () => {
  const { settings, asked } = await behind({ at: "POST /v1/deliveries", fates: [LOST] });
  const { session, identity } = await sessionOn(settings);
  const { external_store_id: externalStoreId } = await session.stores.of(identity);
  const order = async (paymentType: string | number) =>
    newOrder({ externalStoreId, paymentType: String(paymentType), point: DEFAULT_POINT });
  const code = await setUp(
    identity.api(() => {}),
    (api) => learnPaymentType(api, order),
  );
  expect(code).toBe("NAKIT");
  expect(asked()).toBe(2);
});

test("webhooks are found to arrive even if the response to the first subscription was lost", async () => {
  const { settings, asked } = await behind({ at: "POST /v1/webhooks", fates: [LOST], keepsOpen: false });
  const { session } = await sessionOn(settings, true);
  expect(session.reachability?.problem).toBeUndefined();
  expect(asked()).toBe(2);
});

test("if the shared stores can't be linked, one check reports the request and blocks the others", async () => {
  const ids = [
    "stores.first-registration",
    "delivery-fields.id",
    "quotes.own-store",
    "delivery-fields.items",
  ];
  const served = [undefined, undefined];
  const { settings } = await behind({
    at: REGISTRATION,
    // Enough refusals for the runs that confirm the failure too.
    fates: [...served, ...Array.from({ length: 40 }, () => ({ status: 500 }))],
  });
  const outcomes = await runOnTarget(
    settings,
    checks.filter(({ id }) => ids.includes(id)),
    { seed: 1, jobs: 1 },
  );
  expect(Object.fromEntries(outcomes)).toMatchObject({
    "stores.first-registration": { status: "passed" },
    "quotes.own-store": {
      status: "failed",
      set_up: true,
      operation: "registerStore",
      message: "registerStore: expected status 201, got 500",
    },
    "delivery-fields.id": { status: "blocked", blocked_by: "quotes.own-store" },
    "delivery-fields.items": { status: "blocked", blocked_by: "quotes.own-store" },
  });
});

describe("the check of a first registration whose response is lost", () => {
  const own = checks.filter(({ id }) => id === "stores.first-registration");
  const ended = async (mutate?: Line["mutate"]) => {
    const { settings } = await behind({ at: REGISTRATION, fates: [LOST], ...(mutate && { mutate }) });
    const outcomes = await runOnTarget(settings, own, { seed: 1, jobs: 1 });
    return outcomes.get("stores.first-registration");
  };

  test("doesn't fail because of the 200 to the repetition", async () => {
    expect(await ended()).toMatchObject({ status: "passed" });
  });

  test("still fails on a server that returns 200 for every first registration", async () => {
    expect(await ended(mutantOf("registration-answers-200").mutate)).toMatchObject({
      status: "failed",
      message: "registerStore: expected status 201, got 200",
    });
  });
});

test("if deleted subscriptions keep their slots, the check of the limit reports it and blocks the others", async () => {
  const { settings } = await behind({ at: "", fates: [], mutate: mutantOf("deleted-webhooks-count").mutate });
  const ofWebhooks = checks.filter(({ id }) => /^(emission\.creation-|subscriptions\.five-active$)/.test(id));
  const outcomes = await runOnTarget(settings, ofWebhooks, { seed: 1, jobs: 1, cleanUp: true });
  const { "subscriptions.five-active": limiting, ...others } = Object.fromEntries(outcomes);
  expect(limiting).toMatchObject({
    status: "failed",
    message: expect.stringContaining("this run had registered 5 for the integrator and deleted 1"),
  });
  expect(Object.keys(others)).toHaveLength(ofWebhooks.length - 1);
  // An integrator without earlier subscriptions has a free slot.
  const held = Object.values(others).filter(({ status }) => status !== "passed");
  expect(held.length).toBeGreaterThan(0);
  for (const other of held)
    expect(other).toMatchObject({ status: "blocked", blocked_by: "subscriptions.five-active" });
});
