import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../reference-server/embedded.ts";
import {
  type Account,
  createDelivery,
  linkStore,
  openAccount,
} from "../../reference-server/testing/accounts.ts";
import { withSandbox } from "../sandbox.ts";
import { consoleOf } from "../testing/console.ts";
import { FaultSwitch } from "./fault-switch.ts";
import { preferenceIn } from "./prefer.ts";

let server: RunningServer;
let account: Account;
let now = 1_000_000_000_000;
const faults = new FaultSwitch();

beforeAll(async () => {
  server = await startReferenceServer({
    mutate: (deps) => withSandbox(null, { faults })({ ...deps, clock: { ...deps.clock, now: () => now } }),
  });
  account = await openAccount(server);
  await linkStore(account);
});
afterAll(() => server.close());

describe("Prefer", () => {
  test.each<[string | undefined, ReturnType<typeof preferenceIn>]>([
    [undefined, { code: undefined, delayMs: 0 }],
    ["code=429", { code: "429", delayMs: 0 }],
    ["code=KURYE_ALDI, delay=2s", { code: "KURYE_ALDI", delayMs: 2000 }],
    ['Code="503"; delay=250ms', { code: "503", delayMs: 250 }],
    ["delay=3", { code: undefined, delayMs: 3000 }],
    ["delay=99999s", { code: undefined, delayMs: 120_000 }],
    ["code=200, respond-async", { code: undefined, delayMs: 0 }],
  ])("%j", (header, preference) => {
    expect(preferenceIn(header)).toEqual(preference);
  });

  test("an error of the service, with its body and headers, before the request has an effect", async () => {
    const refused = await createDelivery(account, "limited").set("prefer", "code=429");
    expect(refused.status).toBe(429);
    expect(refused.body.error.code).toBe("HIZ_SINIRI");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.headers["preference-applied"]).toBe("code=429");
    const conflict = await createDelivery(account, "limited").set("prefer", "code=EXTERNAL_REF_TEKRAR");
    expect([conflict.status, conflict.body.error.code]).toEqual([409, "EXTERNAL_REF_TEKRAR"]);
    await createDelivery(account, "limited").expect(201);
  });

  test("a status that the service doesn't use has no body", async () => {
    const { text } = await account.api.get("/v1/stores").set("prefer", "code=503").expect(503);
    expect(text).toBe("");
  });

  test("an unknown code is ignored", async () => {
    const { headers } = await account.api.get("/v1/stores").set("prefer", "code=NO_SUCH_CODE").expect(200);
    expect(headers["preference-applied"]).toBeUndefined();
  });

  test.each<[string, number, Readonly<Record<string, string>>, string]>([
    ["an answer", 200, { prefer: "delay=300ms" }, "delay"],
    ["an answer without a token", 401, { prefer: "delay=300ms", authorization: "" }, "delay"],
    ["the requested error", 503, { prefer: "code=503, delay=300ms" }, "delay, code=503"],
  ])("delays %s", async (_, status, headers, applied) => {
    const start = performance.now();
    const answer = await account.api.get("/v1/stores").set(headers).expect(status);
    expect(performance.now() - start).toBeGreaterThanOrEqual(299);
    expect(answer.headers["preference-applied"]).toBe(applied);
  });

  test("is ignored by the service without a sandbox, and by a sandbox without faults", async () => {
    for (const mutate of [undefined, withSandbox(null)]) {
      const plain = await startReferenceServer(mutate === undefined ? {} : { mutate });
      const other = await openAccount(plain);
      await other.api.get("/v1/stores").set("prefer", "code=429, delay=120s").expect(200);
      await plain.close();
    }
  });
});

describe("the switch", () => {
  const change = (body: object) => consoleOf(server).put("/faults").send(body);

  test("adds errors for the requested time, except to /healthz", async () => {
    await change({ latency_ms: 0, error_rate: 1, for_s: 60 }).expect(204);
    const { body } = await consoleOf(server).get("/overview").expect(200);
    expect(body.faults).toEqual({
      latency_ms: 0,
      error_rate: 1,
      until: new Date(now + 60_000).toISOString(),
    });
    const { headers, body: refusal } = await account.api.get("/v1/stores").expect(500);
    expect(refusal.error.code).toBe("SUNUCU_HATASI");
    expect(headers["x-sandbox-fault"]).toBe("error-rate");
    await account.api.get("/healthz").expect(200);
    now += 60_000;
    await account.api.get("/v1/stores").expect(200);
    expect((await consoleOf(server).get("/overview")).body.faults.until).toBeNull();
  });

  test("can be ended early", async () => {
    await change({ latency_ms: 0, error_rate: 1, for_s: 60 }).expect(204);
    await change({ latency_ms: 0, error_rate: 0, for_s: 0 }).expect(204);
    await account.api.get("/v1/stores").expect(200);
  });

  test("returns to the sandbox's permanent faults", () => {
    const usual = new FaultSwitch({ latencyMs: 5, errorRate: 0 });
    usual.set({ latencyMs: 100, errorRate: 0.5 }, 2);
    expect(usual.at(1)).toEqual({ latencyMs: 100, errorRate: 0.5, until: 2 });
    expect(usual.at(2)).toEqual({ latencyMs: 5, errorRate: 0, until: null });
  });

  test.each([{ latency_ms: -1, error_rate: 0, for_s: 1 }, { latency_ms: 0, error_rate: 2, for_s: 1 }, {}])(
    "refuses %j",
    async (body) => {
      await change(body).expect(400);
    },
  );
});
