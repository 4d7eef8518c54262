import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../embedded.ts";
import { type Account, at, openAccount } from "../testing/client.ts";
import { openReceiver, type TestReceiver } from "../testing/receiver.ts";
import { guard, type ResolvedAddress } from "./address-guard.ts";

test.each([
  ...["0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.168.0.1"],
  ...["192.0.0.8", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
  ...["::", "::1", "::7f00:1", "::ffff:10.0.0.1", "::ffff:0:7f00:1", "64:ff9b::7f00:1", "64:ff9b:1::7f00:1"],
  ...[
    "2002:7f00:1::",
    "2001::1",
    "2001:db8::1",
    "fc00::1",
    "fd12::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "4000::1",
  ],
  ...["", "example.com", "127.1"],
])("%j is nobody's on the internet", (address) => expect(guard.isPublic(address)).toBe(false));

test.each(["8.8.8.8", "100.63.255.255", "172.32.0.1", "2606:4700::1111"])("%s is public", (address) =>
  expect(guard.isPublic(address)).toBe(true),
);

let server: RunningServer;
let receiver: TestReceiver;
let account: Account;
/** What host names stand for. */
let names: Record<string, ResolvedAddress[]> = {};

beforeAll(async () => {
  receiver = await openReceiver();
  server = await startReferenceServer({
    mutate: (parts) => ({ ...parts, resolveHost: async (hostname) => names[hostname] ?? [] }),
  });
  account = await openAccount(server);
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

const register = (url: string) => account.send("POST", "/v1/webhooks", { url });

describe("registering", () => {
  const private_ = ["127.0.0.1", "[::1]", "[::ffff:10.0.0.1]", "[::ffff:a00:1]", "[64:ff9b::7f00:1]", "10.1"];
  const odd = ["127.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.0.0.1.", "localhost", "a.localhost"];
  test.each([...private_, ...odd])("%s is refused", async (host) => {
    for (const url of [`https://${host}`, `https://${host}:8443/hooks?a=b`]) {
      const answer = await register(url);
      expect(answer.status).toBe(400);
      expect(at(answer.body, "error")).toMatchObject({ code: "DOGRULAMA", details: { field: "url" } });
    }
  });

  test.each(["http://hooks.example/", "ftp://hooks.example/", "hooks.example", "https://a:b@hooks.example/"])(
    "%s is refused",
    async (url) => expect((await register(url)).status).toBe(400),
  );

  test("a public address is taken as it was written", async () => {
    const answer = await register("https://HOOKS.example");
    expect(answer.status).toBe(201);
    expect(at(answer.body, "url")).toBe("https://HOOKS.example");
  });
});

describe("dialling", () => {
  const loopback = [{ address: "127.0.0.1", family: 4 }];

  test.each([
    ["a name for a private address", loopback],
    ["a name for a mapped one", [{ address: "::ffff:127.0.0.1", family: 6 }]],
    ["a name for nothing", []],
  ])("%s isn't done", async (_what, addresses) => {
    names = { "hooks.example": addresses };
    const { send, control, clientId } = await openAccount(server);
    const url = `https://hooks.example:${receiver.port}/named`;
    const created = await send("POST", "/v1/webhooks", { url });
    const id = String(at(created.body, "id"));
    await send("POST", `/v1/webhooks/${id}/test`);
    await control("POST", `/integrators/${clientId}/clock/advance`, { seconds: 60 });
    const listed = at((await send("GET", "/v1/webhooks")).body, "items");
    expect(listed).toContainEqual(expect.objectContaining({ id, failing_since: expect.any(String) }));
    expect(receiver.at("/named")).toEqual([]);
    expect(receiver.connections()).toBe(0);
  });

  test("a literal isn't done that was trusted when it was registered and is no more", async () => {
    let trusting = true;
    const wary = await startReferenceServer({
      mutate: (parts) => ({
        ...parts,
        guard: {
          ...parts.guard,
          refusal: (...given) => (trusting ? undefined : parts.guard.refusal(...given)),
        },
      }),
    });
    const other = await openAccount(wary);
    const created = await other.send("POST", "/v1/webhooks", { url: `${receiver.origin}/literal` });
    trusting = false;
    await other.send("POST", `/v1/webhooks/${at(created.body, "id")}/test`);
    await other.control("POST", `/integrators/${other.clientId}/clock/advance`, { seconds: 60 });
    await wary.close();
    expect(created.status).toBe(201);
    expect(receiver.connections()).toBe(0);
  });
});

test("an origin that is trusted is registered and dialled, by its address and by a private name", async () => {
  for (const origin of [receiver.origin, `https://localhost:${receiver.port}`]) {
    expect((await register(`${origin}/trusted`)).status).toBe(400);
    const trusted = await account.control("POST", "/trusted-receivers", { origin, ca_pem: receiver.ca });
    expect(trusted.status).toBe(204);
    const created = await register(`${origin}/trusted`);
    expect(created.status).toBe(201);
    await account.send("POST", `/v1/webhooks/${at(created.body, "id")}/test`);
  }
  expect(await receiver.until("/trusted", 2)).toHaveLength(2);
  expect((await register(`https://127.0.0.1:${receiver.port === 1 ? 2 : 1}/trusted`)).status).toBe(400);
});

test.each([
  [{ origin: "http://127.0.0.1:1" }],
  [{ origin: "127.0.0.1" }],
  [{ origin: "https://127.0.0.1:1", ca_pem: "no certificate" }],
  [{}],
])("%j can't be trusted", async (body) => {
  expect((await account.control("POST", "/trusted-receivers", body)).status).toBe(400);
});

test("an origin may be trusted by configuration", async () => {
  const configured = await startReferenceServer({ trustedOrigins: [receiver.origin] });
  const { send } = await openAccount(configured);
  expect((await send("POST", "/v1/webhooks", { url: `${receiver.origin}/x` })).status).toBe(201);
  await configured.close();
});
