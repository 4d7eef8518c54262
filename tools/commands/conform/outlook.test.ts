import { expect, test } from "vitest";
import { serverSuite } from "../../../suites/server/suite.ts";
import { outlookOf } from "./conform.ts";

const { checks } = serverSuite();
const near = { latencyMs: 2, jobs: 16 };
const credentials = { client_id: "pos", client_secret: "a-secret" };

test.for([
  [
    "one integrator",
    [credentials],
    /^latency 2 ms; about 1\d\d s, of which 120 s are waits for the rate limit \(1,200 requests a minute\) of one integrator$/,
  ],
  [
    "two",
    [credentials, credentials],
    /^latency 2 ms; about \d\d s, of which 60 s are waits for the rate limit \(1,200 requests a minute\) of 2 integrators$/,
  ],
] as const)("a run with the credentials of %s estimates its waits for the rate limit", ([, given, line]) => {
  const settings = { control: undefined, credentials: given, pairingCodes: ["a-code"] };
  expect(outlookOf({ selected: checks }, settings, near)).toMatch(line);
});

test("a short run has no estimate", () => {
  const settings = { control: undefined, credentials: [credentials], pairingCodes: [] };
  expect(outlookOf({ selected: checks.slice(0, 10) }, settings, near)).toBeUndefined();
});
