import { afterEach, expect, test } from "vitest";
import { startReferenceServer } from "../../../reference-server/embedded.ts";
import { mutantOf } from "../mutants/index.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER, type TargetSettings } from "../session/sample-data/settings.ts";
import { Session } from "../session/session.ts";
import pointOfSale from "./point-of-sale.json" with { type: "json" };
import { type PactFile, verifyPact } from "./verify.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const CONTROL_TOKEN = "control-token-of-the-test";
const pact: PactFile = pointOfSale;

async function sessionOn(
  mutate?: Mutant["mutate"],
  settings: Partial<TargetSettings> = {},
): Promise<Session> {
  const server = await startReferenceServer({ controlToken: CONTROL_TOKEN, ...(mutate && { mutate }) });
  open.push(() => server.close());
  const target: TargetSettings = {
    url: server.url,
    credentials: [],
    pairingCodes: [],
    control: { url: server.controlUrl, token: CONTROL_TOKEN },
    receiver: LOOPBACK_RECEIVER,
    point: DEFAULT_POINT,
    answerMs: 10_000,
    maxWaitMs: 0,
    ...settings,
  };
  const session = await Session.open(target, { receiver: true });
  open.push(() => session.close());
  return session;
}

test("the reference server satisfies the contract", async () => {
  const expectations = (pact.interactions ?? []).length;
  expect(await verifyPact(pact, await sessionOn())).toEqual({
    verified: expectations,
    failed: 0,
    notVerified: [],
    failure: undefined,
    withoutToken: [],
  });
});

test("the failed expectation is named", async () => {
  const session = await sessionOn(mutantOf("malformed-cursor-is-dogrulama").mutate);
  const { verified, failed, failure, withoutToken } = await verifyPact(pact, session);
  expect(failure).toBe("an unknown cursor");
  expect({ verified, failed }).toEqual({ verified: (pact.interactions ?? []).length - 1, failed: 1 });
  expect(withoutToken).toEqual([]);
});

test("an expectation with an unknown state is reported, and the others are verified", async () => {
  const unknown = { description: "a look at the weather", providerStates: [{ name: "a rainy day" }] };
  const [token] = (pact.interactions ?? []).filter(({ description }) => description.includes("token"));
  const own = { ...pact, interactions: [unknown, ...(token ? [token] : [])] };
  const { verified, notVerified, failure } = await verifyPact(own, await sessionOn());
  expect(failure).toBeUndefined();
  expect(verified).toBe(1);
  expect(notVerified).toEqual([
    {
      description: "a look at the weather",
      why: expect.stringContaining('the state "a rainy day" is unknown'),
    },
  ]);
});

test("a request without a header for the token is named", async () => {
  const reads = (pact.interactions ?? []).filter(({ description }) => /cursor|a page of/.test(description));
  const [bare, ...others] = reads.map((interaction, index) =>
    index === 0 ? { ...interaction, request: { ...interaction.request, headers: {} } } : interaction,
  );
  expect(others.length).toBeGreaterThan(0);
  const own = { ...pact, interactions: [...(bare ? [bare] : []), ...others] };
  expect(await verifyPact(own, await sessionOn())).toMatchObject({
    verified: others.length,
    failed: 1,
    withoutToken: [bare?.description],
  });
});
