import { createServer, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type StartOptions, startReferenceServer } from "../../../reference-server/embedded.ts";
import { readClauseList } from "../../core/contract/clause-list.ts";
import { allOperations, type OperationId, operationById } from "../../core/contract/document.ts";
import { ControlClient } from "../../core/control.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { severityOf } from "../../core/grading/suite.ts";
import { Redactor } from "../../core/text/redact.ts";
import { isActive, isPassive } from "../check.ts";
import { checks } from "../checks/index.ts";
import { mutantOf } from "../mutants/index.ts";
import { runOnTarget } from "../run-target.ts";
import { DEFAULT_POINT, LOOPBACK_RECEIVER } from "../session/sample-data/settings.ts";

const CONTROL_TOKEN = "control-token-of-the-half-built-server";
/** The first groups of a service and those that depend on them: enough to see what blocks what. */
const GROUPS = [
  "health",
  "tokens",
  "payment-types",
  "stores",
  "creation",
  "delivery-fields",
  "quotes",
  "tracking",
];
const SUBSCRIPTIONS = [
  "subscriptions.creation",
  "subscriptions.test-event",
  "subscriptions.query-of-the-url",
];
const tried = checks.filter(
  (check) =>
    isPassive(check) ||
    SUBSCRIPTIONS.includes(check.id) ||
    GROUPS.some((group) => check.id.startsWith(`${group}.`)),
);
const ANSWER_MS = 1_000;
const LONGEST_ANSWER_MS = 30_000;

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Answers instead of the server, or lets it answer. */
type Answer = (response: ServerResponse, goOn: () => void) => void;

const notFound: Answer = (response) =>
  response.writeHead(404, { "content-type": "text/html" }).end("<p>Cannot do that");
const silence: Answer = () => {};

/** A server in front of another that answers one operation by itself, or leaves it without an answer. */
async function without(origin: string, id: OperationId, answer: Answer): Promise<string> {
  const { method, path } = operationById(id);
  const route = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  const upstream = new URL(origin);
  const proxy = createServer((incoming, response) => {
    const { pathname } = new URL(incoming.url ?? "/", origin);
    const goOn = () => {
      const { hostname: host, port } = upstream;
      const { url: target, headers } = incoming;
      const forwarded = request({ host, port, path: target, method: incoming.method, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      forwarded.on("error", () => response.destroy());
      incoming.pipe(forwarded);
    };
    if (incoming.method !== method || !route.test(pathname)) return goOn();
    answer(response, goOn);
    if (!incoming.readableFlowing) incoming.resume();
  });
  servers.push(proxy);
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

const settings = (url: string) => ({
  url,
  credentials: [],
  pairingCodes: [],
  point: DEFAULT_POINT,
  answerMs: LONGEST_ANSWER_MS,
  maxWaitMs: 0,
  receiver: { ...LOOPBACK_RECEIVER, speedup: 5 },
});

async function runWithout(
  id: OperationId,
  answer = notFound,
  { chosen = tried, jobs = 4 } = {},
): Promise<ReadonlyMap<string, Outcome>> {
  const server = await startReferenceServer({ controlToken: CONTROL_TOKEN, reportFault: () => {} });
  try {
    return await runOnTarget(
      {
        ...settings(await without(server.url, id, answer)),
        control: { url: server.controlUrl, token: CONTROL_TOKEN },
        answerMs: answer === silence ? ANSWER_MS : LONGEST_ANSWER_MS,
      },
      chosen,
      { seed: 1, jobs, keepsLimits: false },
    );
  } finally {
    await server.close();
  }
}

const idsOf = (outcomes: ReadonlyMap<string, Outcome>, status: Outcome["status"]) =>
  [...outcomes].filter(([, outcome]) => outcome.status === status).map(([id]) => id);

/** The one check that fails if an operation is missing. */
const found: Readonly<Partial<Record<OperationId, string>>> = {
  obtainToken: "tokens.issued",
  listPaymentTypes: "payment-types.entries",
  registerStore: "stores.first-registration",
  createDelivery: "creation.any-order",
  createWebhook: "subscriptions.creation",
  testWebhook: "subscriptions.test-event",
  getTracking: "tracking.without-a-token",
};

describe("one missing operation is one failure, and what builds on it is blocked by that", () => {
  for (const { id } of allOperations.filter((operation) => found[operation.id] !== undefined)) {
    test(id, async () => {
      const outcomes = await runWithout(id);
      expect(idsOf(outcomes, "failed")).toEqual([found[id]]);
      expect(idsOf(outcomes, "errored")).toEqual([]);
      const failed = outcomes.get(found[id] ?? "");
      expect(failed?.absent).toBe(true);
      expect(failed?.message).toMatch(
        /: (it isn't implemented, (or is at another path|is at another path, or doesn't find the id in its path)|.*; is getTracking implemented\?)$/,
      );
      const blocked = [...outcomes.values()].filter(({ status }) => status === "blocked");
      expect(blocked.length).toBeGreaterThan(0);
      expect(new Set(blocked.map(({ blocked_by }) => blocked_by))).toEqual(new Set([found[id]]));
    });
  }
});

test.each([
  ["updateDelivery", "changes.notes"],
  ["cancelDelivery", "cancellation.with-a-reason"],
  ["getDelivery", "delivery-fields.read"],
] as const)(
  "what comes to a missing %s beside the check that is about it is blocked by that",
  async (id, about) => {
    const chosen = checks
      .filter(isActive)
      .filter((check) => /^(changes|cancellation|delivery-fields|versions)\./.test(check.id));
    const outcomes = await runWithout(id, notFound, { chosen, jobs: chosen.length });
    expect(idsOf(outcomes, "failed")).toEqual([about]);
    const blocked = [...outcomes.values()].filter(({ status }) => status === "blocked");
    expect(blocked.length).toBeGreaterThan(3);
    expect(new Set(blocked.map(({ blocked_by }) => blocked_by))).toEqual(new Set([about]));
  },
);

test("a check that meets a missing operation in one of its cases sends nothing more for the others", async () => {
  const asked: string[] = [];
  const chosen = checks.filter(({ id }) => id === "credit.cancelled" || id === "changes.notes");
  const outcomes = await runWithout(
    "updateDelivery",
    (response, goOn) => {
      asked.push("updateDelivery");
      notFound(response, goOn);
    },
    { chosen },
  );
  expect(outcomes.get("credit.cancelled")).toMatchObject({ status: "blocked", blocked_by: "changes.notes" });
  // Its third case of five is the first that needs the operation, and each case opens one or two deliveries.
  expect(outcomes.get("credit.cancelled")?.requests).toBeLessThan(30);
  expect(asked.length).toBeGreaterThan(1);
});

test("an operation that redirects is said to stand elsewhere", async () => {
  const outcomes = await runWithout("createWebhook", (response) =>
    response.writeHead(301, { location: "https://dispatch.example/v1/webhooks" }).end(),
  );
  expect(outcomes.get("subscriptions.creation")).toMatchObject({
    status: "failed",
    absent: true,
    message: "createWebhook: expected status 201, got 301: it isn't implemented, or is at another path",
  });
});

test("an operation that succeeds later in the run is there: its 404 came and went", async () => {
  let asked = 0;
  const outcomes = await runWithout("createQuote", (response, goOn) => {
    asked += 1;
    if (asked > 1) goOn();
    else response.writeHead(404, { "content-type": "application/json" }).end("{}");
  });
  expect(outcomes.get("quotes.own-store")).toMatchObject({
    status: "inconsistent",
    message: expect.stringMatching(/^createQuote: expected status 2xx, got 404/),
  });
  expect(outcomes.get("quotes.own-store")).not.toHaveProperty("absent");
});

test("an operation that answers with another error isn't absent", async () => {
  const outcomes = await runWithout("createQuote", (response) => response.writeHead(500).end());
  expect(outcomes.get("quotes.own-store")?.status).toBe("failed");
  expect(outcomes.get("quotes.own-store")).not.toHaveProperty("absent");
});

test("an operation that doesn't answer is asked a few times, and no more", async () => {
  const outcomes = await runWithout("createQuote", silence);
  expect(idsOf(outcomes, "failed")).toEqual(["quotes.own-store"]);
  expect(outcomes.get("quotes.all-fields")).toMatchObject({
    status: "blocked",
    blocked_by: "quotes.own-store",
  });
  expect(outcomes.get("creation.any-order")?.status).toBe("passed");
});

/** Runs by credentials of an integrator for whom no store can be linked, so that no order is a valid request. */
async function runWithoutStores(
  mutate: StartOptions["mutate"],
  urlOf: (origin: string) => string | Promise<string> = (origin) => origin,
): Promise<ReadonlyMap<string, Outcome>> {
  const server = await startReferenceServer({
    controlToken: CONTROL_TOKEN,
    ...(mutate && { mutate }),
    reportFault: () => {},
  });
  try {
    const company = new ControlClient({ url: server.controlUrl, token: CONTROL_TOKEN }, new Redactor());
    await company.describe();
    const credentials = [await company.createIntegrator("integrator")];
    return await runOnTarget(
      { ...settings(await urlOf(server.url)), credentials, control: undefined },
      tried.concat(checks.filter(({ id }) => id === "errors.not-an-object")),
      { seed: 1, jobs: 4, keepsLimits: false },
    );
  } finally {
    await server.close();
  }
}

test("an operation that nobody could ask rightly takes no other check's ground away", async () => {
  const outcomes = await runWithoutStores(mutantOf("null-body-is-an-error").mutate);
  expect(idsOf(outcomes, "failed")).toContain("errors.not-an-object");
  expect(idsOf(outcomes, "blocked")).toEqual([]);
});

test("a 404 from an operation that nobody could ask rightly fails no check", async () => {
  const outcomes = await runWithoutStores(undefined, (origin) => without(origin, "createDelivery", notFound));
  expect(outcomes.get("errors.not-an-object")).toMatchObject({
    status: "not_verified",
    message: outcomes.get("creation.any-order")?.message,
  });
});

test("every operation is shown by one check, and it is of a MUST", () => {
  const { clauses } = readClauseList();
  const showing = checks.filter(isActive).filter(({ smokeTestOf }) => smokeTestOf !== undefined);
  const shown = showing.map(({ smokeTestOf }) => smokeTestOf);
  // The list of stores is seen where one is registered, a photo where it is listed.
  const asked = allOperations.map(({ id }) => id).filter((id) => id !== "listStores" && id !== "getProof");
  expect(shown.toSorted()).toEqual(asked.toSorted());
  const weak = showing.filter((check) => severityOf(check.clauses, clauses) === "SHOULD");
  expect(weak.map(({ id }) => id)).toEqual([]);
});
