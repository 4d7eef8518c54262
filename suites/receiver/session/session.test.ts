import { randomBytes } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { DEFAULT_KINDS } from "../../core/contract/event-kinds.ts";
import { certifyReceiver } from "../certify.ts";
import { receiverChecks } from "../checks/index.ts";
import { refusingMutants } from "../mutants/refusing.ts";
import { correctParts, type ReceiverParts } from "../reference-receiver/parts.ts";
import { type ServeOptions, serveReceiver } from "../reference-receiver/serve.ts";
import { verifiedByPackage } from "../variants.ts";
import type { ReceiverTarget } from "./settings.ts";

const TIMEOUT_MS = 120_000;
const secret = `whsec_${randomBytes(24).toString("base64")}`;

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function aReceiver(
  mutate: (parts: ReceiverParts) => ReceiverParts = (parts) => parts,
  options: ServeOptions = {},
): Promise<ReceiverTarget> {
  const receiver = await serveReceiver(mutate(correctParts(secret)), options);
  open.push(() => receiver.close());
  const limits = { answerMs: 15_000, limitMs: 15_000, returnMs: 5_000, effectMs: 1_000 };
  return {
    url: receiver.url,
    effectsUrl: receiver.effectsUrl,
    secret,
    eventTypes: DEFAULT_KINDS,
    statuses: {},
    ...limits,
  };
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

/** Receivers that answer everything alike. */
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

describe("a receiver that answers everything alike passes nothing", () => {
  for (const [name, listener] of Object.entries(nullReceivers)) {
    test(name, { timeout: TIMEOUT_MS }, async () => {
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

describe("an effects interface that answers everything alike lets nothing pass that needs it", () => {
  const needing = receiverChecks.filter(({ needs }) => needs.includes("effects"));
  for (const [name, body] of Object.entries({
    "one effect": { processed: 1, version: 8, status: "DELIVERED" },
    "no effect": { processed: 0, version: null, status: null },
    "an empty object": {},
  })) {
    test(name, { timeout: TIMEOUT_MS }, async () => {
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

test("an effects interface that lets nothing fail shows nothing of what becomes of a failure", {
  timeout: TIMEOUT_MS,
}, async () => {
  const target = await aReceiver((parts) => ({
    ...parts,
    process(own, held, signed, event) {
      held.failNext = false;
      return parts.process(own, held, signed, event);
    },
  }));
  const { outcomes } = await certifyReceiver(
    target,
    receiverChecks.filter(({ id }) => id === "duplicates.after-a-failure"),
  );
  expect(outcomes.get("duplicates.after-a-failure")).toMatchObject({
    status: "not_testable",
    message: expect.stringMatching(/their effect was there at once: let the worker wait/),
  });
});

test("a receiver that hands bodies to the package as they come is told why it fails, and how to mend it in a line", {
  timeout: TIMEOUT_MS,
}, async () => {
  const target = await aReceiver((parts) => ({ ...parts, isGenuine: verifiedByPackage(parts.secret) }));
  const { outcomes, trouble } = await certifyReceiver(target);
  expect(Object.keys(trouble)).toEqual(["tampering.unreadable-bytes"]);
  expect(outcomes.get("tampering.unreadable-bytes")?.message).toMatch(
    /^taken for genuine: .* \(the body is decoded to text before .*: refuse .* `if \(!isUtf8\(body\)\) return refuse\(400\)`/,
  );
});

describe("a receiver that goes down", () => {
  const dying = refusingMutants["dies-on-letters-outside-of-ascii"].mutate;

  test("and comes back: its fall is told of where it happened, and all the rest is verified", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const target = await aReceiver(dying, { backAfterMs: 500 });
    const { outcomes, trouble } = await certifyReceiver(target);
    expect(Object.keys(trouble)).toEqual(["survival.letters"]);
    expect(outcomes.get("survival.letters")?.message).toMatch(
      /the receiver went down: after this request nothing listened at its address; it came back/,
    );
  });

  test("and stays down: what comes after is not testable, and why is said", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const target = { ...(await aReceiver(dying)), returnMs: 100 };
    const { outcomes } = await certifyReceiver(
      target,
      receiverChecks.filter(({ id }) => id.startsWith("survival.")),
    );
    expect(outcomes.get("survival.letters")?.status).toBe("failed");
    expect(outcomes.get("survival.forged-bodies")).toMatchObject({
      status: "not_testable",
      message: "the receiver went down and did not come back within 0.1 s",
    });
  });

  test("while several checks are at it: only the one is blamed whose request it was", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const target = await aReceiver(refusingMutants["dies-on-signatures-of-another-length"].mutate, {
      backAfterMs: 20,
    });
    const { trouble } = await certifyReceiver(target);
    expect(Object.keys(trouble).toSorted()).toEqual([
      "signatures.other-algorithms",
      "signatures.whole-digest",
      "survival.forms",
      "survival.lengths",
      "survival.letters",
    ]);
  });
});

test("without an effects interface what needs one is not testable, and the rest is verified", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { grade } = await certifyReceiver({ ...(await aReceiver()), effectsUrl: undefined });
  expect(grade.levels.answers?.verdict).toBe("CONFORMANT");
  expect(grade.levels.effects?.verdict).toBe("INCOMPLETE");
  expect(grade.verdict).toBe("INCOMPLETE");
});

test("a receiver whose clock is ten minutes behind is told so", { timeout: TIMEOUT_MS }, async () => {
  const target = await aReceiver((parts) => ({ ...parts, now: () => parts.now() - 600 }), {
    prepare: (response) => response.setHeader("date", new Date(Date.now() - 600_000).toUTCString()),
  });
  const { outcomes } = await certifyReceiver(
    target,
    receiverChecks.filter(({ id }) => id === "kinds.default"),
  );
  expect(outcomes.get("kinds.default")?.message).toMatch(
    /answered with 400 \(its Date header is (599|60\d) s behind this machine's clock/,
  );
});

test("an answer that is waited for in vain is no finding where less was waited than is allowed", {
  timeout: TIMEOUT_MS,
}, async () => {
  const url = await serve(() => {});
  const limits = { answerMs: 50, limitMs: 15_000, returnMs: 50, effectMs: 50 };
  const { outcomes } = await certifyReceiver(
    { url, secret, effectsUrl: undefined, eventTypes: DEFAULT_KINDS, statuses: {}, ...limits },
    receiverChecks.filter(({ id }) => id === "kinds.default"),
  );
  expect(outcomes.get("kinds.default")).toMatchObject({
    status: "not_testable",
    message: "no answer within 0.05 s (--timeout); the specification allows 15 s: raise it",
  });
});
