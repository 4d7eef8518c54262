import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../../reference-server/embedded.ts";
import {
  type Account,
  createDelivery,
  linkStore,
  openAccount,
} from "../../reference-server/testing/accounts.ts";
import { issueCertificate } from "../../reference-server/testing/certificate.ts";
import { openReceiver, type TestReceiver } from "../../reference-server/testing/receiver.ts";
import { withSandbox } from "../sandbox.ts";
import { type Advice, withAdvice } from "./advice.ts";

let server: RunningServer;
let receiver: TestReceiver;
let account: Account;
const told: Advice[] = [];

beforeAll(async () => {
  receiver = await openReceiver();
  server = await startReferenceServer({
    mutate: (deps) => ({
      ...withAdvice((advice) => told.push(advice))(withSandbox({ seed: "1", speed: 1 })(deps)),
      resolveHost: async () => [{ address: "10.0.0.1", family: 4 }],
    }),
  });
  account = await openAccount(server);
  await linkStore(account);
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});
beforeEach(() => void told.splice(0));

const refusalOf = async (url: string) =>
  (await account.api.post("/v1/webhooks").send({ url }).expect(400)).body.error.details;

describe("a refused webhook URL", () => {
  test.each(["http://localhost:3000/hooks", "https://localhost:3000/hooks", "https://192.168.1.7/hooks"])(
    "%s: the error has the rule, and advice for this machine",
    async (url) => {
      const { field, reason } = await refusalOf(url);
      expect(field).toBe("url");
      expect(reason).toMatch(/https:\/\/ ile başlayan bir adres olmalı|özel ya da yerel bir adres olamaz/);
      expect(reason).toMatch(/--forward-to http:\/\/localhost:3000\/hooks.*trustReceiver/);
    },
  );
});

describe("a failed attempt", () => {
  const tryOut = async (url: string) => {
    const { id } = (await account.api.post("/v1/webhooks").send({ url }).expect(201)).body;
    for (const _ of ["once", "and again"]) await account.api.post(`/v1/webhooks/${id}/test`).expect(202);
    await expect.poll(() => told.length).toBeGreaterThan(0);
    await account.api.delete(`/v1/webhooks/${id}`).expect(204);
  };

  test("with a certificate of another CA: advice on trusted CAs, once", async () => {
    const { origin } = receiver;
    const { ca } = await issueCertificate();
    await account.control.post("/trusted-receivers").send({ origin, ca_pem: ca }).expect(204);
    await tryOut(`${origin}/other-ca`);
    expect(told).toEqual([{ about: "certificate", origin, fault: expect.any(String), ca: "CN=test CA" }]);
  });

  test("with an untrusted certificate, without a given CA", async () => {
    const { origin } = receiver;
    await account.control.post("/trusted-receivers").send({ origin }).expect(204);
    await tryOut(`${origin}/no-ca`);
    expect(told).toEqual([{ about: "certificate", origin, fault: expect.any(String), ca: undefined }]);
  });

  test("with a name that resolves to a private address", async () => {
    await tryOut("https://hooks.example/private");
    expect(told).toEqual([{ about: "private address", origin: "https://hooks.example" }]);
  });
});

test("a certificate that isn't a CA's is refused, and its issuer is named", async () => {
  const { cert } = await issueCertificate();
  const body = { origin: receiver.origin, ca_pem: cert };
  const { error } = (await account.control.post("/trusted-receivers").send(body).expect(400)).body;
  expect(error.details).toMatchObject({ field: "ca_pem", reason: expect.stringContaining("CN=test CA") });
});

describe("notes with a script", () => {
  const simulate = async (simulated: boolean) => {
    const response = await fetch(`${server.url}/console/api/integrators/${account.clientId}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${server.controlToken}`, "content-type": "application/json" },
      body: JSON.stringify({ simulated }),
    });
    expect(response.status).toBe(204);
  };

  test("that is unknown: reported once, and only with simulated couriers", async () => {
    const notes = "sim: faild at the door";
    await createDelivery(account, "not-simulated", { notes }).expect(201);
    await simulate(true);
    await createDelivery(account, "fine", { notes: "sim: by hand" }).expect(201);
    const { id } = (await createDelivery(account, "misspelt", { notes }).expect(201)).body;
    await account.api.patch(`/v1/deliveries/${id}`).send({ ready_at: "2099-01-01T00:00:00Z" }).expect(200);
    expect(told).toEqual([{ about: "script", externalRef: "misspelt", phrase: "faild at the door" }]);
  });
});

test.each([
  ["/pairing-codes", { courier_compny: "Hızlı Kurye" }, "courier_compny", "courier_company"],
  ["/integrators", { typ: "other" }, "typ", "kind"],
  ["/trusted-receivers", { origin: "https://127.0.0.1:1", ca: "" }, "ca", "ca_pem"],
])(
  "the control interface refuses a misspelt key, and names those there are: %s %j",
  async (path, body, key, known) => {
    const { error } = (await account.control.post(path).send(body).expect(400)).body;
    expect(error).toMatchObject({
      code: "DOGRULAMA",
      details: { field: key, reason: expect.stringContaining(known) },
    });
  },
);

test("unknown keys of a store's settings are refused too, and change nothing", async () => {
  const { items } = (await account.api.get("/v1/stores").expect(200)).body;
  const { id } = items[0];
  const settings = (body: object) => account.control.patch(`/stores/${id}`).send(body);
  const { error } = (await settings({ status: "suspended", radius: 5 }).expect(400)).body;
  expect(error.details).toMatchObject({ field: "radius", reason: expect.stringContaining("radius_m") });
  const price = { base: 1, per_km: 1, currency: "TRY", vat_included: true, vat: 20 };
  await settings({ price }).expect(400);
  const after = (await account.api.get("/v1/stores").expect(200)).body;
  expect(after.items[0].status).toBe("ACTIVE");
});
