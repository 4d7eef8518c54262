import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startReferenceServer } from "../embedded.ts";
import { type Account, advanceClock, openAccount } from "../testing/accounts.ts";
import { openReceiver, type TestReceiver } from "../testing/receiver.ts";
import { addressGuard, type ResolvedAddress } from "./address-guard.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

test.each([
  ...words(`
    0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.168.0.1 192.0.0.8 198.18.0.1
    224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:10.0.0.1 ::ffff:0:7f00:1 64:ff9b::7f00:1
    64:ff9b:1::7f00:1 2002:7f00:1:: 2001::1 2001:db8::1 fc00::1 fd12::1 fe80::1 fec0::1 ff02::1 4000::1
  `),
  ...["", "example.com", "127.1"],
])("%j isn't a public address", (address) => expect(addressGuard.isPublic(address)).toBe(false));

test.each(["8.8.8.8", "100.63.255.255", "172.32.0.1", "2606:4700::1111"])("%s is public", (address) =>
  expect(addressGuard.isPublic(address)).toBe(true),
);

let server: RunningServer;
let receiver: TestReceiver;
let account: Account;
/** The addresses of host names. */
let names: Record<string, ResolvedAddress[]> = {};

beforeAll(async () => {
  receiver = await openReceiver();
  server = await startReferenceServer({
    mutate: (deps) => ({ ...deps, resolveHost: async (hostname) => names[hostname] ?? [] }),
  });
  account = await openAccount(server);
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

const register = (url: string) => account.api.post("/v1/webhooks").send({ url });

describe("registering", () => {
  const private_ = ["127.0.0.1", "[::1]", "[::ffff:10.0.0.1]", "[::ffff:a00:1]", "[64:ff9b::7f00:1]", "10.1"];
  const odd = ["127.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.0.0.1.", "localhost", "a.localhost"];
  /** One address in all notations that a URL accepts. */
  const loopback = words(`
    0x7f000001 017700000001 0x7f.0x0.0x0.0x1 127.0.1 0x7f.0.1 0177.1 127.000.000.001 %31%32%37.0.0.1
    127%2e0.0.1 127。0。0。1 １２７.0.0.1 ①②⑦.0.0.1 127.0.0.1%2e 127.255.255.254 LOCALHOST localhost.
    LocalHost. a.b.localhost. ⓛocalhost 0 0x0 0.0.0.0
  `);
  const metadata = words(`
    169.254.169.254 2852039166 0xa9fea9fe 169.254.43518 0251.0376.0251.0376 169.254.169.254.
    [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [64:ff9b::a9fe:a9fe] [2002:a9fe:a9fe::] [fd00:ec2::254]
  `);
  const networks = words(`
    10.0.0.1 10.255.255.255 0xa000001 172.16.0.1 172.31.255.255 192.168.0.1 192.168.257 100.64.0.1
    100.127.255.255 198.18.0.1 198.19.255.255 192.0.0.1 192.0.2.1 198.51.100.1 203.0.113.1 224.0.0.1
    239.255.255.255 240.0.0.1 255.255.255.255 0.1.2.3
  `);
  const six = words(`
    [::] [0:0:0:0:0:0:0:1] [::0001] [::127.0.0.1] [::7f00:1] [::ffff:0:127.0.0.1] [fc00::]
    [fd12:3456::1] [fe80::1] [febf::1] [fec0::1] [ff02::1] [2001:db8::1] [2001::1] [100::1]
    [2002:7f00:1::] [2002:c0a8:1::] [64:ff9b:1::1]
  `);
  test.each([...private_, ...odd, ...loopback, ...metadata, ...networks, ...six])(
    "%s is refused",
    async (host) => {
      for (const url of [`https://${host}`, `https://${host}:8443/hooks?a=b`]) {
        const { body } = await register(url).expect(400);
        expect(body.error).toMatchObject({ code: "DOGRULAMA", details: { field: "url" } });
      }
    },
  );

  test.each(["http://hooks.example/", "ftp://hooks.example/", "hooks.example", "https://a:b@hooks.example/"])(
    "%s is refused",
    async (url) => void (await register(url).expect(400)),
  );

  test("a public address is accepted unchanged", async () => {
    const { body } = await register("https://HOOKS.example").expect(201);
    expect(body.url).toBe("https://HOOKS.example");
  });
});

describe("connecting", () => {
  const loopback = [{ address: "127.0.0.1", family: 4 }];

  test.each([
    ["a name for a private address", loopback],
    ["a name for a mapped one", [{ address: "::ffff:127.0.0.1", family: 6 }]],
    ["a name for nothing", []],
    ["a name for the cloud metadata service", [{ address: "169.254.169.254", family: 4 }]],
    ["a name for a network's own", [{ address: "10.0.0.1", family: 4 }]],
    ["a name for this machine", [{ address: "0.0.0.0", family: 4 }]],
    ["a name for a multicast address", [{ address: "fe80::1", family: 6 }]],
    ["a name for IPv6's loopback", [{ address: "::1", family: 6 }]],
    ["a name for a site's own", [{ address: "fd00::1", family: 6 }]],
    ["a name for a translated one", [{ address: "64:ff9b::7f00:1", family: 6 }]],
    ["a name for a tunnelled one", [{ address: "2002:7f00:1::", family: 6 }]],
    ["a name for an invalid address", [{ address: "localhost", family: 4 }]],
    ["a name for nobody's range", [{ address: "240.0.0.1", family: 4 }]],
  ])("to %s is refused", async (_what, addresses) => {
    names = { "hooks.example": addresses };
    const mine = await openAccount(server);
    const url = `https://hooks.example:${receiver.port}/named`;
    const { id } = (await mine.api.post("/v1/webhooks").send({ url }).expect(201)).body;
    await mine.api.post(`/v1/webhooks/${id}/test`).expect(202);
    await advanceClock(mine, 60);
    const { body } = await mine.api.get("/v1/webhooks").expect(200);
    expect(body.items).toContainEqual(expect.objectContaining({ id, failing_since: expect.any(String) }));
    expect(receiver.at("/named")).toEqual([]);
    expect(receiver.connections()).toBe(0);
  });

  test("a name that resolves to a public and a private address connects only to the public one", async () => {
    const harmless = { address: "127.0.0.3", family: 4 };
    const inside = { address: "127.0.0.1", family: 4 };
    const answers = [[harmless], [inside], [harmless, inside], [inside, harmless]];
    let asked = 0;
    const rebound = await startReferenceServer({
      mutate: (deps) => ({
        ...deps,
        resolveHost: async () => answers[asked++ % answers.length] ?? [],
        addressGuard: {
          ...deps.addressGuard,
          isPublic: (address) => address === harmless.address || deps.addressGuard.isPublic(address),
        },
      }),
    });
    let harmlessConnections = 0;
    const atHarmless = createServer((socket) => {
      harmlessConnections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => atHarmless.listen(receiver.port, harmless.address, resolve));
    const other = await openAccount(rebound);
    const url = `https://rebinds.example:${receiver.port}/rebound`;
    const { id } = (await other.api.post("/v1/webhooks").send({ url }).expect(201)).body;
    await other.api.post(`/v1/webhooks/${id}/test`).expect(202);
    await advanceClock(other, 86_400);
    await rebound.close();
    await new Promise((resolve) => atHarmless.close(resolve));
    expect(asked).toBeGreaterThan(answers.length);
    expect(harmlessConnections).toBeGreaterThan(0);
    expect(receiver.connections()).toBe(0);
  });

  test("no request goes to a literal address whose trust has expired since its registration", async () => {
    let trusting = true;
    const wary = await startReferenceServer({
      mutate: (deps) => ({
        ...deps,
        addressGuard: {
          ...deps.addressGuard,
          refusal: (...given) => (trusting ? undefined : deps.addressGuard.refusal(...given)),
        },
      }),
    });
    const other = await openAccount(wary);
    const url = `${receiver.origin}/literal`;
    const { id } = (await other.api.post("/v1/webhooks").send({ url }).expect(201)).body;
    trusting = false;
    await other.api.post(`/v1/webhooks/${id}/test`).expect(202);
    await advanceClock(other, 60);
    await wary.close();
    expect(receiver.connections()).toBe(0);
  });
});

test("a trusted origin can be registered and reached, by its address and by a private name", async () => {
  for (const origin of [receiver.origin, `https://localhost:${receiver.port}`]) {
    await register(`${origin}/trusted`).expect(400);
    await account.control.post("/trusted-receivers").send({ origin, ca_pem: receiver.ca }).expect(204);
    const { id } = (await register(`${origin}/trusted`).expect(201)).body;
    await account.api.post(`/v1/webhooks/${id}/test`).expect(202);
  }
  expect(await receiver.until("/trusted", 2)).toHaveLength(2);
  await register(`https://127.0.0.1:${receiver.port === 1 ? 2 : 1}/trusted`).expect(400);
});

test.each([
  [{ origin: "http://127.0.0.1:1" }],
  [{ origin: "127.0.0.1" }],
  [{ origin: "https://127.0.0.1:1", ca_pem: "no certificate" }],
  [{}],
])("%j can't be trusted", async (body) => {
  await account.control.post("/trusted-receivers").send(body).expect(400);
});

test("an origin may be trusted by configuration", async () => {
  const configured = await startReferenceServer({ trustedOrigins: [receiver.origin] });
  const { api } = await openAccount(configured);
  await api
    .post("/v1/webhooks")
    .send({ url: `${receiver.origin}/x` })
    .expect(201);
  await configured.close();
});
