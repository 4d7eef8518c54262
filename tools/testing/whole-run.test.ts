import { expect, test } from "vitest";
import { startReferenceServer } from "../../reference-server/embedded.ts";
import type { Operation } from "../../suites/core/contract/api-document.ts";
import { allOperations, requestSchemaError, serviceApi } from "../../suites/core/contract/document.ts";
import type { Exchange } from "../../suites/core/exchange.ts";
import { CheckFailure } from "../../suites/core/grading/failures/failure.ts";
import { forbiddenObservation } from "../../suites/core/grading/failures/mismatch.ts";
import { certify } from "../../suites/server/certify.ts";
import type { AnyCheck } from "../../suites/server/check.ts";
import { check } from "../../suites/server/check.ts";
import { checks } from "../../suites/server/checks/index.ts";
import {
  DEFAULT_POINT,
  LOOPBACK_RECEIVER,
  type TargetSettings,
} from "../../suites/server/session/sample-data/settings.ts";

async function onOneServer(use: (target: TargetSettings) => Promise<void>): Promise<void> {
  const controlToken = "control-token-of-the-test";
  const server = await startReferenceServer({ controlToken });
  try {
    await use({
      url: server.url,
      credentials: [],
      pairingCodes: [],
      control: { url: server.controlUrl, token: controlToken },
      receiver: LOOPBACK_RECEIVER,
      point: DEFAULT_POINT,
      answerMs: 10_000,
      maxWaitMs: 0,
    });
  } finally {
    await server.close();
  }
}

const templateOf = (path: string) => new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);

/** Converts a parameter's text to its schema's type. */
function valueIn({ schema }: Operation["parameters"][number], text: string): unknown {
  const { type } = schema;
  if (type === "integer" || type === "number") return Number(text);
  return type === "array" ? text.split(",") : text;
}

/** How a request violates the document; undefined if it doesn't. */
function faultOf(exchange: Exchange, baseUrl: string): string | undefined {
  const { operation: id, method, requestHeaders, requestBody } = exchange;
  const described = allOperations.find((one) => one.id === id);
  if (!described) return "there is no such operation";
  const url = new URL(exchange.url);
  const path = url.pathname.slice(new URL(baseUrl).pathname.replace(/\/$/, "").length);
  const match = templateOf(described.path).exec(path);
  if (method !== described.method || !match)
    return `${method} ${path} isn't ${described.method} ${described.path}`;
  const allowed = described.parameters;
  const unknown = [...url.searchParams.keys()].find(
    (name) => !allowed.some((one) => one.place === "query" && one.name === name),
  );
  if (unknown !== undefined) return `there is no parameter ${unknown}`;
  for (const parameter of allowed) {
    const text =
      parameter.place === "query"
        ? url.searchParams.get(parameter.name)
        : parameter.place === "header"
          ? requestHeaders[parameter.name.toLowerCase()]
          : decodeURIComponent(match.groups?.[parameter.name] ?? "");
    if (text === undefined || text === null) {
      if (parameter.required) return `${parameter.name} is missing`;
      continue;
    }
    if (!serviceApi.ajv.validate(parameter.schema, valueIn(parameter, text))) {
      return `${parameter.name} is ${text}: ${serviceApi.ajv.errorsText()}`;
    }
  }
  const mayCall = described.anonymous || requestHeaders.authorization?.startsWith("Bearer ");
  if (!mayCall) return "there is no token";
  if (requestBody === undefined) {
    return serviceApi.lookUp(`${described.pointer}/requestBody`)?.required === true
      ? "there is no body"
      : undefined;
  }
  if (!/^application\/json(;|$)/.test(requestHeaders["content-type"] ?? ""))
    return "the body isn't declared as JSON";
  return requestSchemaError(id, JSON.parse(requestBody));
}

test("a request that doesn't fit the document is detected", () => {
  const base = "http://127.0.0.1:1";
  const sent = (change: Partial<Exchange>): Exchange => ({
    operation: "listDeliveries",
    method: "GET",
    url: `${base}/v1/deliveries?limit=200&created_from=2026-01-01T00:00:00Z`,
    requestHeaders: { authorization: "Bearer token" },
    requestBody: undefined,
    startedAt: 0,
    durationMs: 1,
    response: undefined,
    failure: undefined,
    violates: undefined,
    ...change,
  });
  const creation = { operation: "createDelivery", method: "POST", url: `${base}/v1/deliveries` } as const;
  expect(faultOf(sent({}), base)).toBeUndefined();
  expect(faultOf(sent({ url: `${base}/v1/deliveries?limit=201` }), base)).toMatch(/^limit is 201/);
  expect(faultOf(sent({ url: `${base}/v1/deliveries?from=yesterday` }), base)).toMatch(/^from is yesterday/);
  expect(faultOf(sent({ url: `${base}/v1/deliveries?sort=id` }), base)).toBe("there is no parameter sort");
  expect(faultOf(sent({ requestHeaders: {} }), base)).toBe("there is no token");
  expect(faultOf(sent(creation), base)).toBe("Idempotency-Key is missing");
  const requestHeaders = { authorization: "Bearer token", "idempotency-key": "key-of-the-test" };
  expect(faultOf(sent({ ...creation, requestHeaders }), base)).toBe("there is no body");
  expect(
    faultOf(
      sent({
        ...creation,
        requestHeaders: { ...requestHeaders, "content-type": "application/json" },
        requestBody: "{}",
      }),
      base,
    ),
  ).toMatch(/external_ref is missing/);
});

test("each request of a whole run fits the document or is marked as invalid on purpose; a second run on the server has the same results", async () => {
  await onOneServer(async (target) => {
    const faults = new Map<string, string>();
    let sent = 0;
    const first = await certify(target, checks, {
      observe: (exchange) => {
        if (exchange.violates !== undefined) return;
        sent += 1;
        const fault = faultOf(exchange, target.url);
        if (fault !== undefined) faults.set(`${exchange.operation}: ${fault}`, exchange.url);
      },
    });
    expect(Object.fromEntries(faults)).toEqual({});
    expect(sent).toBeGreaterThan(1_000);
    expect(first.trouble).toEqual({});
    const again = await certify(target, checks, { seed: 2 });
    expect(again.trouble).toEqual({});
    expect(again.grade.verdict).toBe("CONFORMANT");
  });
});

test("a check that throws and a check that fails don't stop other checks", async () => {
  const facts = { clauses: ["HEALTH-1"], mutants: ["health-needs-a-token"] } as const;
  const some = checks.filter(({ id }) => /^(health|idempotency)\./.test(id));
  const broken: readonly AnyCheck[] = [
    check({
      ...facts,
      id: "broken.throws",
      title: "a check with a fault of its own",
      async run() {
        throw new TypeError("no such thing");
      },
    }),
    check({
      ...facts,
      id: "broken.fails",
      title: "a check that finds something",
      async run({ anonymous }) {
        await anonymous.call("getHealth");
        throw new CheckFailure(forbiddenObservation("something is wrong"));
      },
    }),
  ];
  await onOneServer(async (target) => {
    const { outcomes } = await certify(target, [...broken, ...some], { jobs: 2 });
    const ended = (ids: readonly string[]) => ids.map((id) => outcomes.get(id)?.status);
    expect(ended(["broken.throws", "broken.fails"])).toEqual(["errored", "failed"]);
    expect(new Set(ended(some.map(({ id }) => id)))).toEqual(new Set(["passed"]));
  });
});
