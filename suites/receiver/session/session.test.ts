import { createServer, type RequestListener } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { DEFAULT_KINDS } from "../../core/contract/event-kinds.ts";
import { certifyReceiver } from "../certify.ts";
import { receiverChecks } from "../checks/index.ts";
import { keepingMutants } from "../mutants/keeping.ts";
import { signingMutants } from "../mutants/signing.ts";
import { correctDependencies, type ReceiverDependencies } from "../reference-receiver/dependencies.ts";
import { aReceiver, secret } from "../testing/a-receiver.ts";
import { verifiedByPackage } from "../variants.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

/** Receivers that give the same response to every request. */
const nullReceivers: Readonly<Record<string, RequestListener>> = {
  "200": (_, response) => response.writeHead(200).end(),
  "204": (_, response) => response.writeHead(204).end(),
  "302": (_, response) => response.writeHead(302, { location: "/" }).end(),
  "400": (_, response) => response.writeHead(400).end(),
  "401": (_, response) => response.writeHead(401).end(),
  "404": (_, response) => response.writeHead(404).end(),
  "410": (_, response) => response.writeHead(410).end(),
  "500": (_, response) => response.writeHead(500).end("oops"),
  HTML: (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Hello"),
  "a closed connection": (request) => request.socket.destroy(),
  silence: () => {},
};

describe("a receiver with the same response to every request passes no check", () => {
  for (const [name, listener] of Object.entries(nullReceivers)) {
    test(name, async () => {
      const limits = { answerMs: 300, limitMs: 300, returnMs: 300, effectMs: 100 };
      const url = await serve(listener);
      const { outcomes } = await certifyReceiver({
        url,
        secret,
        effectsUrl: undefined,
        eventTypes: DEFAULT_KINDS,
        statuses: {},
        ...limits,
      });
      const ended = (status: string) =>
        [...outcomes].filter(([, one]) => one.status === status).map(([id]) => id);
      expect(ended("passed")).toEqual([]);
      expect(ended("errored")).toEqual([]);
      expect(outcomes.size).toBe(receiverChecks.length);
    });
  }
});

describe("with an effects interface that always responds the same, no check of effects passes", () => {
  const needing = receiverChecks.filter(({ needs }) => needs.includes("effects"));
  for (const [name, body] of Object.entries({
    "one effect": { processed: 1, version: 8, status: "DELIVERED" },
    "no effect": { processed: 0, version: null, status: null },
    "an empty object": {},
  })) {
    test(name, async () => {
      const effectsUrl = await serve((_, response) => response.writeHead(200).end(JSON.stringify(body)));
      const { outcomes } = await certifyReceiver(
        { ...(await aReceiver()), effectsUrl, effectMs: 50 },
        needing,
      );
      const passed = [...outcomes].filter(([, { status }]) => status === "passed" || status === "errored");
      expect(passed.map(([id]) => id)).toEqual([]);
    });
  }
});

test("an effects interface that makes no event fail gives no evidence about failures", async () => {
  const target = await aReceiver((deps) => ({
    ...deps,
    process(own, state, signed, event) {
      state.failNext = false;
      return deps.process(own, state, signed, event);
    },
  }));
  const { outcomes } = await certifyReceiver(
    target,
    receiverChecks.filter(({ id }) => id === "duplicates.after-a-failure"),
  );
  expect(outcomes.get("duplicates.after-a-failure")).toMatchObject({
    status: "not_verified",
    message: expect.stringMatching(/each event got a 2xx and took effect at once: let the worker wait/),
  });
});

test.each([
  [
    "remembers-before-it-processes",
    /: the receiver records the webhook-id before it processes the event: record it afterwards/,
  ],
  [
    "answers-200-before-it-processes",
    /: the service doesn't repeat an event that got a 2xx: respond after processing/,
  ],
] as const)("%s: the report names the usual cause of the lost event", async (id, cause) => {
  const checks = receiverChecks.filter((check) => check.id === "duplicates.after-a-failure");
  const { outcomes } = await certifyReceiver(await aReceiver(keepingMutants[id].mutate), checks);
  expect(outcomes.get("duplicates.after-a-failure")?.message).toMatch(cause);
});

test("a receiver that passes raw bodies to the package: the report says why it fails, and gives the line that fixes it", async () => {
  const target = await aReceiver((deps) => ({ ...deps, isGenuine: verifiedByPackage(deps.secret) }));
  const { outcomes, trouble } = await certifyReceiver(target);
  expect(Object.keys(trouble)).toEqual(["tampering.unreadable-bytes"]);
  expect(outcomes.get("tampering.unreadable-bytes")?.message).toMatch(
    /^the receiver: expected status 400 or 401, got 204: accepted as genuine: the receiver decodes the body to text .*: first refuse .* `if \(!isUtf8\(body\)\) return refuse\(400\)`.* Both need the raw bytes of the request, .* string \(request was invalid on purpose: .*\)$/,
  );
});

test("a receiver that drops a byte order mark before it verifies: the report says so, and gives the fix", async () => {
  const { mutate } = signingMutants["verifies-the-body-without-its-byte-order-mark"];
  const { trouble, outcomes } = await certifyReceiver(await aReceiver(mutate));
  expect(Object.keys(trouble)).toEqual(["tampering.unreadable-bytes"]);
  expect(outcomes.get("tampering.unreadable-bytes")?.message).toMatch(
    /got 204: accepted as genuine: the byte order mark is removed before the body is verified, .*: verify the received bytes \(request was invalid on purpose: a byte order mark was added before the signed body\)$/,
  );
});

test("a receiver that leaves the timestamp's form to the package: the report says that it parses leniently, and gives the fix", async () => {
  const target = await aReceiver((deps) => ({
    ...deps,
    seconds: (timestamp) => Number.parseInt(timestamp, 10),
    isGenuine: verifiedByPackage(deps.secret),
  }));
  const { outcomes } = await certifyReceiver(
    target,
    receiverChecks.filter(({ id }) => ["signatures.genuine", "freshness.more-than-was-signed"].includes(id)),
  );
  expect(outcomes.get("freshness.more-than-was-signed")?.message).toMatch(
    /^the receiver: expected status 400 or 401, got 204: accepted as genuine: .* as the standardwebhooks package does: refuse .* `if \(!\/\^\\d\+\$\/\.test\(timestamp\)\) return refuse\(400\)` \(request was invalid on purpose: "abc" was added .*\)$/,
  );
});

describe("a failure that is observed once", () => {
  /** The outcome on a receiver that processes the request at `place` with `first`, and all others correctly. */
  const endsOn = async (id: string, place: number, first: ReceiverDependencies["process"]) => {
    let requests = 0;
    const target = await aReceiver((deps) => ({
      ...deps,
      process(...given) {
        requests += 1;
        return requests === place ? first(...given) : deps.process(...given);
      },
    }));
    const { outcomes } = await certifyReceiver(
      target,
      receiverChecks.filter((check) => check.id === id),
    );
    return outcomes.get(id);
  };

  test("counts if an event takes effect twice", async () => {
    const outcome = await endsOn("duplicates.one-effect", 1, async (deps, state, signed, event) => {
      const answer = await correctDependencies(secret).process(deps, state, signed, event);
      state.processed.set(signed.id, 2);
      return answer;
    });
    expect(outcome).toMatchObject({ status: "failed", actual: "2" });
    expect(outcome?.confirmation).toBeUndefined();
  });

  test("doesn't count if an event isn't accepted", async () => {
    const outcome = await endsOn("duplicates.one-effect", 3, async () => 500);
    expect(outcome).toMatchObject({ status: "inconsistent" });
  });
});

describe("disturbances of a run", () => {
  const onlyGenuine = receiverChecks.filter(({ id }) => id === "kinds.default");
  /** The outcome of a check if `meet` handles some of the requests, by their number. */
  const meeting = async (isMet: (request: number) => boolean, meet: () => "close" | undefined) => {
    let requests = 0;
    const target = await aReceiver((deps) => ({
      ...deps,
      async receive(own, state, request) {
        requests += 1;
        const answer = isMet(requests) ? meet() : undefined;
        return answer ?? deps.receive(own, state, request);
      },
    }));
    const { outcomes } = await certifyReceiver({ ...target, answerMs: 1_000, limitMs: 1_000 }, onlyGenuine);
    return outcomes.get("kinds.default");
  };

  test("a check whose connection is lost once runs again alone, and that run counts", async () => {
    expect(
      await meeting(
        (request) => request === 1,
        () => "close",
      ),
    ).toMatchObject({
      status: "passed",
      confirmation: expect.stringMatching(
        /^ran again, since the connection was lost before an answer to delivery\.\w+$/,
      ),
    });
  });

  test("if the connection is lost at the same event in each run, the receiver is the cause", async () => {
    expect(
      await meeting(
        () => true,
        () => "close",
      ),
    ).toMatchObject({
      status: "failed",
      message: expect.stringMatching(
        /^expected an answer of the receiver, got nothing: it closed the connection without a response/,
      ),
      confirmation: expect.stringMatching(/ in each of 4 runs$/),
    });
  });

  test("a late response during a standstill of the suite's process isn't a finding", async () => {
    const standStill = () => {
      const until = performance.now() + 1_500;
      while (performance.now() < until);
      return undefined;
    };
    expect(await meeting((request) => request === 5, standStill)).toMatchObject({
      status: "passed",
      confirmation: expect.stringMatching(/^ran again, since the suite's own process stood still for /),
    });
  });
});

test("without an effects interface, checks of effects are skipped, and the others are verified", async () => {
  const { grade } = await certifyReceiver({ ...(await aReceiver()), effectsUrl: undefined });
  expect(grade.levels.responses?.verdict).toBe("CONFORMANT");
  expect(grade.levels.effects?.verdict).toBe("INCOMPLETE");
  expect(grade.verdict).toBe("INCOMPLETE");
});

test("the Date header of a receiver shows that its clock is days behind", async () => {
  const behind_s = 40 * 3_600;
  const target = await aReceiver((deps) => ({ ...deps, now: () => deps.now() - behind_s }), {
    prepare: (response) => response.setHeader("date", new Date(Date.now() - behind_s * 1_000).toUTCString()),
  });
  const { outcomes } = await certifyReceiver(
    target,
    receiverChecks.filter(({ id }) => id === "kinds.default"),
  );
  expect(outcomes.get("kinds.default")?.message).toMatch(
    /: expected status 2xx, got 400: its Date header is (143999|14400\d) s behind this machine's clock/,
  );
});

test("a missing response isn't a finding if the timeout is shorter than the allowed time", async () => {
  const url = await serve(() => {});
  const limits = { answerMs: 50, limitMs: 15_000, returnMs: 50, effectMs: 50 };
  const { outcomes } = await certifyReceiver(
    { url, secret, effectsUrl: undefined, eventTypes: DEFAULT_KINDS, statuses: {}, ...limits },
    receiverChecks.filter(({ id }) => id === "kinds.default"),
  );
  expect(outcomes.get("kinds.default")).toMatchObject({
    status: "not_verified",
    message: "no answer within 0.05 s (the timeout); the specification allows 15 s: raise it",
  });
});
