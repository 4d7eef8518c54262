import { createServer, type ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { wallClock } from "../../../core/clock.ts";
import { NoResponse } from "../../../core/grading/failures/failure.ts";
import { listenOnSteadyPort } from "../../../core/http/steady-port.ts";
import { target } from "../../variants/legal-servers.ts";
import { Session } from "../session.ts";
import { Api } from "./api.ts";

const PAGE = "<html><head><title>Sign in</title></head><body><form></form></body></html>";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Starts a target behind a proxy that can respond instead of the target. */
async function behindProxy() {
  let answerInstead: ((path: string, response: ServerResponse) => boolean) | undefined;
  const server = createServer(({ url = "" }, response) => {
    if (answerInstead?.(url, response)) return;
    const json = url.endsWith("/credit") ? { consumed: 7 } : { status: "ok", operations: ["readCredit"] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json));
  });
  const url = `http://127.0.0.1:${await listenOnSteadyPort(server)}`;
  const session = await Session.open(target(url, "t"));
  open.push(async () => {
    await session.close();
    server.closeAllConnections();
    server.close();
  });
  const api = new Api({
    transport: session.transport,
    baseUrl: url,
    address: () => session.addresses.first,
    token: async () => "token",
    record: () => {},
  });
  const answersFor = (requests: number, status: number, body = PAGE) => {
    let left = requests;
    answerInstead = (_, response) => {
      left -= 1;
      if (left < 0) return false;
      response.writeHead(status, { "content-type": "text/html" }).end(body);
      return true;
    };
  };
  const answersAt = (part: string, status: number, body: string) => {
    answerInstead = (path, response) => {
      if (!path.includes(part)) return false;
      response.writeHead(status).end(body);
      return true;
    };
  };
  return { session, api, answersFor, answersAt };
}

test.each([
  [503, PAGE, "the target's load balancer responded with 503"],
  [502, "", "the target's load balancer responded with 502"],
  [504, '{"message":"no healthy upstream"}', "the target's load balancer responded with 504"],
  [503, '{"error":{"code":"BAKIM","message":"Bakım"}}', "the target responded with 503"],
  [503, '{"status":"starting"}', "the target's load balancer responded with 503"],
  [200, PAGE, 'every response was a web page with the title "Sign in"'],
  [200, "{}", "every response was {}"],
])(
  "a request that a proxy answers with %i %s, like the health check, is sent again after a wait",
  async (status, body, description) => {
    const { session, api, answersFor } = await behindProxy();
    answersFor(6, status, body);
    const response = await api.call("listPaymentTypes");
    expect([response.status, response.json]).toMatchObject([200, { status: "ok" }]);
    expect(session.outages).toEqual([
      expect.stringMatching(
        / from \d\d:\d\d:\d\d to \d\d:\d\d:\d\d UTC, after which the target responded again$/,
      ),
    ]);
    expect(session.outages[0]).toContain(description);
  },
);

test("a request that may have had an effect isn't repeated; its check runs again, as after a lost connection", async () => {
  const { session, api, answersFor } = await behindProxy();
  answersFor(6, 503);
  const body = { pairing_code: "K", external_store_id: "s" };
  const sent = api.sendInvalid("registerStore", "a rule of the test", { body });
  await expect(sent).rejects.toThrow(NoResponse);
  expect(session.transport.outages).toBe(1);
});

test("a change that gets a 502 once is sent again, because it is idempotent", async () => {
  const { api, answersFor } = await behindProxy();
  answersFor(1, 502);
  const changed = await api.sendInvalid("updateDelivery", "a rule of the test", {
    path: { id: "d" },
    body: { notes: "ring twice" },
  });
  expect([changed.status, changed.raw.json]).toMatchObject([200, { status: "ok" }]);
});

test.each([502, 503, 504])(
  "a safe request that gets a %i is sent once more, and not a third time",
  async (status) => {
    const { api, answersAt } = await behindProxy();
    answersAt("/v1/", status, PAGE);
    const sent: string[] = [];
    const asking = api.with({ record: ({ operation }) => void sent.push(operation) });
    expect((await asking.call("listPaymentTypes")).status).toBe(status);
    const body = { pairing_code: "K", external_store_id: "s" };
    expect((await asking.sendInvalid("registerStore", "a rule of the test", { body })).status).toBe(status);
    expect(sent).toEqual(["listPaymentTypes", "listPaymentTypes", "registerStore"]);
  },
);

test("control interface calls are repeated too", async () => {
  const { session, answersFor } = await behindProxy();
  answersFor(6, 503);
  expect(await session.control?.readCredit("a")).toBe(7);
  expect(session.outages).toHaveLength(1);
});

test.each([
  ["503 of one operation", 503, PAGE],
  ["a 503 with the target's own error body", 503, '{"error":{"code":"BAKIM","message":"Bakım"}}'],
  ["a web page of one operation", 200, PAGE],
])("%s, while the health check passes, is the target's response", async (_, status, body) => {
  const { session, api, answersAt } = await behindProxy();
  answersAt("/v1/", status, body);
  const response = await api.call("listPaymentTypes", {}, { honourLimits: false });
  expect([response.status, response.raw.text]).toEqual([status, body]);
  expect(session.transport.outages).toBe(0);
});

test("a failure found while a proxy responds for the target doesn't count", async () => {
  const { session, answersFor } = await behindProxy();
  answersFor(6, 200);
  expect(await session.isTargetUp(wallClock())).toBe(true);
  expect(session.transport.outages).toBe(1);
});
