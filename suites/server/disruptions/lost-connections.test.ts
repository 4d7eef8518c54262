import { expect, test } from "vitest";
import type { OperationId } from "../../core/contract/document.ts";
import type { Exchange } from "../../core/exchange.ts";
import type { Outcome } from "../../core/grading/outcome.ts";
import { LostConnections, retryOnLostConnections } from "./lost-connections.ts";

const failed: Outcome = { status: "failed", duration_ms: 1, requests: 1, message: "404 where 200 was due" };
const passed: Outcome = { status: "passed", duration_ms: 1, requests: 1 };

const exchange = (operation: OperationId, seen: Partial<Exchange>): Exchange => ({
  operation,
  method: "POST",
  url: "http://service/v1/deliveries",
  requestHeaders: {},
  requestBody: undefined,
  startedAt: 0,
  durationMs: 1,
  response: undefined,
  failure: "other side closed",
  violates: undefined,
  ...seen,
});

/** Ends as it is told, try by try; each try saw these exchanges. */
async function tried(...ends: readonly (readonly [Outcome, ...Exchange[]])[]) {
  let tries = 0;
  const outcome = await retryOnLostConnections(async () => {
    const [end, ...seen] = ends[Math.min(tries, ends.length - 1)] ?? [passed];
    tries += 1;
    const lost = new LostConnections();
    for (const one of seen) lost.observe(one);
    return { outcome: end, connections: lost };
  });
  return { tries, outcome };
}

const lostAt = (operation: OperationId) => exchange(operation, { isConnectionLost: true });
const repeated = exchange("registerStore", { isRetried: true });

test("what fails undisturbed has failed at the first try", async () => {
  expect(await tried([failed])).toEqual({ tries: 1, outcome: failed });
});

test("what fails where a request went out twice is tried again from its start", async () => {
  expect(await tried([failed, repeated], [passed])).toEqual({ tries: 2, outcome: passed });
});

test("what ends at a lost call of the control interface is tried again from its start", async () => {
  let tries = 0;
  const outcome = await retryOnLostConnections(async () => {
    tries += 1;
    const connections = new LostConnections();
    if (tries > 1) return { outcome: passed, connections };
    connections.endedByControl();
    return { outcome: { ...failed, status: "not_testable" }, connections };
  });
  expect([tries, outcome]).toEqual([2, passed]);
});

test("what fails again undisturbed is a finding", async () => {
  expect(await tried([failed, repeated], [failed])).toEqual({ tries: 2, outcome: failed });
});

test("a request that loses its connection in each try is a finding", async () => {
  const { tries, outcome } = await tried([failed, lostAt("cancelDelivery")]);
  expect(tries).toBeGreaterThan(2);
  expect(outcome).toMatchObject({ status: "failed", message: expect.stringContaining("cancelDelivery") });
});

test("requests that lose it here and there are none", async () => {
  const { outcome } = await tried([failed, lostAt("createWebhook")], [failed, lostAt("registerStore")]);
  expect(outcome).toMatchObject({ status: "not_testable", message: expect.stringContaining("404 where") });
});

const lateAt = (operation: OperationId) =>
  exchange(operation, { isLate: true, failure: "Headers Timeout Error" });

test("a check that had no answer in time is tried again, and tells so", async () => {
  const { tries, outcome } = await tried([failed, lateAt("createDelivery")], [passed]);
  expect(tries).toBe(2);
  expect(outcome).toEqual({
    ...passed,
    account: ["tried again, since no answer came in time at createDelivery"],
  });
});

test("an operation that has no answer in time in three tries is a finding", async () => {
  const { tries, outcome } = await tried([failed, lateAt("createDelivery")]);
  expect(tries).toBe(3);
  expect(outcome).toEqual(failed);
});

test("so is one that others gave up meanwhile", async () => {
  const givenUp: Outcome = {
    status: "not_testable",
    duration_ms: 1,
    requests: 0,
    operation: "createDelivery",
  };
  const { outcome } = await tried([failed, lateAt("createDelivery")], [givenUp]);
  expect(outcome).toMatchObject({ ...failed, operation: "createDelivery" });
});

test("answers that are late here and there are none", async () => {
  const { tries, outcome } = await tried(
    [failed, lateAt("createDelivery")],
    [failed, lateAt("getDelivery")],
    [failed, lateAt("createDelivery")],
    [failed, lateAt("cancelDelivery")],
  );
  expect(tries).toBe(4);
  expect(outcome).toMatchObject({ status: "not_testable", message: expect.stringContaining("in time") });
});

test("a check that an outage disturbs is tried again as often as that happens", async () => {
  let tries = 0;
  const outcome = await retryOnLostConnections(async () => {
    tries += 1;
    const connections = new LostConnections();
    return tries < 10
      ? { outcome: failed, connections, outage: "suffered" }
      : { outcome: passed, connections };
  });
  expect([tries, outcome]).toEqual([10, passed]);
});

test("the check whose request ends the target has failed at once", async () => {
  const connections = new LostConnections();
  connections.observe(repeated);
  const outcome = await retryOnLostConnections(async () => ({
    outcome: failed,
    connections,
    outage: "caused",
  }));
  expect(outcome).toBe(failed);
});

const away = (operation: OperationId, status = 503) =>
  exchange(operation, {
    failure: undefined,
    response: { status, headers: {}, bytes: new Uint8Array(), text: "", json: undefined },
  });

test.each([502, 503, 504])("what fails beside a %i is tried again from its start", async (status) => {
  expect(await tried([failed, away("getStore", status)], [passed])).toEqual({ tries: 2, outcome: passed });
});

test("what is answered with 503 again is a finding as it is", async () => {
  expect(await tried([failed, away("getStore")])).toEqual({ tries: 2, outcome: failed });
});

test("what is answered with 502 at times is tried as often as connections that are lost at times", async () => {
  const atTimes = [away("cancelDelivery", 502), away("cancelDelivery", 409)] as const;
  expect(await tried([failed, ...atTimes], [failed, ...atTimes], [passed])).toEqual({
    tries: 3,
    outcome: passed,
  });
  expect(await tried([failed, ...atTimes])).toEqual({ tries: 4, outcome: failed });
});

test("what fails beside a 500 has failed", async () => {
  expect(await tried([failed, away("getStore", 500)])).toEqual({ tries: 1, outcome: failed });
});
