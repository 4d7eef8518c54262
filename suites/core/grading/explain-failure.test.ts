import { expect, test } from "vitest";
import { Redactor } from "../text/redact.ts";
import { explainFailure } from "./explain-failure.ts";
import { CheckFailure, NoResponse, NotTestable } from "./failure.ts";

const SECRET = "s3cret-of-the-till";
const redact = new Redactor();
redact.add(SECRET);

const explained = (error: unknown) =>
  explainFailure(error, redact, () => ({ curl: "curl -i", exchanges: [] }));

test("a finding fails the check, with both values and what shows it", () => {
  const failure = new CheckFailure(`not so: ${SECRET}\nand more`, { expected: { total: 1 }, actual: SECRET });
  expect(explained(failure)).toEqual({
    status: "failed",
    message: "not so: [redacted]",
    expected: "{ total: 1 }",
    actual: "[redacted]",
    curl: "curl -i",
    exchanges: [],
  });
});

test("an assertion of vitest's is a finding", () => {
  let thrown: unknown;
  try {
    expect(1, "the count").toBe(2);
  } catch (error) {
    thrown = error;
  }
  expect(explained(thrown)).toMatchObject({ status: "failed", expected: "2", actual: "1" });
});

test("no answer where one was due is a finding of which nothing came", () => {
  const error = new NoResponse({
    operation: "getHealth",
    method: "GET",
    url: "http://127.0.0.1/healthz",
    requestHeaders: {},
    requestBody: undefined,
    startedAt: 0,
    durationMs: 0,
    response: undefined,
    failure: "it hung up",
    violates: undefined,
  });
  expect(explained(error)).toEqual({
    status: "failed",
    kind: "absence",
    message: "no answer to GET http://127.0.0.1/healthz: it hung up",
    actual: "no answer",
    curl: "curl -i",
    exchanges: [],
  });
});

test("a missing prerequisite is no finding, and nothing is shown beside it", () => {
  expect(explained(new NotTestable(`no ${SECRET}`))).toEqual({
    status: "not_testable",
    message: "no [redacted]",
  });
});

test("any other error is a fault of the suite, in one line with its place", () => {
  const { status, message } = explained(new TypeError(`${SECRET} is not a function`));
  expect(status).toBe("errored");
  expect(message).toMatch(/^TypeError: \[redacted\] is not a function at .*explain-failure\.test\.ts/);
  expect(message).not.toContain("\n");
  expect(explained("thrown text")).toEqual({ status: "errored", message: "thrown text" });
});
