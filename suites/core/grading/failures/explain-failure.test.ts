import { expect, test } from "vitest";
import type { Exchange } from "../../exchange.ts";
import { MachineError } from "../../machine-error.ts";
import { Redactor } from "../../text/redact.ts";
import { explainFailure } from "./explain-failure.ts";
import { CheckFailure, CheckSkipped, NoResponse } from "./failure.ts";
import { forbiddenObservation } from "./mismatch.ts";

const SECRET = "s3cret-of-the-till";
const redact = new Redactor();
redact.add(SECRET);

const explained = (error: unknown) =>
  explainFailure(error, redact, () => ({ curl: "curl -i", exchanges: [] }));

test("a finding fails the check, as a sentence and as data without secrets", () => {
  const failure = new CheckFailure({
    subject: "total",
    relation: "to be at most",
    expected: 1,
    actual: SECRET,
  });
  expect(explained(failure)).toEqual({
    status: "failed",
    message: "expected total to be at most 1, got '[redacted]'",
    subject: "total",
    relation: "to be at most",
    expected: "1",
    expectedData: 1,
    actual: "[redacted]",
    curl: "curl -i",
    exchanges: [],
  });
});

test("a statement of what happened is one line, and keeps both values", () => {
  const failure = new CheckFailure(
    forbiddenObservation(`not so: ${SECRET}\nand more`, { expected: { total: 1 } }),
  );
  expect(explained(failure)).toMatchObject({
    message: "not so: [redacted] and more",
    subject: "not so: [redacted] and more",
    relation: "not to happen",
    expected: "{ total: 1 }",
  });
});

test("notes from the evidence follow the sentence, and the intended violation comes last", () => {
  const failure = new CheckFailure({
    subject: "createQuote",
    relation: "to answer",
    expected: 400,
    actual: 201,
    violates: "drop-off is missing",
  });
  expect(explainFailure(failure, redact, () => ({ hint: "it is another's" }))).toEqual({
    status: "failed",
    message:
      "createQuote: expected status 400, got 201: it is another's (request was invalid on purpose: drop-off is missing)",
    subject: "createQuote",
    relation: "to answer",
    expected: "400",
    expectedData: 400,
    actual: "201",
    violates: "drop-off is missing",
  });
});

test("the details of an error response are cut in the message, after secrets are redacted", () => {
  const secret = `s3cr3t-${"x".repeat(30)}`;
  redact.add(secret);
  const details = { field: "items.quantity", reason: `${"en az 1 ".repeat(40)}${secret}` };
  const failure = new CheckFailure({
    subject: "POST /v1/quotes",
    relation: "to answer",
    expected: 201,
    actual: "400 DOGRULAMA",
    details,
  });
  const { message = "", actual } = explainFailure(failure, redact, () => ({}));
  expect(message).toContain("expected status 201, got 400 DOGRULAMA with details { field: 'items.quantity'");
  expect(message).not.toContain("s3cr3t-x");
  expect(message.length).toBeLessThan(400);
  expect(actual).toBe("400 DOGRULAMA");
});

const withoutResponse: Exchange = {
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
};

test("a missing response is a finding without an actual value", () => {
  expect(explained(new NoResponse(withoutResponse))).toEqual({
    status: "failed",
    kind: "absence",
    message: "expected a response to GET http://127.0.0.1/healthz, got nothing: it hung up",
    subject: "a response to GET http://127.0.0.1/healthz",
    relation: "to arrive",
    actual: "no response",
    curl: "curl -i",
    exchanges: [],
  });
});

test("an unreadable response isn't reported as missing", () => {
  const failure = "its JSON is nested more than 200 levels deep";
  const { message, actual } = explained(new NoResponse({ ...withoutResponse, failure, isUnreadable: true }));
  expect(message).toBe(
    `expected a readable response to GET http://127.0.0.1/healthz, got a response that the suite can't read: ${failure}`,
  );
  expect(actual).toBe("a response that the suite can't read");
});

test("a missing prerequisite is no finding, and has no evidence", () => {
  expect(explained(new CheckSkipped(`no ${SECRET}`))).toEqual({
    status: "not_verified",
    message: "no [redacted]",
  });
});

test("an error code of the system distinguishes an error of this machine from a fault of the suite", () => {
  expect(explained(new MachineError("ENOSPC", "free some space"))).toEqual({
    status: "errored",
    message: "ENOSPC: free some space",
    machine_error: "ENOSPC",
  });
});

test("any other error is a fault of the suite, in one line with its location", () => {
  const { status, message } = explained(new TypeError(`${SECRET} is not a function`));
  expect(status).toBe("errored");
  expect(message).toMatch(/^TypeError: \[redacted\] is not a function at .*explain-failure\.test\.ts/);
  expect(message).not.toContain("\n");
  expect(explained("thrown text")).toEqual({ status: "errored", message: "thrown text" });
});
