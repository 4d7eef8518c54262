import { expect, test } from "vitest";
import { Redactor } from "../../core/text/redact.ts";
import { ordersChecks } from "../checks/orders.ts";
import { refusalsChecks } from "../checks/refusals.ts";
import { runCheck } from "../run-check.ts";
import { Evidence } from "./evidence.ts";
import type { RecordedRequest } from "./request.ts";
import { FaultPlan } from "./scenarios/fault-plan.ts";
import { SCENARIOS, type ScenarioName } from "./scenarios/scenarios.ts";

/** The evidence of creations with one key and these order numbers, in this scenario. */
function creationsWithOneKey(name: ScenarioName, references: readonly string[], status: number): Evidence {
  const plan = new FaultPlan([{ name, ...SCENARIOS[name] }], 1, 1);
  const requests = references.map((reference, index): RecordedRequest => {
    const json = { external_ref: reference, store: { external_store_id: "till" }, dropoff: { text: "Moda" } };
    const creation: RecordedRequest = {
      number: index + 1,
      startNumber: 1,
      operation: "createDelivery",
      method: "POST",
      path: "/v1/deliveries",
      query: new URLSearchParams(),
      headers: { "idempotency-key": "one-key-for-all" },
      body: Buffer.from(JSON.stringify(json)),
      json,
      token: "token",
      connectionReused: false,
      arrivedAt: index * 10,
      startedAt: index * 10,
      completion: undefined,
      fault: undefined,
      servedStatus: undefined,
    };
    const { fault } = plan.faultFor(creation);
    const response = { status: fault ? status : 201, headers: {}, bytes: Buffer.of(), text: "", json: {} };
    creation.completion = { at: index * 10 + 5, response, failure: undefined };
    return creation;
  });
  return new Evidence({
    url: "http://sandbox",
    requests,
    tasks: plan.tasks,
    timeScale: 1,
    endedStarts: new Set([1]),
    endedAt: 1_000,
  });
}

const outcomeOf = (id: string, evidence: Evidence) => {
  const check = [...ordersChecks, ...refusalsChecks].find((one) => one.id === id);
  if (!check) throw new Error(`there is no check ${id}`);
  return runCheck(check, evidence, new Redactor()).outcome;
};

test("another order with the key of a refused order isn't a retry of the refused order", () => {
  const evidence = creationsWithOneKey("out-of-area", ["1001", "1002"], 422);
  expect(outcomeOf("refusals.out-of-area", evidence).status).toBe("passed");
  expect(outcomeOf("orders.new-key", evidence)).toMatchObject({
    status: "failed",
    message: `expected the Idempotency-Key of a new order not to be 'one-key-for-all': external_ref "1001" and external_ref "1002" were sent with this key`,
  });
});

test("another order with the key of an order whose token was refused twice isn't its third attempt", () => {
  const evidence = creationsWithOneKey("closed-credential", ["1001", "1001", "1002"], 401);
  expect(outcomeOf("refusals.second-401", evidence).status).toBe("passed");
  expect(outcomeOf("orders.new-key", evidence).status).toBe("failed");
});

test("a retry of a refused order with the same key and number still fails", () => {
  const evidence = creationsWithOneKey("out-of-area", ["1001", "1001"], 422);
  expect(outcomeOf("refusals.out-of-area", evidence).status).toBe("failed");
});
