import { expect, test } from "vitest";
import { serverSuite } from "../../suites/server/suite.ts";
import { UsageError } from "../usage-error.ts";
import { catalogueData, listChecks } from "./catalogue.ts";

const suite = serverSuite();
const listed = (...only: string[]) => listChecks(suite, only);
const ids = (text: string) => text.split("\n").filter((line) => /^[a-z]/.test(line));

test("everything is listed by default", () => {
  expect(ids(listed())).toEqual(suite.checks.map(({ id }) => id));
});

test("a clause's id finds its checks, with the clause's text", () => {
  const text = listed("IDEM-2");
  expect(ids(text)).toEqual(
    suite.checks.filter(({ clauses }) => clauses.includes("IDEM-2")).map(({ id }) => id),
  );
  expect(text).toContain("clause   IDEM-2 (MUST): ");
});

test("words find clauses and checks that contain all of them, ignoring case", () => {
  const text = listed("credit QUOTE");
  expect(text).toMatch(/clause +\S+ \(MUST\): .*quote.*credit/i);
  expect(ids(text).length).toBeLessThan(20);
});

test("globs of check ids find checks", () => {
  expect(new Set(ids(listed("paging.*")).map((id) => id.split(".")[0]))).toEqual(new Set(["paging"]));
});

test("a clause without a check is found, with the reason", () => {
  const [excluded] = suite.clauses.filter((clause) => clause.excluded !== undefined);
  expect(listed(excluded?.id ?? "")).toContain(excluded?.excluded);
});

test("words without a match are an error, which suggests a similar id", () => {
  expect(() => listed("IDEM-2", "no-such-words")).toThrow(UsageError);
  expect(() => listed("idempotency.same-key-same-bdy")).toThrow(
    /did you mean idempotency.same-key-same-body/,
  );
});

test("as JSON it has the same checks and clauses, each clause with its checks", () => {
  const { subject, checks, clauses } = catalogueData(suite, ["IDEM-2"]);
  expect(subject).toBe("server");
  expect(checks.map(({ id }) => id)).toEqual(ids(listed("IDEM-2")));
  expect(checks[0]).toMatchObject({ severity: "MUST", since: expect.any(String), needs: expect.any(Array) });
  expect(clauses).toEqual([
    expect.objectContaining({ id: "IDEM-2", level: "MUST", checks: checks.map(({ id }) => id) }),
  ]);
  expect(catalogueData(suite)).toMatchObject({
    checks: expect.objectContaining({ length: suite.checks.length }),
    clauses: expect.objectContaining({ length: suite.clauses.length }),
  });
});
