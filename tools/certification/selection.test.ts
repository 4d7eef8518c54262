import { expect, test } from "vitest";
import { serverSuite } from "../../suites/server/suite.ts";
import { groupOf, select, TOPICS } from "./selection.ts";

const { checks } = serverSuite();
const selected = (only: readonly string[], skip: readonly string[] = []) => select(checks, only, skip);

test("a group's name selects its checks and no others", () => {
  const group = checks.filter(({ id }) => id.startsWith("idempotency."));
  expect(group.length).toBeGreaterThan(10);
  expect(selected(["idempotency"])).toEqual(group);
  expect(selected(["idempotency"])).toEqual(selected(["idempotency.*"]));
});

test("MUST or SHOULD selects the checks of that severity", () => {
  for (const level of ["MUST", "SHOULD"]) {
    const ofSeverity = checks.filter(({ severity }) => severity === level);
    expect(ofSeverity.length).toBeGreaterThan(0);
    expect(selected([level])).toEqual(ofSeverity);
  }
});

test("groups and severities can be skipped too", () => {
  expect(selected(["subscriptions"], ["SHOULD"])).toEqual(
    checks.filter(({ id, severity }) => id.startsWith("subscriptions.") && severity === "MUST"),
  );
});

test("an unknown group is an error, which suggests a similar one", () => {
  expect(() => selected(["idempotenc"])).toThrow("did you mean idempotency?");
});

test("webhooks and operations select the checks of the clauses about them", () => {
  expect(TOPICS.filter((topic) => selected([topic]).length === 0)).toEqual([]);
  expect(selected(["post  /v1/webhooks/:id/rotate"])).toEqual(selected(["POST /v1/webhooks/{id}/rotate"]));
  const groups = new Set(selected(["webhooks"]).map(groupOf));
  expect([...groups]).toEqual(expect.arrayContaining(["subscriptions", "signatures", "retries", "envelope"]));
  expect(groups.has("quotes")).toBe(false);
});

test("an unknown operation is an error, which suggests a similar one", () => {
  expect(() => selected(["POST /v1/delivery"])).toThrow("did you mean POST /v1/deliveries?");
});
