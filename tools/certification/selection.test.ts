import { expect, test } from "vitest";
import { serverSuite } from "../../suites/server/suite.ts";
import { select } from "./selection.ts";

const { checks } = serverSuite();
const selected = (only: readonly string[], skip: readonly string[] = []) => select(checks, only, skip);

test("a group's name selects its checks and no others", () => {
  const group = checks.filter(({ id }) => id.startsWith("idempotency."));
  expect(group.length).toBeGreaterThan(10);
  expect(selected(["idempotency"])).toEqual(group);
  expect(selected(["idempotency"])).toEqual(selected(["idempotency.*"]));
});

test("a level selects the checks of that weight", () => {
  for (const level of ["MUST", "SHOULD"]) {
    const weighed = checks.filter(({ severity }) => severity === level);
    expect(weighed.length).toBeGreaterThan(0);
    expect(selected([level])).toEqual(weighed);
  }
});

test("groups and levels are left out too", () => {
  expect(selected(["subscriptions"], ["SHOULD"])).toEqual(
    checks.filter(({ id, severity }) => id.startsWith("subscriptions.") && severity === "MUST"),
  );
});

test("a group that is no group is a mistake, with the one that was perhaps meant", () => {
  expect(() => selected(["idempotenc"])).toThrow("did you mean idempotency?");
});
