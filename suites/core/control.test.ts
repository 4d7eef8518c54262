import { createServer, type RequestListener } from "node:http";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { ControlClient, LostControlAnswer } from "./control.ts";
import { CheckSkipped } from "./grading/failures/failure.ts";
import { Redactor } from "./text/redact.ts";

const open: (() => unknown)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A control interface with this request handler. */
async function controlWith(handle: RequestListener): Promise<ControlClient> {
  const server = createServer((request, response) => {
    request.resume();
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return new ControlClient({ url: `http://127.0.0.1:${port}`, token: "t" }, new Redactor());
}

const JSON_BODY = { "content-type": "application/json" };

/** A control interface with this response to every clock advance. */
const answering = (body: string) =>
  controlWith((_, response) => void response.writeHead(200, JSON_BODY).end(body));

const NOON = Date.parse("2026-05-01T12:00:00Z");

test("the new time of an advanced clock is the one in the response", async () => {
  const control = await answering(JSON.stringify({ now: "2026-05-01T12:58:30Z" }));
  await expect(control.advanceClock("a", { seconds: 3600 }, NOON)).resolves.toBe(
    Date.parse("2026-05-01T12:58:30Z"),
  );
});

test("a response by which the clock didn't advance isn't a finding about the service", async () => {
  const control = await answering(JSON.stringify({ now: "2026-05-01T12:00:00Z" }));
  await expect(control.advanceClock("a", { seconds: 3600 }, NOON)).rejects.toThrow(
    "the control interface responded to advanceClock by 3600 s with",
  );
});

/** Responses that don't match openapi/control.yaml, with the call that gets each. */
const damaged: readonly (readonly [
  operation: string,
  status: number,
  body: string,
  call: (control: ControlClient) => Promise<unknown>,
])[] = [
  ["advanceClock", 200, "{}", (control) => control.advanceClock("a", { seconds: 3600 }, NOON)],
  ["advanceClock", 200, "[]", (control) => control.advanceClock("a", { seconds: 3600 }, NOON)],
  [
    "advanceClock",
    200,
    '{"now":{"toString":1}}',
    (control) => control.advanceClock("a", { seconds: 1 }, NOON),
  ],
  ["readCredit", 200, '{"consumed":"1"}', (control) => control.readCredit("a")],
  [
    "createIntegrator",
    201,
    '{"client_id":7,"client_secret":"s"}',
    (control) => control.createIntegrator("other"),
  ],
  [
    "createIntegrator",
    201,
    '{"client_id":"a","client_secret":""}',
    (control) => control.createIntegrator("other"),
  ],
  [
    "issueToken",
    201,
    '{"access_token":"t","token_type":"Bearer","expires_in":1e999}',
    (control) => control.issueToken("a"),
  ],
  [
    "issuePairingCode",
    201,
    '{"pairing_code":{"toString":1},"courier_company":{}}',
    (control) => control.issuePairingCode({}),
  ],
];
test.for(damaged)("the response to %s with %i %s is rejected", async ([name, status, body, call]) => {
  const control = await controlWith((_, response) => void response.writeHead(status, JSON_BODY).end(body));
  await expect(call(control)).rejects.toThrow(
    `the control interface's response to ${name} doesn't match openapi/control.yaml: `,
  );
});

test("for any response of the control interface, a call succeeds or its check is skipped", async () => {
  let answer = { status: 200, body: "" };
  const control = await controlWith(
    (_, response) => void response.writeHead(answer.status, JSON_BODY).end(answer.body),
  );
  const calls: readonly (() => Promise<unknown>)[] = [
    () => control.describe(),
    () => control.createIntegrator("integrator"),
    () => control.issueToken("a"),
    () => control.closeIntegrator("a"),
    () => control.readCredit("a"),
    () => control.advanceClock("a", { seconds: 60 }, NOON),
    () => control.issuePairingCode({}),
    () => control.configureStore("a", {}),
    () => control.actAsCourier("a", { action: "assigned" }),
    () => control.trustReceiver("https://a.example", undefined),
  ];
  const names = [
    "now",
    "client_id",
    "client_secret",
    "access_token",
    "expires_in",
    "consumed",
    "pairing_code",
  ];
  const body = fc.oneof(
    fc.json({ maxDepth: 3 }),
    fc.string({ unit: "binary" }),
    fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 2 })).map((it) => JSON.stringify(it)),
  );
  const status = fc.constantFrom(200, 201, 204, 206, 299, 302, 400, 401, 404, 409, 418, 429, 500, 501, 599);
  await fc.assert(
    fc.asyncProperty(fc.record({ status, body }), fc.constantFrom(...calls), async (given, call) => {
      answer = given;
      const ended = await call().then(
        () => "done",
        (error: unknown) => (error instanceof CheckSkipped ? "skipped" : error),
      );
      expect(["done", "skipped"]).toContain(ended);
    }),
    { numRuns: 300 },
  );
});

/** The clock advances for a control interface with these features. */
async function advanceAt(features: readonly string[] | undefined) {
  const facts = { service: "s", version: "1", operations: ["advanceClock"], clock: "virtual", features };
  const control = await answering(JSON.stringify(facts));
  await control.describe();
  return (attemptsTimeOut: boolean, isPatient = false) =>
    control.clockAdvanceBody(60, { attemptsTimeOut, isPatient });
}

test("a target that accepts attempt_wait_ms gets a short wait if the receiver is silent, and a long one if it responds", async () => {
  const advance = await advanceAt(["something-else", "attempt_wait_ms"]);
  const { attempt_wait_ms: silent = 0 } = advance(true);
  expect(silent).toBeGreaterThanOrEqual(1000);
  expect(silent).toBeLessThanOrEqual(3000);
  expect(advance(true, true)).toEqual({ seconds: 60, attempt_wait_ms: 3000 });
  expect(advance(false)).toEqual({ seconds: 60, attempt_wait_ms: 30_000 });
});

test.for([[[]], [undefined]] as const)(
  "a target with the features %j gets no attempt_wait_ms",
  async ([features]) => {
    const advance = await advanceAt(features);
    expect([advance(true), advance(false)]).toEqual([{ seconds: 60 }, { seconds: 60 }]);
  },
);

/** A control interface that stops, and restarts at its port when the client waits for it. */
async function stopping(onRequest: (times: number, stop: () => void) => boolean) {
  let times = 0;
  const server = createServer((request, response) => {
    request.resume();
    times += 1;
    const isAnswered = onRequest(times, () => server.close());
    if (isAnswered) response.writeHead(200, JSON_BODY).end('{"consumed":7}');
    else request.socket.destroy();
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const control = new ControlClient({ url: `http://127.0.0.1:${port}`, token: "t" }, new Redactor());
  control.isBack = async () => {
    await listen(port);
    return true;
  };
  return { control, server, timesAsked: () => times };
}

test("a request whose connection was refused is repeated when the target is back", async () => {
  const { control, server } = await stopping(() => true);
  await new Promise((resolve) => server.close(resolve));
  await expect(control.readCredit("a")).resolves.toBe(7);
});

test("a target that isn't back leaves the check skipped", async () => {
  const { control, server } = await stopping(() => true);
  await new Promise((resolve) => server.close(resolve));
  control.isBack = async () => false;
  await expect(control.readCredit("a")).rejects.toThrow(
    /^the control interface didn't respond to readCredit: connect ECONNREFUSED/,
  );
});

/** A control interface that answers all but its first request, whose connection is lost. */
const losingOne = async (answer: string) => {
  let asked = 0;
  const control = await controlWith((request, response) => {
    asked += 1;
    if (asked === 1) request.socket.destroy();
    else response.writeHead(201, JSON_BODY).end(answer);
  });
  return { control, timesAsked: () => asked };
};

test("a request that creates a new object is repeated if its response is lost", async () => {
  const { control, timesAsked } = await losingOne('{"client_id":"a","client_secret":"a-secret"}');
  expect((await control.createIntegrator("integrator")).client_id).toBe("a");
  expect(timesAsked()).toBe(2);
});

test("a courier action whose response is lost isn't repeated, and is reported as lost", async () => {
  const { control, timesAsked } = await losingOne("{}");
  await expect(control.actAsCourier("a", { action: "assigned" })).rejects.toThrow(LostControlAnswer);
  expect(timesAsked()).toBe(1);
});

test("a request that may have had an effect before the target stopped isn't repeated", async () => {
  const { control, timesAsked } = await stopping((times, stop) => {
    if (times === 1) return true;
    stop();
    return false;
  });
  await control.readCredit("a");
  await expect(control.advanceClock("a", { seconds: 3600 }, NOON)).rejects.toThrow(
    "didn't respond to advanceClock",
  );
  expect(timesAsked()).toBe(2);
});
